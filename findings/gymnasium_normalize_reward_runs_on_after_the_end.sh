#!/usr/bin/env bash
# A good guess: the vector wrapper NormalizeReward sums discounted rewards within each episode, and begins anew with
# the next one, whichever autoreset mode is used and however the episode ended.
#
# What happens: under NEXT_STEP, the default, a truncated episode's sum goes on into the next episode, and the one
# after, without end. At a termination only the last reward is kept, and it counts into the next episode. So the
# scale depends on the autoreset mode: SAME_STEP begins anew. Use SAME_STEP with this wrapper.
#
# numpy 2.4.6, gymnasium 1.4.0; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 gymnasium==1.4.0
"$folder/venv/bin/python" - <<'PYTHON'
import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers.vector import NormalizeReward


class Pays(gymnasium.Env):
    """Pays 1 in each of its four steps."""

    observation_space, action_space = Box(0, 1, (1,)), Discrete(2)

    def __init__(self, truncates):
        self.truncates = truncates

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.left = 4
        return np.zeros(1, np.float32), {}

    def step(self, action):
        self.left -= 1
        ends = self.left == 0
        return np.zeros(1, np.float32), 1.0, ends and not self.truncates, ends and self.truncates, {}


largest = {}
for mode in (AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP):
    games = SyncVectorEnv([lambda: Pays(False), lambda: Pays(True)], autoreset_mode=mode)
    envs, sums = NormalizeReward(games, gamma=1.0), []
    envs.reset(seed=1)
    for _ in range(24):
        envs.step(np.zeros(2, np.int64))
        sums.append(envs.accumulated_reward.tolist())
    largest[mode.name] = np.max(sums, axis=0).tolist()
print("the largest sum of episodes that pay 4, terminated and truncated:", largest)
assert largest == {"NEXT_STEP": [4.0, 20.0], "SAME_STEP": [3.0, 3.0]}
PYTHON
