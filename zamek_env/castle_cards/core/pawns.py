"""Effects on pawns: Merchant, Thief, Conspirator and Spy. Covered cards take part (K5).

All but the Spy choose a pile, then a card of it, as often as they may: phases PILE and LEVEL. `picked` holds the
choices, space and level in turn.
"""

import numpy as np

from zamek_env.castle_cards.components.box import CONSPIRATOR, FIRST_OUTSIDE, MERCHANT, SPY, THIEF
from zamek_env.castle_cards.core.leaving import return_pawn
from zamek_env.castle_cards.core.log import PAWN_OF, PAWN_SET, PAWNS, find_place, write_event
from zamek_env.castle_cards.core.piles import find_adjacent, find_all_outside, find_kind, find_pawn, set_pawn
from zamek_env.castle_cards.core.state import NONE
from zamek_env.castle_cards.layout import actions
from zamek_env.compiler.bits import as_index, count_word, lowest_bit
from zamek_env.compiler.jit import kernel

_MERCHANT_PAWNS = 3
_CONSPIRATOR_PAWNS = 2

# --- a pile, then a card of it ---


@kernel
def offer_piles(s):
    """Write the piles with a card that can be chosen now into `options`; none where the effect is over."""
    effect, progress = np.int64(s.effect), np.int64(s.progress)
    if effect == THIEF:
        if progress == 0:
            _offer_piles_of(s, find_adjacent(s, THIEF) & s.occupied, 0)
    elif effect == MERCHANT:
        if progress < _MERCHANT_PAWNS and s.pawns[as_index(s.turn)] > 0:
            _offer_piles_of(s, s.occupied, find_all_outside(s))
    elif progress < _CONSPIRATOR_PAWNS:
        count = _offer_piles_of(s, s.occupied, find_all_outside(s))
        if progress + count < _CONSPIRATOR_PAWNS:
            s.options.fill(0)


@kernel
def _offer_piles_of(s, near, far):
    """Write those of the piles with a card that can be chosen now into `options`; return how many cards these are."""
    count, left = 0, near
    while left != 0:
        space = lowest_bit(left)
        left &= left - 1
        levels = find_levels(s, space)
        count += count_word(levels)
        s.options[actions.BOARD] |= (1 << space) if levels else 0
    left = far
    while left != 0:
        rank = lowest_bit(left)
        left &= left - 1
        levels = find_levels(s, FIRST_OUTSIDE + rank)
        count += count_word(levels)
        s.options[actions.OUTSIDE] |= (1 << rank) if levels else 0
    return count


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
def choose_level(s, level):
    """Remove or replace that pawn, or note it; then offer the next one, if any."""
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
    """Log the changes once no pile is left to choose; the Conspirator swaps only now."""
    s.phase = actions.FINISH
    progress = np.int64(s.progress)
    if progress == 0:
        return
    write_event(log, PAWNS, NONE, NONE, NONE)
    if s.effect == CONSPIRATOR:
        space, level = np.int64(s.picked[0]), np.int64(s.picked[1])
        other_space, other_level = np.int64(s.picked[2]), np.int64(s.picked[3])
        pawn, other = find_pawn(s, space, level), find_pawn(s, other_space, other_level)
        if pawn == other:
            return
        set_pawn(s, space, level, other)
        set_pawn(s, other_space, other_level, pawn)
    for number in range(progress):
        _write_pawn(s, log, np.int64(s.picked[as_index(2 * number)]), np.int64(s.picked[as_index(2 * number + 1)]))


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
    """Put that pawn, or none, on the next card by row, column and level; the last one ends the effect."""
    s.picked[as_index(s.progress)] = NONE if pawn == actions.NO_PAWN else pawn
    s.progress += 1
    s.pawns_left[as_index(pawn)] -= 1
    for other in range(actions.NO_PAWN + 1):
        if s.pawns_left[other] > 0:
            return
    s.is_carried = 1
    s.phase = actions.FINISH
    write_event(log, PAWNS, NONE, NONE, NONE)
    left, number = find_adjacent(s, SPY) & s.occupied, 0
    while left != 0:
        space = lowest_bit(left)
        left &= left - 1
        for level in range(np.int64(s.height[as_index(space)])):
            chosen = np.int64(s.picked[as_index(number)])
            number += 1
            if chosen != find_pawn(s, space, level):
                set_pawn(s, space, level, chosen)
                _write_pawn(s, log, space, level)
