#!/usr/bin/env bash
# A good guess: `EUPG` of MORL-Baselines learns what is best for a utility of the whole game that need not be linear,
# such as the lesser of two goals. By its documentation it scalarizes "the episodic return (accrued + future rewards)".
#
# What happens: the network sees the accrued rewards, and the update scalarizes the future ones alone. Where the first
# move has paid 1 of the first goal, and the second pays 1 of the other or 0.6 of both, the lesser of both sums is 1 or
# 0.6, and of the future rewards it is 0 or 0.6. So `EUPG` learns the second for certain, and a utility of 0.6. Nothing
# is said. For games without a discount let `_forward_cumulative_rewards` of a subclass return the sum of all rewards in
# each row: it learns the other one then.
#
# Beside it, `PQL.train` returns the front of state 0, wherever games start: with a start at 1 it is a single zero. Ask
# `get_local_pcs(state)`, which has it.
#
# numpy 2.4.6, torch 2.13.0, gymnasium 1.4.0, mo-gymnasium 1.3.2, pygame 2.6.1, pymoo 0.6.2, moocore 0.3.2, autograd
# 1.9.1, wandb 0.31.0, morl-baselines 1.3.0; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 torch==2.13.0 gymnasium==1.4.0 mo-gymnasium==1.3.2 pygame==2.6.1 moocore==0.3.2 autograd==1.9.1 \
  wandb==0.31.0
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check --no-deps pymoo==0.6.2 morl-baselines==1.3.0
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import gymnasium as gym
import numpy as np
import torch
from morl_baselines.multi_policy.pareto_q_learning.pql import PQL
from morl_baselines.single_policy.esr.eupg import EUPG

torch.set_num_threads(1)


class Match(gym.Env):
    """Two moves: the first one pays 1 of the first goal, and the second 1 of the other, or 0.6 of both."""

    observation_space = gym.spaces.Box(0, 1, (1,), np.float32)
    action_space = gym.spaces.Discrete(2)
    reward_space = gym.spaces.Box(0, 2, (2,), np.float32)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.moves = 0
        return np.zeros(1, np.float32), {}

    def step(self, action):
        self.moves += 1
        reward = (1, 0) if self.moves == 1 else ((0, 1), (0.6, 0.6))[action]
        observation = np.full(1, self.moves / 2, np.float32)
        return observation, np.array(reward, np.float32), self.moves == 2, False, {}


class Start(gym.Env):
    """A game that starts in state 1, and pays one goal or the other."""

    observation_space = gym.spaces.MultiDiscrete([3])
    action_space = gym.spaces.Discrete(2)
    reward_space = gym.spaces.Box(0, 2, (2,), np.float32)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        return np.array([1]), {}

    def step(self, action):
        return np.array([2]), np.array(((2, 0), (0, 2))[action], np.float32), True, False, {}


class WholeGame(EUPG):
    """Scalarizes the sum of all rewards of a game."""

    def _forward_cumulative_rewards(self, rewards):
        return rewards.sum(0).expand_as(rewards)


def learn(algorithm):
    """Return the chances of both second moves after 3,000 games."""
    torch.manual_seed(0)
    agent = algorithm(
        Match(), lambda rewards, weights=None: torch.as_tensor(rewards).min(-1).values, gamma=1.0,
        learning_rate=0.01, log=False, seed=0, device="cpu",
    )
    agent.train(6000)
    chances = agent.net.distribution(torch.tensor([[0.5]]), torch.tensor([[1.0, 0.0]])).probs
    return chances[0].detach().numpy().round(3)


said, right = learn(EUPG), learn(WholeGame)
print(f"chances of the moves that bring the lesser goal to 1 and 0.6: {said}, by the whole game {right}")
fronts = PQL(Start(), np.zeros(2), log=False, seed=0)
returned, held = fronts.train(200, Start()), fronts.get_local_pcs(1)
print("front returned:", [tuple(map(float, point)) for point in returned], "of the start:", len(held), "points")
assert said[0] < 0.05 and right[0] > 0.9
assert returned == {(0, 0)} and held == {(2, 0), (0, 2)}
PYTHON
