"""Two learned evaluations against each other, in compiled code."""

import numpy as np
import numpy.typing as npt

from zamek_agents.value.choice import choose_by_value, count_trials
from zamek_agents.value.evaluator import new_evaluators
from zamek_env.core.chance import seed_generator
from zamek_env.core.jit import kernel
from zamek_env.core.rewards import find_lead_in_kernel, find_result_in_kernel
from zamek_env.core.rules import reset, step
from zamek_env.layout.actions import OVER
from zamek_env.ruleset import Ruleset


def play_evaluators(
    ruleset: Ruleset, weights: npt.NDArray[np.float32], others: npt.NDArray[np.float32], deals: range
) -> npt.NDArray[np.float64]:
    """Return how `weights` fare against `others`, who have all seats but one.

    The result is float64 `(2, deals, players)`, from the first seat, the second …: what part of the victory it is, and
    the points ahead of the best other.
    """
    evaluators = np.concatenate([new_evaluators(ruleset, each) for each in (weights, others)])
    outcomes = np.zeros((2, len(deals), ruleset.players))
    states = ruleset.new_states(1 + count_trials(ruleset.sizes))
    _play_evaluators(ruleset.tables, states, ruleset.new_log(), evaluators, deals.start, *outcomes)
    return outcomes


@kernel
def _play_evaluators(tables, states, logs, evaluators, first_deal, wins, margins):
    """Play each deal from all seats, and write what `play_evaluators` returns of the first of two evaluators."""
    t, s, log, trials = tables[0], states[0], logs[0], states[1:]
    generator = np.zeros(1, np.uint64)
    players = wins.shape[1]
    for number in range(wins.shape[0]):
        for seat in range(players):
            seed_generator(generator, first_deal + number)
            reset(t, s, log, generator)
            while s.phase != OVER:
                player = 0 if s.player == seat else 1
                action, _ = choose_by_value(t, states, 0, trials, log, generator, evaluators[player])
                step(t, s, log, action)
            wins[number, seat] = (1.0 + (players - 1) * find_result_in_kernel(s.score, seat)) / players
            margins[number, seat] = find_lead_in_kernel(s.score, seat)
