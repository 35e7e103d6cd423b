"""The learner `td`: TD(λ) of `zamek train-value`, with its settings, on games in compiled code."""

import shutil
import weakref
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import numpy as np
import numpy.typing as npt

from zamek_agents.benchmark.learners import Report
from zamek_agents.benchmark.practice import Practice
from zamek_agents.value.agent import ValueAgent
from zamek_agents.value.choice import count_trials
from zamek_agents.value.learner import check_progress, new_learner
from zamek_agents.value.training import episode_dtype, train
from zamek_agents.value.weights import write_file
from zamek_env.game_protocol import GameProtocol
from zamek_env.ruleset import Ruleset

SETTINGS = {"rate": 0.3, "trace": 0.8, "exploration": 20, "memory": 5_000}  # those of `zamek train-value`
CHUNK = 50  # games between two looks at the budget


def learn(task: Practice, seed: int, report: Report) -> "LearnedValue":
    """Learn by self-play: every decision of both seats counts."""
    ruleset = task.ruleset
    states, log = ruleset.new_states(1 + count_trials(ruleset.sizes)), ruleset.new_log()
    learners, episodes = new_learner(ruleset, seed, SETTINGS), np.zeros(1, episode_dtype(ruleset.sizes))
    most = ruleset.sizes.tiles * count_trials(ruleset.sizes)  # decisions of a game
    while games := min(CHUNK, task.left // most):
        episodes["decisions"] = 0
        train(ruleset.tables, states, log, learners, episodes, games)
        task.count(int(episodes["decisions"][0]))
        check_progress(learners, ruleset, games)
        report(LearnedValue(learners["means"][0], ruleset))
    return LearnedValue(learners["means"][0], ruleset)


class LearnedValue:
    """The agent `value` with `weights` that were learned just now for a `Ruleset`."""

    name: str = "td"

    def __init__(self, weights: npt.NDArray[np.float64], ruleset: Ruleset) -> None:
        folder = mkdtemp()
        weakref.finalize(self, shutil.rmtree, folder)  # it lives as long as this
        path = Path(folder) / "weights.npz"
        about: dict[str, Any] = {"games": 0, "seconds": 0.0}
        write_file(path, weights, ruleset, about)
        self._agent = ValueAgent(path)

    def act(self, game: GameProtocol, rng: np.random.Generator) -> int:
        return self._agent.act(game, rng)
