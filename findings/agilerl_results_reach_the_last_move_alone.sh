#!/usr/bin/env bash
# A good guess: `PPO` of AgileRL gives all decisions of a game its result, with `gamma` and `gae_lambda` of 1: what is
# collected by `collect_rollouts` has the return 1 at each decision of a game that is won at its end.
#
# What happens: the buffer stores for each step whether the game ended by it, and the advantages are computed as if it
# had stored whether the game ended before it. So they are cut one step early. The last decision of a game runs on into
# the next one, and the decision before it is cut off from the end: where only the result counts, the last decision
# alone learns of it, and all others have 0. Of rewards of 1, 2, 4 and 8 the returns are 7, 6, 4 and 15, where 15, 14,
# 12 and 8 are right. The last game of what was collected ends rightly, but its last decision stands alone too. With
# `use_gae=False`, which `rollout_buffer_config` hands to the buffer, returns are right, and advantages are these less
# the values.
#
# numpy 2.4.6, torch 2.13.0, gymnasium 1.4.0, tensordict 0.13.0, agilerl 2.58.0; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 torch==2.13.0 gymnasium==1.4.0 accelerate==1.14.0 pydantic==2.14.4 dill==0.4.1 lazy-loader==0.6 \
  tensordict==0.13.0
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check --no-deps \
  agilerl==2.58.0 agilerl-arena==1.29.0
(cd "$folder" && "$folder/venv/bin/python" -W ignore) 2>"$folder/log" <<'PYTHON' || { cat "$folder/log"; exit 1; }
import sys
from types import ModuleType, SimpleNamespace

import agilerl
import gymnasium
import numpy as np
import torch
from gymnasium.spaces import Box, Discrete
from gymnasium.vector import AutoresetMode, SyncVectorEnv

# `agilerl.algorithms` needs many packages, and what is tested needs only the name of the class.
sys.modules["agilerl.algorithms"] = ModuleType("agilerl.algorithms")
sys.modules["agilerl.algorithms"].PPO = object

from agilerl.components.rollout_buffer import RolloutBuffer
from agilerl.rollouts.on_policy import collect_rollouts

SPACES = Box(0, 9, (1,), np.float32), Discrete(2)
STEPS = 8


class Game(gymnasium.Env):
    """Pays these rewards, one for each decision, and ends."""

    observation_space, action_space = SPACES

    def __init__(self, rewards):
        self.payments = rewards

    def reset(self, *, seed=None, options=None):
        self.step_number = 0
        return np.zeros(1, np.float32), {}

    def step(self, action):
        self.step_number += 1
        ends = self.step_number == len(self.payments)
        return np.full(1, self.step_number, np.float32), self.payments[self.step_number - 1], ends, False, {}


def collect(rewards, **options):
    """Return the returns of the steps of games played one after the other, where all values are 0."""
    envs = SyncVectorEnv([lambda: Game(rewards)], autoreset_mode=AutoresetMode.SAME_STEP)
    buffer = RolloutBuffer(STEPS, *SPACES, gamma=1.0, gae_lambda=1.0, **options)
    zeros = np.zeros(1, np.float32)
    agent = SimpleNamespace(
        num_envs=1,
        learn_step=STEPS,
        rollout_buffer=buffer,
        hidden_state=None,
        scores=[],
        action_space=SPACES[1],
        policy=None,
        registry=SimpleNamespace(policy=lambda: "policy"),
        preprocess_observation=torch.as_tensor,
        get_action=lambda obs, action_mask=None: (np.zeros(1, np.int64), zeros, zeros, zeros),
        _get_action_and_values=lambda obs: (None, None, None, torch.zeros(1), None),
    )
    scores = collect_rollouts(agent, envs)[0]
    assert scores == [sum(rewards)] * (STEPS // len(rewards))
    return buffer.buffer["returns"].flatten().tolist()


result, points = collect([0, 0, 0, 1]), collect([1, 2, 4, 8])
print("returns of two games of four decisions with a result of 1:", result, "with 1, 2, 4 and 8 points:", points)
assert result == [0, 0, 0, 1, 0, 0, 0, 1]
assert points == [7, 6, 4, 15, 7, 6, 4, 8]
by_sums = collect([0, 0, 0, 1], use_gae=False), collect([1, 2, 4, 8], use_gae=False)
print("without GAE:", *by_sums)
assert by_sums == ([1] * 8, [15, 14, 12, 8] * 2)
PYTHON
