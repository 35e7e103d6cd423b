"""Uniformly random legal actions, drawn without writing a mask."""

import numpy as np

from zamek_env.base.chance import draw_below
from zamek_env.base.records import NONE
from zamek_env.compiler.bits import as_index, count_word, nth_bit_of_word
from zamek_env.compiler.jit import kernel
from zamek_env.components.bitset import WORD_BITS
from zamek_env.components.model import NUM_ROTATIONS
from zamek_env.core.legality import find_choices, find_phase_range
from zamek_env.core.placement import find_first_word, find_reach
from zamek_env.layout.actions import PLACE

COUNT_BITS = 15  # four counts fit into a number, and none exceeds the cells of a table
COUNT_MASK = (1 << COUNT_BITS) - 1


@kernel
def draw_action(t, s, generator):
    """Return a uniformly random legal action of a game that is not over. Writes `generator`."""
    if s.phase == PLACE:
        return _draw_placement(s, generator)
    first, _ = find_phase_range(t, s)
    choices = find_choices(t, s)
    return first + nth_bit_of_word(choices, draw_below(generator, count_word(choices)))


@kernel
def _draw_placement(s, generator):
    """Return a random placement: all of rotation 0 are counted first, then those of the next."""
    first, end = find_first_word(s), find_reach(s)
    counts, total = 0, 0  # placements by rotation, `COUNT_BITS` for each, and all of them
    for number in range(first, end):
        for rotation in range(NUM_ROTATIONS):
            count = count_word(np.int64(s.placements[as_index(number), rotation]))
            counts += count << (COUNT_BITS * rotation)
            total += count
    left, rotation = draw_below(generator, total), 0
    while left >= counts & COUNT_MASK:
        left -= counts & COUNT_MASK
        counts >>= COUNT_BITS
        rotation += 1
    for number in range(first, end):
        cells = np.int64(s.placements[as_index(number), as_index(rotation)])
        if left < count_word(cells):
            return (number * WORD_BITS + nth_bit_of_word(cells, left)) * NUM_ROTATIONS + rotation
        left -= count_word(cells)
    return NONE
