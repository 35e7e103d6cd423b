"""The Minstrel: the cards of the court around him in another order."""

import numpy as np

from zamek_env.castle_cards.components.kinds import MINSTREL
from zamek_env.castle_cards.components.sizes import MAX_PICKED
from zamek_env.castle_cards.core.log import CARD_SET, REARRANGE, find_place, write_event
from zamek_env.castle_cards.core.protection import find_adjacent, find_free_to_leave
from zamek_env.castle_cards.core.state import NONE
from zamek_env.castle_cards.layout.actions import ARRANGE, CARDS, FINISH
from zamek_env.castle_cards.layout.board import COURT
from zamek_env.core.bits import as_index, lowest_bit
from zamek_env.core.jit import kernel


@kernel
def begin_arranging(s):
    """Note the spaces that take part and their cards. Writes `arranging`, `arranging_kinds`, `phase`."""
    s.arranging = find_adjacent(s, MINSTREL) & COURT & find_free_to_leave(s) & ~s.knighted
    s.arranging_kinds = 0
    left = np.int64(s.arranging)
    while left != 0:
        s.arranging_kinds |= 1 << np.int64(s.bottom[as_index(lowest_bit(left))])
        left &= left - 1
    s.phase = ARRANGE if s.arranging != 0 else FINISH


@kernel
def offer_arranged(s):
    """Write the cards that have no place yet into `options`; cards of the court are all different."""
    s.options[CARDS] = s.arranging_kinds


@kernel
def choose_arranged(s, log, kind):
    """Let that card come to the next space by row and column; the last one ends the effect."""
    s.picked[as_index(s.progress)] = kind
    s.progress += 1
    s.arranging_kinds &= ~(1 << kind)
    if s.arranging_kinds != 0:
        return
    s.is_carried = 1
    s.phase = FINISH
    _rearrange(s, log)
    s.arranging = 0


@kernel
def _rearrange(s, log):
    """Lay the cards where they were chosen to be, with their pawns, and write it down."""
    write_event(log, REARRANGE, NONE, NONE, NONE)
    pawns = np.empty(MAX_PICKED, np.int8)
    for number in range(np.int64(s.progress)):
        pawns[as_index(number)] = s.bottom_pawn[as_index(s.where[as_index(s.picked[as_index(number)])])]
    left, number = np.int64(s.arranging), 0
    while left != 0:
        space = lowest_bit(left)
        left &= left - 1
        kind = np.int64(s.picked[as_index(number)])
        s.bottom[as_index(space)] = kind
        s.bottom_pawn[as_index(space)] = pawns[as_index(number)]
        s.where[as_index(kind)] = space
        write_event(log, CARD_SET, find_place(s, space), kind, NONE)
        number += 1
