"""Where a card may be placed, and which cards can be (K2, K5, the column *placement* of the effects)."""

import numpy as np

from zamek_env.castle_cards.components.kinds import (
    AMBASSADOR,
    COUNSELOR,
    COURT_KINDS,
    EASY_COURT_KINDS,
    GHOST,
    KING,
    KNIGHT,
    LADY_IN_WAITING,
    MISTRESS,
    OUTSIDE_KINDS,
    PRINCE,
    PRINCE_CHARMING,
    PRINCESS,
    QUEEN,
    RAMPART_KINDS,
    SIEGE_ENGINE,
    TOWER_KINDS,
)
from zamek_env.castle_cards.core.piles import find_all_outside
from zamek_env.castle_cards.core.protection import find_adjacent, find_free_to_leave, find_in_castle
from zamek_env.castle_cards.layout.board import COURT, RAMPARTS, SLOTS, TOWERS
from zamek_env.core.bits import count_word
from zamek_env.core.jit import kernel


@kernel
def find_spaces(s, kind):
    """Return the set of spaces, two integers, where a card of that kind may be placed."""
    if kind == KNIGHT:
        return s.occupied, find_all_outside(s)
    if kind == SIEGE_ENGINE:
        return SLOTS & ~s.occupied, 0
    if OUTSIDE_KINDS >> kind & 1:
        return 0, 1 << np.int64(s.outside_count)
    if kind == GHOST:
        return _find_haunted(s), 0
    if TOWER_KINDS >> kind & 1:
        return TOWERS & ~s.occupied, 0
    if RAMPART_KINDS >> kind & 1:
        return RAMPARTS & ~s.occupied, 0
    return COURT & ~s.occupied & _find_condition(s, kind), 0


@kernel
def _find_haunted(s):
    """Return the towers with one card, not protected: where the Ghost fits."""
    return TOWERS & find_free_to_leave(s) & ~s.knighted


@kernel
def _find_condition(s, kind):
    """Return the spaces of the court that meet the condition of a card of the court."""
    if kind == QUEEN:
        return find_adjacent(s, KING) if find_in_castle(s, KING) else COURT
    if kind == COUNSELOR:
        return find_adjacent(s, KING if find_in_castle(s, KING) else PRINCE)
    if kind == LADY_IN_WAITING:
        return find_adjacent(s, QUEEN) | find_adjacent(s, PRINCESS)
    if kind == PRINCE_CHARMING:
        return find_adjacent(s, PRINCESS) if find_in_castle(s, PRINCESS) else COURT
    if kind == MISTRESS:
        return 0 if find_in_castle(s, QUEEN) else COURT
    if kind == AMBASSADOR:
        return COURT if count_word(COURT & ~s.occupied) == 1 else 0
    return COURT


@kernel
def has_space(s, kind):
    """Return whether a card of that kind fits anywhere."""
    near, far = find_spaces(s, kind)
    return (near | far) != 0


@kernel
def find_playable(s, kinds):
    """Return those of a set of kinds that fit somewhere, and on how many spaces all of them fit together."""
    towers, ramparts = count_word(TOWERS & ~s.occupied), count_word(RAMPARTS & ~s.occupied)
    court = count_word(COURT & ~s.occupied)
    found, total = 0, 0
    # kinds that fit wherever there is room in their zone
    for easy, room in (
        (kinds & TOWER_KINDS & ~(1 << GHOST), towers),
        (kinds & RAMPART_KINDS, ramparts),
        (kinds & EASY_COURT_KINDS, court),
        (kinds & OUTSIDE_KINDS & ~(1 << SIEGE_ENGINE), 1),
    ):
        if room > 0:
            found |= easy
            total += count_word(easy) * room
    for kind in (GHOST, SIEGE_ENGINE, KNIGHT):
        if kinds >> kind & 1:
            count = count_spaces(s, kind)
            total += count
            found |= (1 << kind) if count > 0 else 0
    if court > 0 and kinds & COURT_KINDS & ~EASY_COURT_KINDS:
        for kind in (QUEEN, AMBASSADOR, LADY_IN_WAITING, COUNSELOR, MISTRESS, PRINCE_CHARMING):
            if kinds >> kind & 1:
                count = count_word(COURT & ~s.occupied & _find_condition(s, kind))
                total += count
                found |= (1 << kind) if count > 0 else 0
    return found, total


@kernel
def count_spaces(s, kind):
    """Return on how many spaces a card of that kind fits."""
    near, far = find_spaces(s, kind)
    return count_word(near) + count_word(far)
