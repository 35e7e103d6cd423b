"""The learner `imitation`: the network of `ppo` chooses and values as the agent `value` does, on games it plays."""

from contextlib import closing

import numpy as np
import torch

from zamek_agents.benchmark.practice import Practice, Report
from zamek_agents.ppo.agent import NetworkAgent
from zamek_agents.ppo.imitation import DECISIONS_A_TURN, Lessons
from zamek_agents.ppo.learner import LEAST_RATE
from zamek_agents.ppo.policy import make_policy

GAMES = 128  # at once; one decision of each makes a gradient step
RATE = 3e-3  # of learning at first, falling to `LEAST_RATE` of it
WIDTH, HIDDEN = 64, 128  # of the network


def learn(task: Practice, seed: int, report: Report) -> NetworkAgent:
    """Learn from the weights of `value` in the package, which value every action on a copy of the game."""
    torch.set_num_threads(1)  # the same result on every machine, and a core for each seed
    torch.manual_seed(seed)
    network = make_policy(task.ruleset, WIDTH, HIDDEN)
    agent = NetworkAgent(network)
    random = np.linspace(0, task.ruleset.sizes.tiles * DECISIONS_A_TURN, GAMES).astype(int).sum()
    if task.left < random + GAMES:
        return agent
    task.count(int(random))  # by which the games begin at all stages
    with closing(Lessons(network, task.ruleset, GAMES, "delta", 1, seed)) as lessons:
        lessons.games = task.watch(lessons.games)
        while task.left >= GAMES:
            lessons.learn(RATE * max(LEAST_RATE, task.left / task.decisions))
            report(agent)
    return agent
