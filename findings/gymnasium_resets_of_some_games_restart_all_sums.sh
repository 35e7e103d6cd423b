#!/usr/bin/env bash
# A good guess: with `AutoresetMode.DISABLED`, `reset(options={"reset_mask": ended})` of Gymnasium's vector environments
# begins new games where the mask says so, and leaves all others as they are. `RecordEpisodeStatistics` has code for
# that mask.
#
# What happens: the vector environment takes the mask out of the dictionary that it is handed, so the wrapper around it
# sees none, and takes the call for a reset of all games. It sets the sums and lengths of games that go on to zero. A
# game of seven steps beside one of two, which is reset each time it is over, is said to have 1 or 2 steps and as many
# points. `NormalizeReward` for vector environments restarts its sums as well. And who keeps the dictionary of options
# to pass it again resets all games the second time, as it is empty then. Nothing is said. Sum up the rewards yourself,
# and make a new dictionary for each call.
#
# numpy 2.4.6, gymnasium 1.4.0; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check numpy==2.4.6 gymnasium==1.4.0
"$folder/venv/bin/python" - <<'PYTHON'
import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers.vector import RecordEpisodeStatistics

LENGTHS, STEPS = (2, 7), 21


class Clock(gymnasium.Env):
    """A game that pays 1 for each of so many steps."""

    observation_space, action_space = gymnasium.spaces.Discrete(10), gymnasium.spaces.Discrete(2)

    def __init__(self, length):
        self.length = length

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.steps = 0
        return 0, {}

    def step(self, action):
        self.steps += 1
        return self.steps, 1.0, self.steps == self.length, False, {}


makers = [lambda length=length: Clock(length) for length in LENGTHS]
envs = RecordEpisodeStatistics(SyncVectorEnv(makers, autoreset_mode=AutoresetMode.DISABLED))
envs.reset(seed=0)
said = [[], []]
for _ in range(STEPS):
    *_, ended, _, infos = envs.step(np.zeros(2, int))
    for game in np.flatnonzero(ended):
        said[game].append((int(infos["episode"]["l"][game]), float(infos["episode"]["r"][game])))
    if ended.any():
        envs.reset(options={"reset_mask": ended})
print(f"lengths and sums of games of {LENGTHS[0]} steps", said[0], f"and of {LENGTHS[1]} steps", said[1])

envs = SyncVectorEnv(makers, autoreset_mode=AutoresetMode.DISABLED)
envs.reset(seed=0)
envs.step(np.zeros(2, int))
options, after = {"reset_mask": np.array([True, False])}, []
for _ in range(2):
    observations, _ = envs.reset(options=options)
    after.append(observations.tolist())
print("steps of both games after the first is reset once and twice by the same options:", after, "options", options)
assert len(said[1]) == STEPS // LENGTHS[1] and all(length <= 2 for length, _ in said[1])
assert after == [[0, 1], [0, 0]] and options == {}
PYTHON
