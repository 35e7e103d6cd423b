"""The kernels that Python calls: each takes whole arrays of records and an index, and passes the records on.

Arrays cross from Python into compiled code much faster than single records. `tables` and `logs` have shape `(1,)`,
`states` any number of games, `game` is the index of one of them. All trust their arguments. `Engine` holds those that
are called at each decision, for the records of one ruleset.
"""

import numpy as np

from zamek_env.base import chance
from zamek_env.base.records import NONE
from zamek_env.compiler.bound_kernel import BoundKernel, unbind, write_answers
from zamek_env.compiler.jit import kernel
from zamek_env.compiler.memory import as_tuple
from zamek_env.core import dealing, greedy, legality, observation, rules
from zamek_env.core.hands import find_layable
from zamek_env.core.playout import draw_action
from zamek_env.layout.actions import CHOOSE


@kernel
def start_deal(tables, states, logs, game, number):
    """Set up `states[game]` with the deal of that `number` and begin the first turn."""
    generator = np.zeros(1, np.uint64)
    chance.seed_generator(generator, number)
    rules.reset(tables[0], states[game], logs[0], generator)


@kernel
def write_deal(tables, states, game, number):
    """Write the deal of that `number` to `deck` and `token_deal` of `states[game]`, and begin nothing."""
    generator = np.zeros(1, np.uint64)
    chance.seed_generator(generator, number)
    dealing.deal(tables[0], states[game], generator)


@kernel
def start_dealt(tables, states, logs, game, number):
    """Set up `states[game]` with the deal in its `deck` and `token_deal` and begin the first turn.

    If tiles go back into the bag, `number` seeds its shuffle (rule H3).
    """
    generator = np.zeros(1, np.uint64)
    chance.seed_generator(generator, number)
    dealing.start_bag(states[game], generator)
    rules.set_up(tables[0], states[game], logs[0])


@kernel
def try_to_play(tables, states, logs, game, action):
    """Play `action`, any int, in `states[game]` if it is legal; return whether it is. Writes `logs[0]`."""
    t, s = tables[0], states[game]
    is_legal = legality.is_legal(t, s, action)
    if is_legal:
        rules.step(t, s, logs[0], action)
    return is_legal


@kernel
def is_legal(tables, states, game, action):
    """Return whether `action` is legal in `states[game]`."""
    return legality.is_legal(tables[0], states[game], action)


@kernel
def write_mask(tables, states, game, out):
    """Write which actions are legal in `states[game]` into `out`, shape `(num_actions,)`."""
    legality.write_mask(tables[0], states[game], out)


@kernel
def read_status(states, game):
    """Return (phase, player to decide or NONE, points of player 0, points of player 1 …)."""
    s = states[game]
    player = NONE if rules.is_terminal(s) else int(s.player)
    return (int(s.phase), player) + as_tuple(s.score)  # noqa: RUF005 - which numba does not unpack


@kernel
def write_frame(tables, states, canvases, frames, game, player, goes_on):
    """Write what `player` sees of `states[game]` and what may be done into `frames[0]`.

    `player` NONE means the one whose turn it is. Where the game `goes_on` from what the frame shows already, only
    changes are written. Writes `canvases[0]`.
    """
    s = states[game]
    observer = int(s.player) if player == NONE else player
    observation.write_frame(tables[0], s, observer, canvases[0], frames[0], goes_on)


@kernel
def bind(answers, arguments):
    """Write the arguments for a call of `play_and_write_frame`, and return their address."""
    return write_answers(answers, arguments)


@kernel
def play_and_write_frame(bound, action, player, goes_on):
    """Call `try_to_play`, and if `action` is legal `write_frame` for `player`; return (is legal, status).

    `action` NONE plays nothing, and is legal. `bound` are tables, states, logs, canvases and frames of one game. One
    call from Python takes less time than two, and one kernel less time to compile.
    """
    tables, states, logs, canvases, frames = unbind(bound)
    is_legal = action == NONE or try_to_play(tables, states, logs, 0, action)
    if is_legal:
        write_frame(tables, states, canvases, frames, 0, player, goes_on)
    return is_legal, read_status(states, 0)


@kernel
def redeal(tables, states, game, number, observer):
    """Reshuffle what is hidden from `observer` in `states[game]`; the same `number` gives the same order (rule Z31).

    `observer` is a player, or NONE for somebody who sees what all players see. A player who chooses a tile of the hand
    has one that can be laid.
    """
    s = states[game]
    generator = np.zeros(1, np.uint64)
    chance.seed_generator(generator, number)
    dealing.redeal(s, generator, observer)
    while s.hand.size > 0 and s.phase == CHOOSE and find_layable(tables[0], s, s.player) == 0:
        dealing.redeal(s, generator, observer)


@kernel
def conceal(tables, states, game, number, observer):
    """Redeal what is hidden from `observer`, by `number` alone: nothing of the old deal is left (rule Z31)."""
    dealing.forget_hidden(states[game], observer)
    redeal(tables, states, game, number, observer)


@kernel
def play_randomly(tables, states, logs, game, generator):
    """Play `states[game]` to its end with uniformly random legal actions; return how many. Writes `generator`."""
    t, s, log = tables[0], states[game], logs[0]
    decisions = 0
    while not rules.is_terminal(s):
        rules.step(t, s, log, draw_action(t, s, generator))
        decisions += 1
    return decisions


@kernel
def choose_greedily(tables, states, logs, trials, game, generator):
    """Return the greedy player's action in `states[game]`; `trials` are two games of scratch space."""
    return greedy.choose_greedily(tables[0], states, game, trials, logs[0], generator)


class Engine:
    """Kernels for the records of one ruleset, called without type checks of their arguments."""

    def __init__(self) -> None:
        self.try_to_play = BoundKernel(try_to_play)
        self.is_legal = BoundKernel(is_legal)
        self.write_mask = BoundKernel(write_mask)  # `out` is of bool
        self.read_status = BoundKernel(read_status)


class FrameEngine:
    """Kernels for frames of one ruleset that have the same parts, called in the same way."""

    def __init__(self) -> None:
        self.bind = BoundKernel(bind)
        self.play_and_write = BoundKernel(play_and_write_frame)
