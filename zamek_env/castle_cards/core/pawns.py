"""Effects on pawns: Merchant, Thief, Conspirator and Spy. Covered cards take part (K5).

All but the Spy choose a pile, then a card of it, as often as they may: phases PILE and LEVEL. What was chosen stands in
`picked`, space and level in turn.
"""

import numpy as np

from zamek_env.castle_cards.components.kinds import CONSPIRATOR, MERCHANT, SPY, THIEF
from zamek_env.castle_cards.components.sizes import FIRST_OUTSIDE
from zamek_env.castle_cards.core.leaving import return_pawn
from zamek_env.castle_cards.core.log import PAWN_OF, PAWN_SET, PAWNS, find_place, write_event
from zamek_env.castle_cards.core.piles import find_kind, find_pawn, set_pawn
from zamek_env.castle_cards.core.protection import find_adjacent
from zamek_env.castle_cards.core.state import NONE
from zamek_env.castle_cards.layout import actions
from zamek_env.castle_cards.layout.board import CASTLE
from zamek_env.core.bits import as_index, lowest_bit
from zamek_env.core.jit import kernel

_MERCHANT_PAWNS = 3
_CONSPIRATOR_PAWNS = 2

# --- a pile, then a card of it ---


@kernel
def offer_piles(s):
    """Write the piles with a card that can be chosen now into `options`; none where the effect is over."""
    effect, progress = np.int64(s.effect), np.int64(s.progress)
    if effect == THIEF:
        if progress == 0:
            s.options[actions.BOARD] = _find_with_levels(s, find_adjacent(s, THIEF) & s.occupied)
    elif effect == MERCHANT:
        if progress < _MERCHANT_PAWNS and s.pawns[as_index(s.turn)] > 0:
            _offer_everywhere(s)
    elif progress < _CONSPIRATOR_PAWNS:
        _offer_everywhere(s)
        if progress == 0 and not _has_two_pawns(s):
            s.options[actions.BOARD] = 0
            s.options[actions.OUTSIDE] = 0


@kernel
def _offer_everywhere(s):
    """Write the piles of the whole board with a card that can be chosen now into `options`."""
    s.options[actions.BOARD] = _find_with_levels(s, s.occupied)
    for rank in range(np.int64(s.outside_count)):
        if find_levels(s, FIRST_OUTSIDE + rank):
            s.options[actions.OUTSIDE] |= 1 << rank


@kernel
def _find_with_levels(s, spaces):
    """Return those of the spaces where a card can be chosen."""
    found, left = 0, spaces
    while left != 0:
        space = lowest_bit(left)
        left &= left - 1
        if find_levels(s, space):
            found |= 1 << space
    return found


@kernel
def find_levels(s, space):
    """Return the levels of a pile whose card can be chosen now, as bits."""
    found = 0
    for level in range(np.int64(s.height[as_index(space)])):
        if _is_eligible(s, space, level):
            found |= 1 << level
    return found


@kernel
def _is_eligible(s, space, level):
    pawn = find_pawn(s, space, level)
    if pawn == NONE:
        return False
    if s.effect == MERCHANT:
        return pawn != s.turn
    if s.effect == CONSPIRATOR:
        is_first = s.progress > 0 and s.picked[0] == space and s.picked[1] == level
        return space != s.where[CONSPIRATOR] and not is_first
    return True


@kernel
def _has_two_pawns(s):
    """Return whether the piles of `options` have two cards that can be chosen: two piles, or two cards of one."""
    near, far = np.int64(s.options[actions.BOARD]), np.int64(s.options[actions.OUTSIDE])
    if near == 0 and far == 0:
        return False
    if near & (near - 1) or far & (far - 1) or (near != 0 and far != 0):
        return True
    levels = find_levels(s, lowest_bit(near) if near else FIRST_OUTSIDE + lowest_bit(far))
    return levels & (levels - 1) != 0


@kernel
def choose_pile(s, space):
    """Take note of the pile. Writes `source`, `phase`."""
    s.source = space
    s.phase = actions.LEVEL


@kernel
def offer_levels(s):
    """Write the levels of the pile on `source` whose card can be chosen into `options`."""
    s.options[actions.OTHERS] = find_levels(s, np.int64(s.source)) << actions.LEVEL_BIT


@kernel
def choose_level(s, level):
    """Remove or replace that pawn, or take note of it; then the next one, if any."""
    space, effect, progress = np.int64(s.source), np.int64(s.effect), np.int64(s.progress)
    s.picked[as_index(2 * progress)] = space
    s.picked[as_index(2 * progress + 1)] = level
    s.progress = progress + 1
    s.is_carried = 1
    s.phase = actions.PILE
    if effect == CONSPIRATOR:
        return
    return_pawn(s, find_pawn(s, space, level))
    if effect == THIEF:
        set_pawn(s, space, level, NONE)
    else:
        set_pawn(s, space, level, np.int64(s.turn))
        s.pawns[as_index(s.turn)] -= 1


@kernel
def finish_pawns(s, log):
    """Write down what has changed once no pile is left to choose; the Conspirator swaps only now."""
    s.phase = actions.FINISH
    progress = np.int64(s.progress)
    if progress == 0:
        return
    write_event(log, PAWNS, NONE, NONE, NONE)
    if s.effect == CONSPIRATOR and not _swap_pawns(s):
        return
    for number in range(progress):
        _write_pawn(s, log, np.int64(s.picked[as_index(2 * number)]), np.int64(s.picked[as_index(2 * number + 1)]))


@kernel
def _swap_pawns(s):
    """Swap the pawns of the two cards chosen; return whether they differ."""
    first = find_pawn(s, np.int64(s.picked[0]), np.int64(s.picked[1]))
    second = find_pawn(s, np.int64(s.picked[2]), np.int64(s.picked[3]))
    set_pawn(s, np.int64(s.picked[0]), np.int64(s.picked[1]), second)
    set_pawn(s, np.int64(s.picked[2]), np.int64(s.picked[3]), first)
    return first != second


@kernel
def _write_pawn(s, log, space, level):
    row = write_event(log, PAWN_SET, find_place(s, space), level, find_kind(s, space, level))
    row[PAWN_OF] = find_pawn(s, space, level)


# --- Spy ---


@kernel
def begin_spying(s):
    """Gather the pawns of all cards adjacent to the Spy. Writes `pawns_left`, `phase`."""
    s.pawns_left.fill(0)
    left, has_pawn = find_adjacent(s, SPY) & s.occupied, False
    while left != 0:
        space = lowest_bit(left)
        left &= left - 1
        for level in range(np.int64(s.height[as_index(space)])):
            pawn = find_pawn(s, space, level)
            s.pawns_left[as_index(actions.NO_PAWN if pawn == NONE else pawn)] += 1
            has_pawn = has_pawn or pawn != NONE
    s.phase = actions.PAWN if has_pawn else actions.FINISH


@kernel
def offer_pawns(s):
    """Write the pawns that have no card yet into `options`."""
    for pawn in range(actions.NO_PAWN + 1):
        if s.pawns_left[pawn] > 0:
            s.options[actions.OTHERS] |= 1 << (actions.PAWN_BIT + pawn)


@kernel
def choose_pawn(s, log, pawn):
    """Let that pawn, or none, come to the next card by row, column and level; the last one ends the effect."""
    s.picked[as_index(s.progress)] = NONE if pawn == actions.NO_PAWN else pawn
    s.progress += 1
    s.pawns_left[as_index(pawn)] -= 1
    for other in range(actions.NO_PAWN + 1):
        if s.pawns_left[other] > 0:
            return
    s.is_carried = 1
    s.phase = actions.FINISH
    _set_spied(s, log)


@kernel
def _set_spied(s, log):
    """Put the pawns where they were chosen to be, and write down all that changed."""
    write_event(log, PAWNS, NONE, NONE, NONE)
    left, number = find_adjacent(s, SPY) & s.occupied & CASTLE, 0
    while left != 0:
        space = lowest_bit(left)
        left &= left - 1
        for level in range(np.int64(s.height[as_index(space)])):
            pawn = np.int64(s.picked[as_index(number)])
            number += 1
            if pawn != find_pawn(s, space, level):
                set_pawn(s, space, level, pawn)
                _write_pawn(s, log, space, level)
