"""Uniformly random legal actions, and games played with them to their end."""

from zamek_env.castle_cards.core.ending import is_terminal
from zamek_env.castle_cards.core.rules import find_option, step
from zamek_env.core.chance import draw_below
from zamek_env.core.jit import kernel


@kernel
def draw_action(s, generator):
    """Return a uniformly random legal action of a game that is not over. Writes `generator`."""
    return find_option(s, draw_below(generator, s.num_options))


@kernel
def play_randomly(s, log, generator):
    """Play a game to its end with uniformly random legal actions; return how many. Writes `generator`."""
    decisions = 0
    while not is_terminal(s):
        step(s, log, draw_action(s, generator))
        decisions += 1
    return decisions
