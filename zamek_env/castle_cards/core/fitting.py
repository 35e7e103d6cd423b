"""Finds where a card may be placed, and which cards can be (K2, K5, the column *placement* of the effects)."""

import numpy as np

from zamek_env.castle_cards.components import box
from zamek_env.castle_cards.core.leaving import find_free_to_leave
from zamek_env.castle_cards.core.piles import find_adjacent, find_all_outside, find_in_castle
from zamek_env.castle_cards.layout.board import COURT, RAMPARTS, SLOTS, TOWERS
from zamek_env.compiler.bits import count_word
from zamek_env.compiler.jit import kernel


@kernel
def find_spaces(s, kind):
    """Return the set of spaces, two integers, where a card of that kind may be placed."""
    if kind == box.KNIGHT:
        return s.occupied, find_all_outside(s)
    if kind == box.SIEGE_ENGINE:
        return SLOTS & ~s.occupied, 0
    if box.OUTSIDE_KINDS >> kind & 1:
        return 0, 1 << np.int64(s.outside_count)
    if kind == box.GHOST:
        return TOWERS & find_free_to_leave(s) & ~s.knighted, 0
    if box.TOWER_KINDS >> kind & 1:
        return TOWERS & ~s.occupied, 0
    if box.RAMPART_KINDS >> kind & 1:
        return RAMPARTS & ~s.occupied, 0
    return COURT & ~s.occupied & _find_condition(s, kind), 0


@kernel
def _find_condition(s, kind):
    """Return the spaces of the court that meet the condition of a card of the court."""
    if kind == box.QUEEN:
        return find_adjacent(s, box.KING) if find_in_castle(s, box.KING) else COURT
    if kind == box.COUNSELOR:
        return find_adjacent(s, box.KING if find_in_castle(s, box.KING) else box.PRINCE)
    if kind == box.LADY_IN_WAITING:
        return find_adjacent(s, box.QUEEN) | find_adjacent(s, box.PRINCESS)
    if kind == box.PRINCE_CHARMING:
        return find_adjacent(s, box.PRINCESS) if find_in_castle(s, box.PRINCESS) else COURT
    if kind == box.MISTRESS:
        return 0 if find_in_castle(s, box.QUEEN) else COURT
    if kind == box.AMBASSADOR:
        return COURT if count_word(COURT & ~s.occupied) == 1 else 0
    return COURT


@kernel
def count_spaces(s, kind):
    """Return the number of spaces on which a card of that kind fits."""
    near, far = find_spaces(s, kind)
    return count_word(near) + count_word(far)


@kernel
def find_playable(s, kinds):
    """Return those of a set of kinds that fit somewhere, and the total number of spaces on which they fit."""
    found, total, free = 0, 0, ~np.int64(s.occupied)
    for zone, room in (
        (box.TOWER_KINDS, count_word(TOWERS & free)),
        (box.RAMPART_KINDS, count_word(RAMPARTS & free)),
        (box.COURT_KINDS, count_word(COURT & free)),
        (box.OUTSIDE_KINDS, 1),
    ):
        if room > 0:
            easy = kinds & zone & box.EASY_KINDS
            found |= easy
            total += count_word(easy) * room
    for kind in box.CHOOSY_KINDS:  # a loop over constants is faster than one over the kinds present
        if kinds >> kind & 1:
            count = count_spaces(s, kind)
            total += count
            found |= (1 << kind) if count > 0 else 0
    return found, total
