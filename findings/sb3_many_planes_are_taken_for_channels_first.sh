#!/usr/bin/env bash
# A good guess: Stable-Baselines3 transposes images with their channels last for its CNN, or warns where it cannot
# tell.
#
# What happens: it takes the smallest of the three sizes for the channels. A board of 40 x 40 cells with 60 planes,
# channels last, counts as 40 channels of 40 x 60 pixels: nothing is transposed, nothing is said, and the network
# convolves over columns and planes. With three planes it is transposed. A tie counts as channels first. Transpose
# such boards yourself.
#
# numpy 2.4.6, torch 2.13.0, gymnasium 1.4.0, stable-baselines3 2.9.2; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 torch==2.13.0 gymnasium==1.4.0 stable-baselines3==2.9.2
"$folder/venv/bin/python" - <<'PYTHON'
import warnings

import gymnasium
import numpy as np
from stable_baselines3 import PPO


class Board(gymnasium.Env):
    action_space = gymnasium.spaces.Discrete(2)

    def __init__(self, planes):
        self.observation_space = gymnasium.spaces.Box(0, 255, (40, 40, planes), np.uint8)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        return self.observation_space.sample(), {}

    def step(self, action):
        return self.observation_space.sample(), 0.0, True, False, {}


channels = {}
for planes in (3, 60):
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        model = PPO("CnnPolicy", Board(planes), device="cpu")
    channels[planes] = model.policy.features_extractor.cnn[0].in_channels
print("channels of the first convolution, by planes of a 40 x 40 board:", channels)
assert channels == {3: 3, 60: 40}
PYTHON
