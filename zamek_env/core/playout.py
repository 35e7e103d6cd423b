"""Uniformly random legal actions, drawn without writing a mask."""

from zamek_env.core.actions import PLACE
from zamek_env.core.bits import count_bits, count_word, nth_bit, nth_bit_of_word
from zamek_env.core.chance import draw_below
from zamek_env.core.components import NUM_ROTATIONS
from zamek_env.core.jit import kernel
from zamek_env.core.rules import find_choices, find_phase_range
from zamek_env.core.tables import NONE


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
    count = 0
    for rotation in range(NUM_ROTATIONS):
        count += count_bits(s.placements[rotation])
    left = draw_below(generator, count)
    for rotation in range(NUM_ROTATIONS):
        fitting = count_bits(s.placements[rotation])
        if left < fitting:
            return nth_bit(s.placements[rotation], left) * NUM_ROTATIONS + rotation
        left -= fitting
    return NONE
