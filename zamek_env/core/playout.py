"""Uniformly random legal actions, drawn without writing a mask."""

import numpy as np

from zamek_env.components.model import NUM_ROTATIONS
from zamek_env.components.words import WORD_BITS
from zamek_env.core.bits import count_word, nth_bit_of_word
from zamek_env.core.chance import draw_below
from zamek_env.core.jit import kernel
from zamek_env.core.legality import find_choices, find_phase_range
from zamek_env.core.placement import find_cell_code, find_first_word, find_reach
from zamek_env.core.tables import NONE
from zamek_env.layout.actions import PLACE


@kernel
def draw_action(t, s, generator):
    """Return a uniformly random legal action of a game that is not over. Writes `generator`."""
    if s.phase == PLACE:
        return _draw_placement(t, s, generator)
    first, _ = find_phase_range(t, s)
    choices = find_choices(t, s)
    return first + nth_bit_of_word(choices, draw_below(generator, count_word(choices)))


@kernel
def _draw_placement(t, s, generator):
    count, first, end = 0, find_first_word(s), find_reach(s)
    for rotation in range(NUM_ROTATIONS):
        for number in range(first, end):
            count += count_word(np.int64(s.placements[rotation, number]))
    left = draw_below(generator, count)
    for rotation in range(NUM_ROTATIONS):
        for number in range(first, end):
            word = np.int64(s.placements[rotation, number])
            if left < count_word(word):
                cell_code = find_cell_code(t, s, number * WORD_BITS + nth_bit_of_word(word, left))
                return cell_code * NUM_ROTATIONS + rotation
            left -= count_word(word)
    return NONE
