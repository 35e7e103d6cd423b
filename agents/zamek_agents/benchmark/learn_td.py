"""The learner `td`: TD(λ) of `zamek train-value`, with its settings, on games in compiled code."""

import numpy as np

from zamek_agents.benchmark.practice import Practice, Report
from zamek_agents.value.agent import LearnedAgent
from zamek_agents.value.choice import count_trials
from zamek_agents.value.learner import check_progress, new_learner
from zamek_agents.value.training import episode_dtype, train

SETTINGS = {"rate": 0.3, "trace": 0.8, "exploration": 20, "memory": 5_000}  # those of `zamek train-value`
CHUNK = 50  # games between two looks at the budget


def learn(task: Practice, seed: int, report: Report) -> LearnedAgent:
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
        report(LearnedAgent("td", learners["means"][0].astype(np.float32), ruleset))
    return LearnedAgent("td", learners["means"][0].astype(np.float32), ruleset)
