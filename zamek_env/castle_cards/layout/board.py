"""The spaces by number, and sets of spaces as bits of one integer: constants of the kernels (K1).

BOARD DESCRIPTION
    space 0 … 35      row * 6 + column of the castle, row 0 north
    space 36 … 39     the slots for siege engines before the northern, eastern, southern and western rampart
    space 40 + rank   places outside, the oldest first; where one becomes empty, those after it move up

        T r r r r T       T tower      the four corners
        r c c c c r       r rampart    four spaces a side
        r c c c c r       c court      4 x 4
        r c c c c r
        r c c c c r
        T r r r r T

    A set of spaces is two integers: bits 0 … 39 of the first are spaces 0 … 39, bit `rank` of the second is the space
    outside of that rank.
"""

import numpy as np

from zamek_env.castle_cards.components.box import FIRST_SLOT, NUM_GRID, NUM_SLOTS

WIDTH = 6
SIDES = "NESW"  # of the ramparts and the slots before them
NO_SIDE = -1


def _find_neighbours(space: int) -> int:
    row, column = divmod(space, WIDTH)
    return sum(
        1 << other
        for other in range(NUM_GRID)
        if other != space and max(abs(other // WIDTH - row), abs(other % WIDTH - column)) == 1
    )


_EDGE = WIDTH - 1
_RAMPARTS = tuple(
    sum(1 << space for space in spaces)
    for spaces in (
        range(1, _EDGE),
        range(WIDTH + _EDGE, _EDGE * WIDTH, WIDTH),
        range(_EDGE * WIDTH + 1, NUM_GRID - 1),
        range(WIDTH, _EDGE * WIDTH, WIDTH),
    )
)
CASTLE = (1 << NUM_GRID) - 1
SLOTS = (1 << NUM_SLOTS) - 1 << FIRST_SLOT
TOWERS = 1 << 0 | 1 << _EDGE | 1 << _EDGE * WIDTH | 1 << NUM_GRID - 1
RAMPARTS = sum(_RAMPARTS)
COURT = CASTLE & ~TOWERS & ~RAMPARTS
WALLS = TOWERS | RAMPARTS

NEIGHBOURS = np.array([_find_neighbours(space) for space in range(NUM_GRID)], np.int64)  # of each space of the castle
RAMPART = np.array(_RAMPARTS, np.int64)  # the spaces of each rampart, by side
SIDE_OF = np.array(  # of each space of the castle: the side of the rampart that it belongs to
    [next((side for side in range(4) if _RAMPARTS[side] >> space & 1), NO_SIDE) for space in range(NUM_GRID)], np.int64
)
ZONE = np.array(  # of each space of the castle: the spaces of its zone
    [next(zone for zone in (TOWERS, RAMPARTS, COURT) if zone >> space & 1) for space in range(NUM_GRID)], np.int64
)
