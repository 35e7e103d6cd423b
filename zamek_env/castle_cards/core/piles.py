"""Lays, lifts, covers and moves cards, and the pawns on them (K2, K5, K6).

Pawns in supply are not counted here.
"""

import numpy as np

from zamek_env.castle_cards.components import box
from zamek_env.castle_cards.core.state import NONE
from zamek_env.castle_cards.layout.board import CASTLE, NEIGHBOURS
from zamek_env.compiler.bits import as_index, lowest_bit
from zamek_env.compiler.jit import kernel

# --- what lies there ---


@kernel
def find_bit(space):
    """Return the bit of a space of the castle or a slot, 0 for one outside."""
    return 1 << space if space < box.FIRST_OUTSIDE else 0


@kernel
def find_all_outside(s):
    """Return the ranks of all piles outside, as bits."""
    return (1 << np.int64(s.outside_count)) - 1


@kernel
def is_knighted(s, space):
    """Return whether a Knight lies on the pile."""
    return s.height[as_index(space)] > 1


@kernel
def find_knight(s, space, level):
    """Return which of the Knights in play lies there, at a level above 0."""
    for knight in range(box.NUM_KNIGHTS):
        if s.knight_space[knight] == space and s.knight_level[knight] == level:
            return knight
    return 0  # not reached: there is one


@kernel
def find_pawn(s, space, level):
    """Return the owner of the pawn on that card, NONE without one."""
    if level == 0:
        return np.int64(s.bottom_pawn[as_index(space)])
    return np.int64(s.knight_pawn[as_index(find_knight(s, space, level))])


@kernel
def set_pawn(s, space, level, pawn):
    """Put a pawn, or NONE, on that card in place of the one there. Writes `bottom_pawn` or `knight_pawn`."""
    if level == 0:
        s.bottom_pawn[as_index(space)] = pawn
    else:
        s.knight_pawn[as_index(find_knight(s, space, level))] = pawn


@kernel
def find_top_pawn(s, space):
    """Return the owner of the pawn on the uncovered card, NONE without one."""
    return find_pawn(s, space, np.int64(s.height[as_index(space)]) - 1)


@kernel
def find_kind(s, space, level):
    """Return the kind of that card."""
    return np.int64(s.bottom[as_index(space)]) if level == 0 else box.KNIGHT


@kernel
def find_in_castle(s, kind):
    """Return the bit of the space where the only card of that kind lies, 0 where that is not in the castle."""
    space = np.int64(s.where[kind])
    return 1 << space if 0 <= space < box.NUM_GRID else 0


@kernel
def find_adjacent(s, kind):
    """Return the spaces adjacent to the only card of that kind; none where it is not in the castle."""
    space = np.int64(s.where[kind])
    return np.int64(NEIGHBOURS[as_index(space)]) if 0 <= space < box.NUM_GRID else 0


@kernel
def find_bare_females(s):
    """Return the spaces of the castle with a female character on whom no Knight lies."""
    found, left = 0, box.FEMALES
    while left != 0:
        found |= find_in_castle(s, lowest_bit(left))
        left &= left - 1
    return found & ~s.knighted & CASTLE


@kernel
def find_bare(s, kind):
    """Return the space of the castle where the only card of that kind lies, unless a Knight lies on it."""
    return find_in_castle(s, kind) & ~s.knighted


# --- what changes ---


@kernel
def lay_top(s, space, kind, pawn):
    """Lay a Knight on a pile, or any other card on an empty space; a new place outside comes after the last rank."""
    if kind == box.KNIGHT:
        _lay_knight(s, space, pawn)
        return
    s.bottom[as_index(space)] = kind
    s.bottom_pawn[as_index(space)] = pawn
    s.height[as_index(space)] = 1
    s.occupied |= find_bit(space)
    if space >= box.FIRST_OUTSIDE:
        s.outside_number[as_index(space - box.FIRST_OUTSIDE)] = s.next_number
        s.next_number += 1
        s.outside_count += 1
    if not box.COPIED_KINDS >> kind & 1:
        s.where[as_index(kind)] = space


@kernel
def _lay_knight(s, space, pawn):
    """Lay the first of the Knights that is not in play on a pile."""
    level, knight = np.int64(s.height[as_index(space)]), 0
    while s.knight_space[as_index(knight)] != NONE:
        knight += 1
    s.knight_space[as_index(knight)] = space
    s.knight_level[as_index(knight)] = level
    s.knight_pawn[as_index(knight)] = pawn
    s.height[as_index(space)] = level + 1
    if space < box.FIRST_OUTSIDE:
        s.knighted |= 1 << space
    else:
        s.knighted_outside |= 1 << (space - box.FIRST_OUTSIDE)


@kernel
def lift_top(s, space):
    """Take the uncovered card away; return its kind and whose pawn lay on it."""
    if is_knighted(s, space):
        return box.KNIGHT, _lift_knight(s, space)
    kind, pawn = np.int64(s.bottom[as_index(space)]), np.int64(s.bottom_pawn[as_index(space)])
    s.bottom[as_index(space)] = NONE
    s.bottom_pawn[as_index(space)] = NONE
    s.height[as_index(space)] = 0
    s.where[as_index(kind)] = NONE
    if space < box.FIRST_OUTSIDE:
        s.occupied &= ~find_bit(space)
    else:
        _close_gap(s, space)
    return kind, pawn


@kernel
def _lift_knight(s, space):
    """Take the uncovered Knight away; return whose pawn lay on him."""
    level = np.int64(s.height[as_index(space)]) - 1
    knight = find_knight(s, space, level)
    pawn = np.int64(s.knight_pawn[as_index(knight)])
    s.knight_space[as_index(knight)] = NONE
    s.knight_level[as_index(knight)] = 0
    s.knight_pawn[as_index(knight)] = NONE
    s.height[as_index(space)] = level
    if level == 1 and space < box.FIRST_OUTSIDE:
        s.knighted &= ~(1 << space)
    elif level == 1:
        s.knighted_outside &= ~(1 << (space - box.FIRST_OUTSIDE))
    return pawn


@kernel
def _close_gap(s, gap):
    """Move up all piles outside after the empty space `gap`. Writes all fields about them."""
    count = np.int64(s.outside_count) - 1
    s.outside_count = count
    end = box.FIRST_OUTSIDE + count
    for space in range(gap, end):
        s.bottom[as_index(space)] = s.bottom[as_index(space + 1)]
        s.bottom_pawn[as_index(space)] = s.bottom_pawn[as_index(space + 1)]
        s.height[as_index(space)] = s.height[as_index(space + 1)]
        rank = space - box.FIRST_OUTSIDE
        s.outside_number[as_index(rank)] = s.outside_number[as_index(rank + 1)]
    s.bottom[as_index(end)] = NONE
    s.bottom_pawn[as_index(end)] = NONE
    s.height[as_index(end)] = 0
    s.outside_number[as_index(count)] = 0
    below = (1 << (gap - box.FIRST_OUTSIDE)) - 1
    s.knighted_outside = (s.knighted_outside & below) | ((s.knighted_outside >> 1) & ~below)
    for kind in range(box.NUM_KINDS):
        if s.where[kind] > gap:
            s.where[kind] -= 1
    for knight in range(box.NUM_KNIGHTS):
        if s.knight_space[knight] > gap:
            s.knight_space[knight] -= 1
    if s.last_space > gap:
        s.last_space -= 1
