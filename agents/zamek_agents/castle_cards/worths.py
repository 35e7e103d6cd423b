"""The table by which `greedy` plays and `ismcts` values: the worth of each card, and what else counts.

The unit is actions: 1 is about the worth of one action of a turn. What `greedy` plays by was found by evolution:
variations of it played each other in games of two to four players. It says to draw early, to keep soldiers for last,
and to take the spaces of towers while there are any. The need to win was found by logistic regression over a million
turns of 20,000 games of two `greedy` players. Cards that take back others' cost least, and soldiers most.
"""

import numpy as np
import numpy.typing as npt

from zamek_env.base.records import record_dtype
from zamek_env.castle_cards.components.box import NUM_KINDS
from zamek_env.castle_cards.components.cards import KIND_OF
from zamek_env.compiler.bits import as_index, lowest_bit
from zamek_env.compiler.jit import kernel

# card: the worth of playing it now, besides what its effect takes back; of having it in hand; and the actions still
# needed to win while it is in hand
CARD_WORTHS = {
    "Ghost": (0.20, 0.50, 0.48),
    "Lookout": (1.30, -0.65, 1.19),
    "Magician": (1.00, -0.65, 1.11),
    "Archer": (0.90, -0.10, 0.84),
    "Witch": (1.95, 0.85, 0.72),
    "Alchemist": (2.00, 1.35, 1.00),
    "Soldier": (0.25, -1.05, 1.35),
    "Captain": (0.25, -1.25, 1.34),
    "Traitor": (0.35, 0.30, 0.12),
    "Merchant": (2.10, 0.25, 0.96),
    "King": (0.70, 0.30, 0.31),
    "Minstrel": (0.90, -0.15, 0.85),
    "Courtesan": (1.60, 0.05, 0.22),
    "Queen": (0.90, 0.10, 0.36),
    "Princess": (1.10, -0.05, 0.86),
    "Prince": (0.95, 0.15, 0.81),
    "Conspirator": (1.00, -0.35, 0.84),
    "Spy": (0.90, -0.70, 0.86),
    "Ambassador": (1.05, -0.55, 1.07),
    "Thief": (1.00, 0.05, 0.80),
    "Fool": (1.10, -0.15, 1.00),
    "Village Idiot": (1.25, -0.10, 1.00),
    "Priest": (0.90, 0.40, 0.50),
    "Lady in Waiting": (0.90, 0.80, 0.42),
    "Courtier": (0.80, 0.05, 0.26),
    "Assassin": (1.45, -0.25, 0.81),
    "King's Counselor": (1.60, 0.75, 0.82),
    "Mistress": (1.75, -0.65, 1.17),
    "Prince Charming": (1.15, -0.30, 0.87),
    "Black Knight": (0.75, 0.25, 0.73),
    "Siege Engine": (2.15, -0.50, 1.17),
    "Barbarian": (0.50, 0.65, 0.39),
    "Fairy": (0.90, 0.50, 0.76),
    "Enchanter": (0.65, 0.30, 0.15),
    "Dragon": (-0.05, 0.60, -0.28),
    "Herald": (0.90, -0.25, 0.86),
    "Knight": (0.70, -0.45, 0.77),
}
OTHER_WORTHS = {
    "draw": 1.80,  # to draw a card
    "give": -0.80,  # to exchange a card, besides the difference of what both are worth in hand
    "stuck": -1.50,  # to have a card in hand that fits nowhere now
    "lead": 0.55,  # the opponent with the fewest cards left takes one back
    "trail": 0.05,  # another opponent does
    "own": 0.40,  # to lose by taking back a card oneself
    "tower_rush": 1.20,  # to take a space of a tower, divided by how many are free and 1
    "court_rush": 0.90,  # to take a space of the court, divided likewise
    "last": 100.0,  # to play the last card
    "deck_left": 1.58,  # what it still takes to win for each card of the deck
    "action_left": 0.50,  # by how much less it takes for each action that is left of the own turn
}

WORTHS = record_dtype(
    [
        ("play", np.float64, NUM_KINDS),
        ("hold", np.float64, NUM_KINDS),
        ("left", np.float64, NUM_KINDS),
        *((name, np.float64) for name in OTHER_WORTHS),
    ]
)


def make_worths() -> npt.NDArray[np.record]:
    """Return the table as a record, shape `(1,)` of `WORTHS`."""
    table = np.zeros(1, WORTHS)
    for name, worths in CARD_WORTHS.items():
        for field, worth in zip(("play", "hold", "left"), worths, strict=True):
            table[field][0, KIND_OF[name]] = worth
    for name, worth in OTHER_WORTHS.items():
        table[name] = worth
    return table


@kernel
def find_need(s, player, worth):
    """Return how many actions a player still needs to win."""
    need, kinds = worth.deck_left * s.deck_size[player], np.int64(s.hand_kinds[player])
    while kinds != 0:
        kind = as_index(lowest_bit(kinds))
        kinds &= kinds - 1
        need += worth.left[kind] * s.hand[player, kind]
    return need - worth.action_left * s.actions_left if player == s.turn else need
