#!/usr/bin/env bash
# A good guess: `VectorExperienceSourceFirstLast` of PTAN yields for vector environments what
# `ExperienceSourceFirstLast` yields for single ones: the sum of `steps_count` rewards, and the state after as many
# steps. So a loss multiplies the value of that state by gamma ** steps_count.
#
# What happens: the vector source goes one step further. With `steps_count=1`, which is the default, it sums two rewards
# and yields the state after two steps, with 2 three, and so on. A loss that knows of one step discounts the value of
# that state once and not twice. The last two decisions of a game, not one, have no state after them. Nothing is said.
# Use gamma ** (steps_count + 1) there.
#
# numpy 1.26.4, gymnasium 0.29.1, torch 2.13.0, pytorch-ignite 0.5.1, stable-baselines3 2.3.2, ptan 0.8.1; November
# 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==1.26.4 gymnasium==0.29.1 torch==2.13.0 pytorch-ignite==0.5.1 stable-baselines3==2.3.2
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check --no-deps ptan==0.8.1
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
from itertools import islice

import gymnasium
import numpy as np
from ptan.agent import BaseAgent
from ptan.experience import ExperienceSourceFirstLast, VectorExperienceSourceFirstLast

DECISIONS, GAMMA = 5, 0.5


class CountingEnv(gymnasium.Env):
    """A game of five decisions. The observation counts them, and each pays 1."""

    observation_space = gymnasium.spaces.Box(0, DECISIONS, (1,))
    action_space = gymnasium.spaces.Discrete(1)

    def reset(self, seed=None, options=None):
        self.count = 0
        return np.zeros(1, np.float32), {}

    def step(self, action):
        self.count += 1
        return np.full(1, self.count, np.float32), 1.0, self.count == DECISIONS, False, {}


class Agent(BaseAgent):
    def __call__(self, states, agent_states):
        return np.zeros(len(states), np.int64), agent_states


def collect(source):
    """Return the sum of rewards and the count of the last state for each decision of a game."""
    return [
        (float(step.reward), step.last_state if step.last_state is None else int(step.last_state[0]))
        for step in islice(source, DECISIONS)
    ]


single, vector = {}, {}
for steps in (1, 2):
    single[steps] = collect(ExperienceSourceFirstLast(CountingEnv(), Agent(), gamma=GAMMA, steps_count=steps))
    envs = gymnasium.vector.SyncVectorEnv([CountingEnv])
    vector[steps] = collect(VectorExperienceSourceFirstLast(envs, Agent(), gamma=GAMMA, steps_count=steps))
    print(f"steps_count={steps}: sum and last state, single:", *single[steps])
    print(f"steps_count={steps}: sum and last state, vector:", *vector[steps])
assert single[1] == [(1.0, 1), (1.0, 2), (1.0, 3), (1.0, 4), (1.0, None)] and vector[1] == single[2]
assert vector[2][0] == (1.75, 3)
PYTHON
