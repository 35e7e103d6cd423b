#!/usr/bin/env bash
# A good guess: `reset(seed=1)` of Tianshou's vector environments seeds the first one with 1 and the next with 2, as
# that of Gymnasium and `seed(1)` of Tianshou do; and of a collector, `gym_reset_kwargs={"seed": 1}` seeds the first
# games.
#
# What happens: all environments get the same seed and play the same deal. `collect` hands it to every reset, also of
# the games that follow: of 12 games of 4 environments all 12 are one deal, so a mean over them has the weight of a
# single game. Nothing is said. Call `seed(1)` of the environments, and leave the seed out.
#
# numpy 2.4.6, torch 2.13.0, gymnasium 1.4.0, tianshou 2.0.1; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 torch==2.13.0 gymnasium==1.4.0 tianshou==2.0.1
(cd "$folder" && "$folder/venv/bin/python" -W ignore) <<'PYTHON'
import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete
from gymnasium.vector import SyncVectorEnv
from tianshou.algorithm.algorithm_base import Policy
from tianshou.data import Batch, Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv


class Deals(gymnasium.Env):
    """Shows the deal, and ends after three steps."""

    observation_space, action_space = Box(0, 1, (1,)), Discrete(2)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.steps, self.deal = 0, self.np_random.random(1, np.float32)
        return self.deal, {}

    def step(self, action):
        self.steps += 1
        return self.deal, 0.0, self.steps == 3, False, {}


class Zero(Policy):
    def forward(self, batch, state=None, **kwargs):
        return Batch(act=np.zeros(len(batch.obs), np.int64))


def collect(**options):
    """Return how many different deals 12 games have."""
    envs, buffer = DummyVectorEnv([Deals] * 4), VectorReplayBuffer(400, 4)
    envs.seed(1)
    policy = Zero(action_space=Deals.action_space, observation_space=Deals.observation_space, action_scaling=False,
                  action_bound_method=None)
    played = Collector(policy, envs, buffer).collect(n_episode=12, reset_before_collect=True, **options)
    assert played.n_collected_episodes == 12
    return len(np.unique(buffer.obs[buffer.sample_indices(0)]))


deals = [len(np.unique(envs.reset(seed=1)[0])) for envs in (SyncVectorEnv([Deals] * 4), DummyVectorEnv([Deals] * 4))]
seeded, handed = collect(), collect(gym_reset_kwargs={"seed": 1})
print("deals of reset(seed=1) of four environments in Gymnasium and Tianshou:", *deals)
print("deals of 12 games after seed(1), and with a seed in gym_reset_kwargs:", seeded, handed)
assert deals == [4, 1] and (seeded, handed) == (12, 1)
PYTHON
