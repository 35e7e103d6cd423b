#!/usr/bin/env bash
# A good guess: `RescaleObservation(env, 0.0, 1.0)` makes floats between 0 and 1 of pictures or planes of uint8.
#
# What happens: it keeps the dtype. The space becomes `Box(0, 1, uint8)`, each value is cut to a whole number, and all
# of them are 0, the 255 too. Nothing is raised or said, whatever dtype the bounds have, and the wrapper of vector
# environments does the same. Put `DtypeObservation(env, np.float32)` below it.
#
# numpy 2.4.6, gymnasium 1.4.0; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 gymnasium==1.4.0
"$folder/venv/bin/python" - <<'PYTHON'
import warnings

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete
from gymnasium.vector import SyncVectorEnv
from gymnasium.wrappers import DtypeObservation, RescaleObservation
from gymnasium.wrappers.vector import RescaleObservation as RescaleObservations


class Picture(gymnasium.Env):
    observation_space, action_space = Box(0, 255, (4,), np.uint8), Discrete(2)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        return np.array([0, 64, 200, 255], np.uint8), {}

    def step(self, action):
        return np.array([0, 64, 200, 255], np.uint8), 0.0, False, False, {}


least, most = np.zeros(4, np.float32), np.ones(4, np.float32)
with warnings.catch_warnings():
    warnings.simplefilter("error")
    rescaled = RescaleObservation(Picture(), least, most)
    many = RescaleObservations(SyncVectorEnv([Picture]), 0.0, 1.0)
    seen = rescaled.reset()[0].tolist(), many.reset()[0].tolist()
floats = RescaleObservation(DtypeObservation(Picture(), np.float32), least, most).reset()[0]
print("0, 64, 200, 255 rescaled:", seen[0], "in a vector environment:", seen[1], "made floats first:", floats.round(2))
assert rescaled.observation_space == Box(0, 1, (4,), np.uint8)
assert seen == ([0] * 4, [[0] * 4]) and np.allclose(floats, [0, 64 / 255, 200 / 255, 1])
PYTHON
