"""What each choice is worth, by games played on from it: all choices meet the same deals.

Players of these games take what is best one decision ahead, as in the rollouts of `mcts`. The tile drawn next is each
of those left in turn. Games are played on for so many turns and then valued, or to the end and counted.

    states[ROOT]            the game to decide in
    states[DEALT]           the same with what is hidden dealt anew
    states[GAME]            the game played on
    states[search.trials:]  where players try actions
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from zamek_agents.search.evaluation import evaluate, load_evaluation_weights, set_up_evaluation
from zamek_agents.search.lookahead import choose_of_few
from zamek_agents.search.mcts_search import ROOT, deal_again, is_at_horizon, search_dtype
from zamek_agents.value.choice import count_trials
from zamek_env import Game
from zamek_env.common.pickling import WritableArrays
from zamek_env.core.chance import forget_hidden, redeal, seed_generator
from zamek_env.core.jit import kernel
from zamek_env.core.rules import step
from zamek_env.core.state import copy_state
from zamek_env.ruleset import Ruleset

DEALT, GAME, TRIALS = range(ROOT + 1, ROOT + 4)
_ALL = 10**6  # actions that a player tries: all there are


class Playouts(WritableArrays):
    """Plays on from positions of a `Ruleset`, for so many `turns`, the one to decide in included.

    Players and evaluation are learned where weights are shipped for the ruleset, and by hand elsewhere.
    """

    def __init__(self, ruleset: Ruleset, turns: int) -> None:
        self._states = ruleset.new_states(TRIALS + count_trials(ruleset.sizes))
        self._searches = np.zeros(1, search_dtype(ruleset))
        set_up_evaluation(self._searches, ruleset, load_evaluation_weights("auto", "", ruleset))
        self._searches["trials"], self._searches["tries"], self._searches["turns"] = TRIALS, _ALL, turns
        self._ruleset, self._logs = ruleset, ruleset.new_log()

    def play(self, game: Game, actions: npt.ArrayLike, deals: range, seed: int) -> npt.NDArray[np.float64]:
        """Return by how much the player to decide wins after each of `actions` in each of the `deals`.

        The shape is `(actions, deals)`. A deal follows from `seed` and its number.
        """
        chosen = np.asarray(actions, np.int64)
        margins: Any = np.zeros((chosen.size, len(deals)))
        self._states[ROOT] = game.raw_states[0]
        self._searches["number"] = seed
        _play_out(self._ruleset.tables, self._states, self._logs, self._searches, chosen, deals.start, margins)
        return margins


@kernel
def _play_out(tables, states, logs, searches, actions, first_deal, margins):
    t, log, search = tables[0], logs[0], searches[0]
    player = int(states[ROOT].player)
    forget_hidden(states[ROOT], player)
    seed_generator(search.generator, search.number)
    redeal(states[ROOT], search.generator, player)
    for column in range(margins.shape[1]):
        deal_again(states, DEALT, search, first_deal + column)
        for row in range(actions.size):
            copy_state(states, DEALT, states, GAME)
            seed_generator(search.generator, search.number ^ (first_deal + column + 1))
            step(t, states[GAME], log, actions[row])
            while not is_at_horizon(states, GAME, search):
                step(t, states[GAME], log, choose_of_few(t, states, GAME, log, search))
            margins[row, column] = evaluate(t, states[GAME], player, search)
