#!/usr/bin/env bash
# A good guess: `reset()` of an environment wrapped by skrl's `wrap_env` begins new episodes, as that of every
# environment does, so an evaluation in the training's environment begins with `reset()`.
#
# What happens: of a vector environment only the first call resets. Each later one returns the observations of the last
# step, without an error, and the games go on, so the evaluation counts the rest of games that another policy began. A
# single environment is reset each time. The unwrapped one can be reset, but the wrapper then still returns what it saw
# before: make and wrap a new environment for evaluation.
#
# numpy 2.4.6, torch 2.13.0, gymnasium 1.4.0, skrl 2.1.1; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 torch==2.13.0 gymnasium==1.4.0 skrl==2.1.1
(cd "$folder" && "$folder/venv/bin/python" -W ignore) <<'PYTHON'
import logging

import gymnasium
import numpy as np
import torch
from gymnasium.spaces import Box, Discrete
from gymnasium.vector import SyncVectorEnv
from skrl.envs.wrappers.torch import wrap_env

logging.disable()


class Counts(gymnasium.Env):
    """Shows how many steps its episode has had."""

    observation_space, action_space = Box(0, 99, (1,)), Discrete(2)

    def observe(self):
        return np.full(1, self.steps, np.float32)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.steps = 0
        return self.observe(), {}

    def step(self, action):
        self.steps += 1
        return self.observe(), 0.0, False, False, {}


def play(env, games):
    """Return what is seen after a reset, three steps and another reset, and after one more step."""
    envs, actions = wrap_env(env, wrapper="gymnasium", verbose=False), torch.zeros(games, 1, dtype=torch.int64)
    envs.reset()
    for _ in range(3):
        envs.step(actions)
    return envs.reset()[0].ravel().tolist(), envs.step(actions)[0].ravel().tolist()


single, vector = play(Counts(), 1), play(SyncVectorEnv([Counts] * 2), 2)
print("steps of the episode after the second reset and a step later, single:", single, "vector:", vector)
assert single == ([0], [1]) and vector == ([3, 3], [4, 4])
PYTHON
