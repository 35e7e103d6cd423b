#!/usr/bin/env bash
# A good guess: the function that Stable-Baselines3 takes as `learning_rate` is called with the share of training that
# is left, from 1 at the beginning down to 0, so `lambda left: 1e-2 * left` falls to 0.
#
# What happens: it falls below. Steps are played in whole rollouts, and what is left counts those that are more than
# `learn` was asked for: with rollouts of 1024 steps and 1300 in all it is 0.2 in the first update and -0.6 in the
# second, the last one. PyTorch takes the negative rate, and the update climbs the loss: here the chance of the better
# action falls from about a half to 0.1, and nothing is said. A trial of fewer steps than a rollout has unlearns in its
# only update. Where the steps are whole rollouts, the last update has the rate 0. Write `max(left, 0)`;
# `LinearSchedule` does not go below its end. `clip_range` is called with the same number.
#
# numpy 2.4.6, torch 2.13.0, gymnasium 1.4.0, stable-baselines3 2.9.2; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 torch==2.13.0 gymnasium==1.4.0 stable-baselines3==2.9.2
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import gymnasium
import numpy as np
import torch
from stable_baselines3 import PPO

ROLLOUT, RATE = 1024, 1e-2


class OneMove(gymnasium.Env):
    """A game of one decision, whose action 1 wins."""

    observation_space = gymnasium.spaces.Box(0, 1, (1,), np.float32)
    action_space = gymnasium.spaces.Discrete(2)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        return np.ones(1, np.float32), {}

    def step(self, action):
        return np.ones(1, np.float32), float(action), True, False, {}


def learn(steps, scale):
    """Return the last learning rate, what was said to be left, and the learned chance of winning."""
    left = []

    def schedule(share):
        left.append(round(share, 2))
        return RATE * scale(share)

    model = PPO("MlpPolicy", OneMove(), schedule, n_steps=ROLLOUT, batch_size=256, device="cpu", seed=1)
    model.learn(steps)
    chance = model.policy.get_distribution(torch.ones(1, 1)).distribution.probs[0, 1].item()
    return model.policy.optimizer.param_groups[0]["lr"], sorted(set(left), reverse=True), round(chance, 2)


torch.set_num_threads(1)
below, bounded, whole = learn(1300, float), learn(1300, lambda left: max(left, 0.0)), learn(2 * ROLLOUT, float)
print("last rate, what was left, and chance to win after 1300 steps:", below, "not below 0:", bounded, "2048:", whole)
assert below[0] < -0.005 and below[1][-1] == -0.58 and below[2] < 0.3
assert bounded[0] == 0 and bounded[2] > 0.5 and whole[0] == 0 and whole[1][-1] == 0 and whole[2] > 0.5
PYTHON
