"""The learner `sb3-maskable-ppo`: `MaskablePPO` of sb3-contrib as it is, an MLP on flat observations."""

from typing import Any

import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.torch_layers import FlattenExtractor

from zamek_agents.benchmark.learners import Report
from zamek_agents.benchmark.players import Policy
from zamek_agents.benchmark.practice import Practice
from zamek_env.flat import flatten

GAMES, ROLLOUT = 32, 128  # games at once, and decisions of each between two updates


class Squash(FlattenExtractor):
    """Most entries of an observation are 0 or 1, and some go up to 60: this brings them together."""

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        return super().forward(observations).log1p()


def learn(task: Practice, seed: int, report: Report) -> Policy:
    """Learn against `greedy`, rewarded by each change of the difference of points."""
    torch.set_num_threads(1)  # the same result on every machine, and a core for each seed
    games = task.make_vec_env(GAMES, seed, opponent="greedy", reward="delta", flat=True)
    model = MaskablePPO(
        "MlpPolicy",
        games,
        n_steps=ROLLOUT,
        batch_size=512,
        n_epochs=4,
        gamma=1.0,
        ent_coef=0.002,
        learning_rate=1e-3,
        policy_kwargs={"net_arch": [128, 128], "features_extractor_class": Squash},
        seed=seed,
        device="cpu",
    )

    def policy(seen: Any, mask: Any, rng: Any) -> int:
        return model.predict(flatten(seen), action_masks=mask, deterministic=True)[0]

    decisions = task.left - task.left % (GAMES * ROLLOUT)  # whole updates only
    if decisions:
        model.learn(decisions, _Reports(report, policy))
    games.close()
    return policy


class _Reports(BaseCallback):
    """Reports before each rollout."""

    def __init__(self, report, policy):
        super().__init__()
        self._report, self._policy = report, policy

    def _on_rollout_start(self):
        self._report(self._policy)

    def _on_step(self):
        return True
