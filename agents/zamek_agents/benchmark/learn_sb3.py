"""The learner `sb3-maskable-ppo`: `MaskablePPO` of sb3-contrib with `RowPolicy`."""

from typing import Any

import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback

from zamek_agents.benchmark.learn_dqn import make_policy
from zamek_agents.benchmark.practice import Policy, Practice, Report
from zamek_env.sb3 import RowPolicy

GAMES, ROLLOUT = 32, 128  # games at once, and decisions of each between two updates
RATE = 1e-3  # of learning at first; it falls to 0


def learn(task: Practice, seed: int, report: Report) -> Policy:
    """Learn against `greedy`, rewarded by each change of the difference of points."""
    torch.set_num_threads(1)  # the same result on every machine, and a core for each seed
    games = task.make_vec_env(GAMES, seed, opponent="greedy", reward="delta")
    model = MaskablePPO(
        RowPolicy,
        games,
        n_steps=ROLLOUT,
        batch_size=512,
        n_epochs=4,
        gamma=1.0,
        ent_coef=0.002,
        learning_rate=lambda left: RATE * left,
        seed=seed,
        device="cpu",
    )
    learned: Any = model.policy
    policy = make_policy(learned.network)
    decisions = task.left - task.left % (GAMES * ROLLOUT)  # whole updates only
    if decisions:
        model.learn(decisions, Reports(report, policy))
    games.close()
    return policy


class Reports(BaseCallback):
    """Reports the `policy` before each rollout."""

    def __init__(self, report: Report, policy: Policy) -> None:
        super().__init__()
        self._report, self._policy = report, policy

    def _on_rollout_start(self):
        self._report(self._policy)

    def _on_step(self):
        return True
