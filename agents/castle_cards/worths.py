"""The table that `greedy` plays by: what each card is worth, and what else counts.

All is in actions: 1 is about as much as one action of a turn. The table was found by evolution: variations of it played
each other in games of two to four players. It says to draw early, to keep soldiers for last, and to take the spaces of
towers while there are any.
"""

import numpy as np
import numpy.typing as npt

from zamek_env.castle_cards.components.cards import KIND_OF
from zamek_env.castle_cards.components.kinds import NUM_KINDS
from zamek_env.core.tables import record_dtype

# card: what it is worth to play it now, beside what its effect takes back; what it is worth to have it in hand
CARD_WORTHS = {
    "Ghost": (0.20, 0.50),
    "Lookout": (1.30, -0.65),
    "Magician": (1.00, -0.65),
    "Archer": (0.90, -0.10),
    "Witch": (1.95, 0.85),
    "Alchemist": (2.00, 1.35),
    "Soldier": (0.25, -1.05),
    "Captain": (0.25, -1.25),
    "Traitor": (0.35, 0.30),
    "Merchant": (2.10, 0.25),
    "King": (0.70, 0.30),
    "Minstrel": (0.90, -0.15),
    "Courtesan": (1.60, 0.05),
    "Queen": (0.90, 0.10),
    "Princess": (1.10, -0.05),
    "Prince": (0.95, 0.15),
    "Conspirator": (1.00, -0.35),
    "Spy": (0.90, -0.70),
    "Ambassador": (1.05, -0.55),
    "Thief": (1.00, 0.05),
    "Fool": (1.10, -0.15),
    "Village Idiot": (1.25, -0.10),
    "Priest": (0.90, 0.40),
    "Lady in Waiting": (0.90, 0.80),
    "Courtier": (0.80, 0.05),
    "Assassin": (1.45, -0.25),
    "King's Counselor": (1.60, 0.75),
    "Mistress": (1.75, -0.65),
    "Prince Charming": (1.15, -0.30),
    "Black Knight": (0.75, 0.25),
    "Siege Engine": (2.15, -0.50),
    "Barbarian": (0.50, 0.65),
    "Fairy": (0.90, 0.50),
    "Enchanter": (0.65, 0.30),
    "Dragon": (-0.05, 0.60),
    "Herald": (0.90, -0.25),
    "Knight": (0.70, -0.45),
}
OTHER_WORTHS = {
    "draw": 1.80,  # to draw a card
    "give": -0.80,  # to exchange a card, beside the difference of what both are worth in hand
    "stuck": -1.50,  # to have a card in hand that fits nowhere now
    "lead": 0.55,  # the opponent with the fewest cards left takes one back
    "trail": 0.05,  # another opponent does
    "own": 0.40,  # to lose by taking back a card oneself
    "tower_rush": 1.20,  # to take a space of a tower, divided by how many are free and 1
    "court_rush": 0.90,  # to take a space of the court, divided likewise
    "last": 100.0,  # to play the last card
}

WORTHS = record_dtype(
    [
        ("play", np.float64, NUM_KINDS),
        ("hold", np.float64, NUM_KINDS),
        *((name, np.float64) for name in OTHER_WORTHS),
    ]
)


def make_worths() -> npt.NDArray[np.record]:
    """Return the table as a record, shape `(1,)` of `WORTHS`."""
    table = np.zeros(1, WORTHS)
    for name, (play, hold) in CARD_WORTHS.items():
        table["play"][0, KIND_OF[name]] = play
        table["hold"][0, KIND_OF[name]] = hold
    for name, worth in OTHER_WORTHS.items():
        table[name] = worth
    return table
