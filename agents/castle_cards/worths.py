"""The table that `greedy` plays by: what each card is worth, and what else counts.

All is in actions: 1 is worth one action of a turn, or one card that an opponent has to play once more.
"""

import numpy as np

from zamek_env.castle_cards.cards import KIND_OF
from zamek_env.castle_cards.kinds import NUM_KINDS
from zamek_env.core.tables import record_dtype

# card: what it is worth to play it now, beside what its effect takes back; what it is worth to have it in hand
CARD_WORTHS = {name: (1.0, 0.0) for name in KIND_OF}
OTHER_WORTHS = {
    "draw": 1.0,  # to draw a card
    "give": 0.0,  # to exchange a card, beside the difference of what both are worth in hand
    "stuck": -0.8,  # to have a card in hand that fits nowhere now
    "lead": 1.0,  # the leading opponent takes a card back
    "trail": 0.7,  # another opponent does
    "own": 1.0,  # not to take back a card oneself
    "rush": 0.0,  # to take a space of a tower, divided by how many are free
    "court_rush": 0.0,  # to take a space of the court, divided by how many are free
    "exposed": 0.0,
    "win": 100.0,  # to play the last card
}

WORTHS = record_dtype(
    [
        ("play", np.float64, NUM_KINDS),
        ("hold", np.float64, NUM_KINDS),
        *((name, np.float64) for name in OTHER_WORTHS),
    ]
)


def make_worths(count=1):
    """Return the table as a record, shape `(1,)` of `WORTHS`."""
    table = np.zeros(count, WORTHS)
    for name, (play, hold) in CARD_WORTHS.items():
        table["play"][:, KIND_OF[name]] = play
        table["hold"][:, KIND_OF[name]] = hold
    for name, worth in OTHER_WORTHS.items():
        table[name] = worth
    return table
