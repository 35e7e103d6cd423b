"""Uniformly random legal actions, drawn without writing a mask."""

from zamek_env.core.actions import PLACE
from zamek_env.core.bits import count_bits, nth_bit
from zamek_env.core.chance import draw_below
from zamek_env.core.components import NUM_ROTATIONS
from zamek_env.core.jit import kernel
from zamek_env.core.rules import find_phase_range, is_legal
from zamek_env.core.tables import NONE


@kernel
def draw_action(t, s, generator):
    """Return a uniformly random legal action of a game that is not over. Writes `generator`."""
    if s.phase == PLACE:
        return _draw_placement(s, generator)
    first, end = find_phase_range(t, s)
    count = 0
    for action in range(first, end):
        count += is_legal(t, s, action)
    left = draw_below(generator, count)
    for action in range(first, end):
        if is_legal(t, s, action):
            if left == 0:
                return action
            left -= 1
    return NONE


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
