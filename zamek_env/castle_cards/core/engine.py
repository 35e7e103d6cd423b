"""The kernels that Python calls: each takes whole arrays of records and an index, and passes the records on.

Arrays cross from Python into compiled code much faster than single records. `logs` has shape `(1,)`, `states` any
number of games, `game` is the index of one of them. All trust their arguments.
"""

import numpy as np
import numpy.typing as npt

from zamek_env.base.chance import seed_generator
from zamek_env.castle_cards.core import dealing, redealing, rules
from zamek_env.castle_cards.core.state import NONE
from zamek_env.castle_cards.layout.actions import OVER
from zamek_env.compiler.jit import kernel


@kernel
def start_deal(blank, states, logs, game, players, number):
    """Make `states[game]` deal `number` for `players` players, and begin the first turn."""
    dealing.deal(blank, states, game, players, number)
    rules.begin_game(states[game], logs[0])


@kernel
def start_dealt(blank, states, logs, game, players, number, cards):
    """Make `states[game]` a game with a deal of `cards`, see `dealing.hand_out`, and begin the first turn.

    Chance follows from `number`.
    """
    states[game] = blank[0]
    dealing.begin_dealing(states[game], players, number)
    dealing.hand_out(states[game], cards, cards.size)
    rules.begin_game(states[game], logs[0])


@kernel
def decide(states, logs, game, action):
    """Carry out `action`, any int, if it is legal; return whether it is. Writes `logs[0]`."""
    s = states[game]
    is_legal = rules.is_legal(s, action)
    if is_legal:
        rules.decide(s, logs[0], action)
    return is_legal


@kernel
def find_passed_over(states, game):
    """Return (whether nothing is left to decide in `states[game]`, the action to carry out then)."""
    return rules.is_passed_over(states[game]), rules.find_option(states[game], 0)


def pass_over(states: npt.NDArray[np.record], logs: npt.NDArray[np.record], game: int) -> bool:
    """Carry out a step that needs no decision, if there is one; return whether there was. Writes `logs[0]`."""
    is_passed_over, action = find_passed_over(states, game)
    return bool(is_passed_over and decide(states, logs, game, action))


@kernel
def step(states, logs, game, action):
    """Carry out `action`, any int, if it is legal, and steps after it that need no decision; return whether it is."""
    s = states[game]
    is_legal = rules.is_legal(s, action)
    if is_legal:
        rules.step(s, logs[0], action)
    return is_legal


@kernel
def read_decider(states, game):
    """Return the player to decide in `states[game]`, NONE once it is over."""
    s = states[game]
    return NONE if s.phase == OVER else int(s.decider)


@kernel
def write_mask(states, game, out):
    """Write which actions are legal in `states[game]` into `out`, shape `(NUM_ACTIONS,)`."""
    rules.write_mask(states[game], out)


@kernel
def redeal(states, game, number, observer):
    """Redeal what `observer`, or NONE, does not know of `states[game]`; the same `number` deals the same (K10)."""
    generator = np.zeros(1, np.uint64)
    seed_generator(generator, number)
    redealing.redeal(states[game], generator, observer)


@kernel
def play_randomly(states, logs, game, generator):
    """Play `states[game]` to its end with uniformly random legal actions; return how many. Writes `generator`."""
    return rules.play_randomly(states[game], logs[0], generator)
