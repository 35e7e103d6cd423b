#!/usr/bin/env bash
# A good guess: PufferLib hands an observation of `Discrete(9)` to the network as a number, and a `Dict` of two of them
# as two; its emulation is there to make flat arrays of any space.
#
# What happens: it stores each of them in 4 bytes and counts them in pieces of 8. An observation of `Discrete` becomes
# an array of no numbers: the network sees nothing, and learns from nothing. Two in a `Dict`, or a `MultiDiscrete` of
# two, become one int64 that holds both, the second times 4,294,967,296. Three raise a ValueError. A `Box` is passed on
# as it is, and with a `Box` of another dtype in the `Dict` all become bytes, which `nativize` reads rightly. Make a
# `Box` of what you observe, by Gymnasium's `FlattenObservation`.
#
# numpy 2.4.6, torch 2.13.0, gymnasium 1.4.0, pufferlib-core 3.0.23; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 torch==2.13.0 gymnasium==1.4.0 pettingzoo==1.26.1 psutil==7.1.3
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check --no-deps pufferlib-core==3.0.23  # asks for an older torch
(cd "$folder" && venv/bin/python -W ignore) <<'PYTHON'
import gymnasium
import numpy as np
from gymnasium.spaces import Box, Dict, Discrete, MultiDiscrete
from gymnasium.wrappers import FlattenObservation
from pufferlib.emulation import GymnasiumPufferEnv


class Shows(gymnasium.Env):
    action_space = Discrete(2)

    def __init__(self, observation_space, observation):
        self.observation_space, self.observation = observation_space, observation

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        return self.observation, {}

    def step(self, action):
        return self.observation, 0.0, False, False, {}


def see(env):
    puffer = GymnasiumPufferEnv(env=env)
    observation, _ = puffer.reset(seed=1)
    assert observation.shape == (1, *puffer.single_observation_space.shape)
    return observation[0].tolist()


cell = Shows(Discrete(9), 4)
seen = {
    "Discrete": see(cell),
    "Dict of two": see(Shows(Dict(cell=Discrete(9), hand=Discrete(4)), {"cell": 4, "hand": 2})),
    "MultiDiscrete": see(Shows(MultiDiscrete([9, 4]), np.array([4, 2]))),
    "Box": see(Shows(Box(0, 9, (2,), np.int64), np.array([4, 2]))),
    "flattened": see(FlattenObservation(cell)),
}
print("what the network sees of a 4, and of a 4 and a 2:", seen)
assert seen["Discrete"] == [] and seen["Dict of two"] == seen["MultiDiscrete"] == [4 + (2 << 32)]
assert seen["Box"] == [4, 2] and seen["flattened"] == [0, 0, 0, 0, 1, 0, 0, 0, 0]
try:
    see(Shows(MultiDiscrete([9, 4, 3]), np.array([4, 2, 1])))
except ValueError as error:
    print("three of them:", type(error).__name__)
else:
    raise AssertionError("three of them are read")
PYTHON
