"""Evaluates positions of unfinished games, and actions one decision ahead, for agents that search.

`search` is the record of any search. Its field `evaluator` is the learned evaluation (`evaluator.py`), if `is_learned`
is set; otherwise positions are valued by hand.

Actions are tried on the games of `states` from `search.trials` on.
"""

from pathlib import Path

import numpy as np
import numpy.typing as npt

from zamek_agents.pretrained import find_shipped, is_shipped, read_model
from zamek_agents.value.choice import try_action
from zamek_agents.value.evaluator import new_evaluators
from zamek_agents.value.features import evaluate_learned
from zamek_agents.value.incremental import begin_ends
from zamek_agents.value.weights import load_weights, read_file
from zamek_env.base.chance import draw_below
from zamek_env.base.records import NONE
from zamek_env.compiler.jit import kernel
from zamek_env.core import greedy
from zamek_env.core.dealing import find_bag, put_next_tile, redeal, swap
from zamek_env.core.legality import list_actions
from zamek_env.core.playout import draw_action
from zamek_env.core.state import copy_state, find_seat
from zamek_env.ruleset import Ruleset

AUTO, LEARNED, HAND = "auto", "learned", "hand"
EVALUATIONS = (AUTO, LEARNED, HAND)  # learned where weights are shipped, learned, as the greedy player values it


def check_weights(evaluation: str, path: str) -> None:
    """Check that the evaluation of that name may take its weights from `path`, if that is not "".

    `path` is a file of weights, or a folder with a model of the agent `value`. Raises `ValueError` where the evaluation
    takes none or `path` holds none, `FileNotFoundError` where there is neither.
    """
    if path and evaluation not in (AUTO, LEARNED):
        raise ValueError(f"evaluation={evaluation} takes no weights")
    if path:
        read_file(_find_file(path))


def load_evaluation_weights(evaluation: str, path: str, ruleset: Ruleset) -> npt.NDArray[np.float32]:
    """Return the weights for a `Ruleset`: those at `path`, or if that is "" those shipped; none by hand.

    Raises as `check_weights` does, and `ValueError` where there are none for the ruleset.
    """
    if evaluation in (AUTO, LEARNED) and path:
        return load_weights(_find_file(path), ruleset)
    if evaluation == LEARNED or (evaluation == AUTO and is_shipped("value", ruleset)):
        return load_weights(find_shipped("value", ruleset), ruleset)
    return np.zeros(0, np.float32)


def set_up_evaluation(searches: npt.NDArray[np.record], ruleset: Ruleset, weights: npt.NDArray[np.float32]) -> None:
    """Let `searches` value positions by these `weights`, or by hand where there are none."""
    searches["is_learned"] = weights.size > 0
    if weights.size > 0:
        searches["evaluator"] = new_evaluators(ruleset, weights)


def _find_file(path):
    if Path(path).is_dir():
        return read_model(path, "value").path
    if not Path(path).is_file():
        raise FileNotFoundError(f"there are no weights {path!r}")
    return path


@kernel
def evaluate(t, s, player, search):
    """Return the points that `player` may expect to win by; once the game is over, those that it won by."""
    if search.is_learned:
        return evaluate_learned(t, s, player, search.evaluator)
    return greedy.evaluate(t, s, player)


@kernel
def begin_trying(t, trials, search):
    """Prepare for `evaluate_action` of actions of `trials[0]`."""
    if search.is_learned:
        begin_ends(t, trials[0], search.evaluator)


@kernel
def evaluate_action(t, trials, log, search, action):
    """Return what `action` is worth to the player to decide in `trials[0]`, for which `begin_trying` was called.

    By hand this is the value of `greedy`. The learned evaluation values ends of turns, so with it the turn is finished
    in the best way: a placement counts with the best piece sent. Writes the other `trials`, `log`.
    """
    if search.is_learned:
        return try_action(t, trials, log, search.evaluator, action)
    return greedy.evaluate_action(t, trials, log, action)


@kernel
def look_ahead(t, states, game, log, search):
    """List the legal actions of `states[game]` with what each is worth to the mover.

    Returns how many there are. Writes `actions` and `values` of `search`, the games for trials and `log` (overwritten).
    """
    trials = states[search.trials :]
    copy_state(states, game, trials, 0)
    begin_trying(t, trials, search)
    count = list_actions(t, trials[0], search.actions)
    for number in range(count):
        search.values[number] = evaluate_action(t, trials, log, search, search.actions[number])
    return count


@kernel
def choose_of_few(t, states, game, log, search):
    """Return the best of `search.tries` random legal actions of `states[game]`; with 1 that is a random one.

    The actions are tried on a reshuffle of what is hidden, because the player does not know which token it would take.
    Writes `generator` and `actions` of `search`, the games for trials and `log` (overwritten).
    """
    if search.tries == 1:
        return draw_action(t, states[game], search.generator)
    trials = states[search.trials :]
    copy_state(states, game, trials, 0)
    redeal(trials[0], search.generator, trials[0].player)
    begin_trying(t, trials, search)
    count = list_actions(t, trials[0], search.actions)
    best, best_value = search.actions[0], -np.inf
    for number in range(min(count, search.tries)):
        drawn = number + draw_below(search.generator, count - number)
        action = search.actions[drawn]
        search.actions[drawn] = search.actions[number]
        value = evaluate_action(t, trials, log, search, action)
        if value > best_value:
            best, best_value = action, value
    return best


@kernel
def deal_next_tile(s, tile):
    """Make `tile`, which the player to move has not seen, the one that the next player lays.

    It is drawn next or, where players draw ahead (rule H1), was drawn by that player. Writes `deck`, `hand`.
    """
    if s.hand.size == 0:
        put_next_tile(s, tile)
        return
    player = find_seat(s, int(s.player), 1)
    held = s.hand[player, 0]
    if held <= NONE:
        return
    here = there = int(s.drawn)
    for number in range(s.drawn, s.deck.size):
        here = number if s.deck[number] == held else here
        there = number if s.deck[number] == tile else there
    for other in range(s.hand.shape[0]):
        if s.hand[other, 0] == tile:
            s.hand[other, 0] = held
    s.hand[player, 0] = tile
    if there >= find_bag(s):
        swap(s.deck, here, there)
