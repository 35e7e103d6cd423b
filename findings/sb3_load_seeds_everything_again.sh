#!/usr/bin/env bash
# A good guess: `PPO.load` reads a model and leaves random generators alone. Learning that goes on with it plays new
# games, and an opponent loaded in between does not disturb the learner.
#
# What happens: a model that was made with a seed seeds Python's, numpy's and PyTorch's global generators with it at
# each load, and the environment that is handed over. So learning goes on with the games that it began with, and who
# loads an opponent before each game draws the same numbers in each. `load(..., seed=None)` leaves them alone, and so
# does `set_parameters`.
#
# numpy 2.4.6, torch 2.13.0, gymnasium 1.4.0, stable-baselines3 2.9.2; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 torch==2.13.0 gymnasium==1.4.0 stable-baselines3==2.9.2
(cd "$folder" && "$folder/venv/bin/python") <<'PYTHON'
import random

import gymnasium
import numpy as np
import torch
from stable_baselines3 import PPO


class Deals(gymnasium.Env):
    """Ends at once, and notes what was dealt."""

    observation_space, action_space = gymnasium.spaces.Box(0, 1, (1,)), gymnasium.spaces.Discrete(2)

    def __init__(self):
        self.dealt = []

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.dealt.append(int(self.np_random.integers(1000)))
        return np.zeros(1, np.float32), {}

    def step(self, action):
        return np.zeros(1, np.float32), 0.0, True, False, {}


def learn_on(**settings):
    """Return what is dealt first when a loaded model learns, and what the global generators draw after loading."""
    env = Deals()
    model = PPO.load("model", env, device="cpu", **settings)
    drawn = random.random(), np.random.random(), torch.rand(1).item()
    model.learn(8, reset_num_timesteps=False)
    return env.dealt[:4], drawn


env = Deals()
model = PPO("MlpPolicy", env, n_steps=8, batch_size=8, seed=7, device="cpu")
model.learn(8)
model.save("model")
first, loaded, again, unseeded = env.dealt[:4], learn_on(), learn_on(), learn_on(seed=None)
print("dealt at first:", first, "after loading:", loaded[0], again[0], "with seed=None:", unseeded[0])
assert first == loaded[0] == again[0] != unseeded[0]
assert loaded[1] == again[1] and not set(again[1]) & set(unseeded[1])
torch.manual_seed(1)
model.set_parameters("model", device="cpu")
assert torch.rand(1).item() == torch.rand(1, generator=torch.Generator().manual_seed(1)).item()
PYTHON
