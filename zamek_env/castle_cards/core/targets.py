"""Effects on cards of the board: one uncovered card is taken back, removed or moved, or the Minstrel arranges several.

All but the Minstrel's have parts (`part`), each judged when its turn comes (K5). The phases are TARGET, MOVE_FROM and
MOVE_TO; that of the Minstrel is ARRANGE.
"""

import numpy as np

from zamek_env.castle_cards.components import box
from zamek_env.castle_cards.components.box import FIRST_OUTSIDE
from zamek_env.castle_cards.core.leaving import (
    find_free_to_leave,
    put_into_exchange,
    remove_card,
    repel_engine,
    take_back,
)
from zamek_env.castle_cards.core.log import CARD_SET, DECLINED, MOVE, MOVED_TO, REARRANGE, find_place, write_event
from zamek_env.castle_cards.core.piles import (
    find_adjacent,
    find_all_outside,
    find_bare,
    find_bare_females,
    find_bit,
    find_in_castle,
    is_knighted,
    lay_top,
    lift_top,
)
from zamek_env.castle_cards.core.state import NONE
from zamek_env.castle_cards.layout.actions import ARRANGE, BASIC, BOARD, DECLINE, FINISH, MOVE_FROM, OUTSIDE, TARGET
from zamek_env.castle_cards.layout.board import CASTLE, COURT, RAMPARTS, SLOTS, TOWERS, WALLS, ZONE
from zamek_env.compiler.bits import as_index, count_word, lowest_bit
from zamek_env.compiler.jit import kernel

# --- one uncovered card ---


@kernel
def offer_targets(s):
    """Write the legal targets of the part in progress into `options`."""
    effect, part = np.int64(s.effect), np.int64(s.part)
    free = find_free_to_leave(s) & ~find_in_castle(s, effect)  # an effect never targets its own card
    if effect in (box.ARCHER, box.MAGICIAN) or (effect == box.DRAGON and part == 0):
        s.options[OUTSIDE] = find_all_outside(s)
        if effect == box.DRAGON:
            s.options[OUTSIDE] &= ~(1 << (np.int64(s.where[box.DRAGON]) - FIRST_OUTSIDE))
        s.options[BOARD] = free if effect == box.MAGICIAN else free & SLOTS
    elif effect in (box.DRAGON, box.BARBARIAN):
        s.options[BOARD] = free & WALLS
    elif effect == box.KING:
        s.options[BOARD] = free & CASTLE
    elif effect == box.QUEEN:
        s.options[BOARD] = free & COURT
    elif effect == box.FAIRY:
        s.options[BOARD] = free & CASTLE & ~s.knighted
    else:
        s.options[BOARD] = free & find_adjacent(s, effect) & _find_wanted(s, effect)


@kernel
def _find_wanted(s, effect):
    """Return the spaces whose uncovered card is one that an effect on adjacent cards can meet."""
    if effect == box.ASSASSIN:
        return CASTLE & ~find_bare(s, box.KING)
    if effect == box.BLACK_KNIGHT:
        return s.knighted
    if effect == box.LADY_IN_WAITING:
        return COURT & ~find_bare_females(s)
    return COURT if effect == box.TRAITOR else CASTLE


@kernel
def meet_target(s, log, space):
    """Apply the effect to the card on `space`, and go on to the next part."""
    effect = np.int64(s.effect)
    s.is_carried = 1
    if effect == box.ASSASSIN:
        remove_card(s, log, space)
    elif effect == box.MAGICIAN:
        put_into_exchange(s, log, space)
    elif effect == box.FAIRY:
        _move(s, log, space, FIRST_OUTSIDE + np.int64(s.outside_count))
    else:
        take_back(s, log, space, 0)
    begin_next_part(s)


@kernel
def begin_next_part(s):
    """Go on to the next part of an effect of this file, which may be impossible. Writes `part`, `phase`, `decider`."""
    effect, part = np.int64(s.effect), np.int64(s.part)
    s.part = part + 1
    s.phase = FINISH
    if part > 0:
        return
    if effect == box.DRAGON:
        s.phase = TARGET
    elif effect == box.MISTRESS:
        s.phase = MOVE_FROM
    elif effect == box.KING and find_in_castle(s, box.MISTRESS):
        owner = np.int64(s.bottom_pawn[as_index(s.where[box.MISTRESS])])
        if owner != NONE:
            s.decider = owner
            s.phase = TARGET


# --- moves ---


@kernel
def offer_movable(s):
    """Write the cards that the part in progress can move, and declining where allowed, into `options` (K6)."""
    effect, part = np.int64(s.effect), np.int64(s.part)
    free = find_free_to_leave(s)
    if effect == box.LOOKOUT:
        s.options[BOARD] = RAMPARTS & free & ~s.knighted if RAMPARTS & ~s.occupied else 0
    elif effect == box.PRINCE_CHARMING:
        s.options[BOARD] = free & find_bare_females(s) & _find_zones_with_room(s)
    elif effect == box.MISTRESS and part == 0:
        s.options[BOARD] = free & find_bare(s, box.KING) & _find_zones_with_room(s)
    else:
        _offer_movable_knights(s, free)
    if effect == box.MISTRESS and (s.options[BOARD] | s.options[OUTSIDE]) != 0:
        s.options[BASIC] = 1 << DECLINE


@kernel
def _find_zones_with_room(s):
    """Return all spaces of the zones of the castle that have a free space."""
    found = 0
    for zone in (TOWERS, RAMPARTS, COURT):
        if zone & ~s.occupied:
            found |= zone
    return found


@kernel
def _offer_movable_knights(s, free):
    """Write the piles whose uncovered card is a Knight that can be moved onto another one into `options`."""
    found = 0
    for zone in (TOWERS, RAMPARTS, COURT):
        if count_word(zone & s.occupied) > 1:
            found |= zone & s.knighted & free
    if count_word(SLOTS & s.occupied) + np.int64(s.outside_count) > 1:
        found |= SLOTS & s.knighted
        s.options[OUTSIDE] = s.knighted_outside
    s.options[BOARD] = found


@kernel
def offer_destinations(s):
    """Write where the card on `source` can be moved into `options` (K6)."""
    source = np.int64(s.source)
    if not is_knighted(s, source):
        s.options[BOARD] = np.int64(ZONE[as_index(source)]) & ~s.occupied
    elif source < FIRST_OUTSIDE and not SLOTS >> source & 1:
        s.options[BOARD] = np.int64(ZONE[as_index(source)]) & s.occupied & ~(1 << source)
    else:
        s.options[BOARD] = SLOTS & s.occupied & ~find_bit(source)
        s.options[OUTSIDE] = find_all_outside(s)
        if source >= FIRST_OUTSIDE:
            s.options[OUTSIDE] &= ~(1 << (source - FIRST_OUTSIDE))


@kernel
def choose_destination(s, log, target):
    """Move the card on `source`; a soldier that so fills a rampart repels the siege engine (K6, K8)."""
    s.is_carried = 1
    _move(s, log, np.int64(s.source), target)
    if s.effect == box.LOOKOUT:
        repel_engine(s, log, target)
    begin_next_part(s)


@kernel
def decline(s, log):
    """Leave out a part that could be carried out."""
    s.is_carried = 1
    write_event(log, DECLINED, NONE, NONE, NONE)
    begin_next_part(s)


@kernel
def _move(s, log, space, target):
    """Move the uncovered card of a pile, and log it: a Knight onto another pile, others to an empty space."""
    row = write_event(log, MOVE, find_place(s, space), NONE, NONE)
    kind, pawn = lift_top(s, space)
    lay_top(s, target, kind, pawn)
    row[MOVED_TO] = find_place(s, target)


# --- the Minstrel ---


@kernel
def begin_arranging(s):
    """Note the spaces that take part and their cards. Writes `arranging`, `arranging_kinds`, `phase`."""
    s.arranging = find_adjacent(s, box.MINSTREL) & COURT & find_free_to_leave(s) & ~s.knighted
    s.arranging_kinds = 0
    left = np.int64(s.arranging)
    while left != 0:
        s.arranging_kinds |= 1 << np.int64(s.bottom[as_index(lowest_bit(left))])
        left &= left - 1
    s.phase = ARRANGE if s.arranging != 0 else FINISH


@kernel
def choose_arranged(s, log, kind):
    """Put that card on the next space by row and column; the last one ends the effect."""
    s.picked[as_index(s.progress)] = kind
    s.progress += 1
    s.arranging_kinds &= ~(1 << kind)
    if s.arranging_kinds != 0:
        return
    s.is_carried = 1
    s.phase = FINISH
    write_event(log, REARRANGE, NONE, NONE, NONE)
    pawns = np.empty(box.MAX_PICKED, np.int8)
    for number in range(np.int64(s.progress)):
        pawns[as_index(number)] = s.bottom_pawn[as_index(s.where[as_index(s.picked[as_index(number)])])]
    left, number = np.int64(s.arranging), 0
    while left != 0:
        space = lowest_bit(left)
        left &= left - 1
        laid = np.int64(s.picked[as_index(number)])
        s.bottom[as_index(space)] = laid
        s.bottom_pawn[as_index(space)] = pawns[as_index(number)]
        s.where[as_index(laid)] = space
        write_event(log, CARD_SET, find_place(s, space), laid, NONE)
        number += 1
    s.arranging = 0
