"""The log of events, from which record steps are made. Written by the engine, never read by it.

LOG DESCRIPTION
    One row an event, in the order they happened. Columns after EVENT, by event; NONE stands for nothing. A place is a
    space of the castle or a slot, or 40 + the number of a place outside, which no other card ever gets.

    TURN          player                            begins a turn
    DRAWN         card, legal
    EXCHANGE      give, take, legal
    PLAY          card, place, legal, from exchange
    TAKE_BACK     card, place, player, by siege, who decided where it is not the player of the turn
    MOVE          place, place
    REMOVE        place
    TO_EXCHANGE   place
    PAWNS                                           rows PAWN_SET follow
    PAWN_SET      place, level, card, player
    REARRANGE                                       rows CARD_SET follow
    CARD_SET      place, card
    SWAP          give, give, take, take            the seconds NONE where one card is swapped
    STEAL         player, card, give
    GIVE          player, player, card, by chance
    AWARDED       player, card
    DECLINED
    VOID          card
    PASS
"""

import numpy as np

from zamek_env.base.records import record_dtype
from zamek_env.castle_cards.components.box import FIRST_OUTSIDE
from zamek_env.castle_cards.core.state import NONE
from zamek_env.compiler.bits import as_index
from zamek_env.compiler.jit import kernel

(
    TURN, DRAWN, EXCHANGE, PLAY, TAKE_BACK, MOVE, REMOVE, TO_EXCHANGE, PAWNS, PAWN_SET, REARRANGE, CARD_SET, SWAP,
    STEAL, GIVE, AWARDED, DECLINED, VOID, PASS,
) = (np.int64(event) for event in range(19))  # fmt: skip
# numpy scalars: for plain ints the compiler makes a kernel for each value passed to it
NUM_COLUMNS = 6
MOVED_TO = SECOND_GIVEN = 2  # columns that are written once the row is there
FROM_EXCHANGE = BY_SIEGE = BY_CHANCE = PAWN_OF = SECOND_TAKEN = 4
DECIDED_BY = 5
# The longest decision places the fourth siege engine: it takes back 15 soldiers, and the turn, and the game, may end.
NUM_ROWS = 32

LOG = record_dtype([("rows", np.int32, (NUM_ROWS, NUM_COLUMNS)), ("count", np.int32)])


@kernel
def write_event(log, event, first, second, third):
    """Append an event and return its row, for the columns that only some events have."""
    row = log.rows[as_index(log.count)]
    log.count += 1
    row[0] = event
    row[1] = first
    row[2] = second
    row[3] = third
    row[4] = NONE
    row[5] = NONE
    return row


@kernel
def find_place(s, space):
    """Return the permanent number of a space in the log."""
    if space < FIRST_OUTSIDE:
        return space
    return FIRST_OUTSIDE + int(s.outside_number[as_index(space - FIRST_OUTSIDE)])
