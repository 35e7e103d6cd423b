"""The learner `ppo`: the games and updates of `zamek train`, with its settings, for `RowPolicy`, without imitation."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from zamek_agents.base import Agent
from zamek_agents.benchmark.learn_sb3 import Reports
from zamek_agents.benchmark.practice import Policy, Practice, Report
from zamek_agents.heuristic import GreedyAgent
from zamek_agents.ppo.learner import LEAST_RATE, Counters, KeepSelves, make_model
from zamek_agents.ppo.opponents import PastSelves, VecOpponent
from zamek_agents.ppo.self_play import SelfPlayVecEnv

GAMES, PAST_GAMES, GREEDY_GAMES = 64, 16, 8  # at once; of these against past selves and greedy, the others mirrored
HIDDEN = 128  # width of the layers of the network
PAST_KEPT, PAST_EVERY = 20, 20  # past selves, and updates between two of them


@dataclass
class Settings:
    """Those of `zamek train`, except a higher learning rate: there weights come from imitation, here they are new."""

    seed: int
    rollout: int = 64
    batch: int = 1024
    epochs: int = 3
    learning_rate: float = 1e-3
    gae_lambda: float = 0.9
    entropy: float = 0.005


def learn(task: Practice, seed: int, report: Report) -> Policy:
    """Learn by masked PPO: mostly both seats, some games against past selves and `greedy`."""
    torch.set_num_threads(1)  # the same result on every machine, and a core for each seed
    past_selves, settings = PastSelves(PAST_KEPT), Settings(seed)
    opponents: list[tuple[VecOpponent | Agent, int]] = [(past_selves, PAST_GAMES), (GreedyAgent(), GREEDY_GAMES)]
    games = SelfPlayVecEnv(GAMES, opponents, "delta", task.ruleset, observation=task.observation)
    games.games = task.watch(games.games)
    model = make_model(settings, games, {"hidden": HIDDEN})
    past_selves.seed(seed)
    past_selves.draw(model.policy)
    network: Any = model.policy

    def policy(seen: Any, mask: Any, rng: np.random.Generator) -> int:
        """Return the most probable action."""
        return network.predict(seen, action_masks=mask, deterministic=True)[0]

    decisions = task.left - task.left % (GAMES * settings.rollout)  # whole updates only
    model.lr_schedule = lambda left: settings.learning_rate * max(LEAST_RATE, left)
    if decisions:
        model.learn(decisions, [KeepSelves(past_selves, PAST_EVERY, Counters()), Reports(report, policy)])
    games.close()
    return policy
