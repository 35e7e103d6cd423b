#!/usr/bin/env bash
# A good guess: Stable-Baselines3 plays the actions of `Discrete(3, start=1)`, which are 1, 2 and 3, or refuses the
# space, as it refuses spaces that it does not know.
#
# What happens: PPO, A2C, MaskablePPO and RecurrentPPO play 0, 1 and 2, in training and in `predict`: an action that
# does not exist, and the last one never; and each other one means to the game another action than the policy chose by
# its mask. `MultiDiscrete` with `start` is played from 0 as well. Only `check_env` warns. DQN and QRDQN, which at first
# draw from the space, raise a RuntimeError as they learn, and observations of such a space one at once. Subtract
# `start` in a wrapper.
#
# numpy 2.4.6, torch 2.13.0, gymnasium 1.4.0, stable-baselines3 and sb3-contrib 2.9.2; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 torch==2.13.0 gymnasium==1.4.0 stable-baselines3==2.9.2 sb3-contrib==2.9.2
"$folder/venv/bin/python" -W error::UserWarning - <<'PYTHON'
import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete, MultiDiscrete
from sb3_contrib import MaskablePPO, RecurrentPPO
from stable_baselines3 import A2C, PPO
from stable_baselines3.common.vec_env import DummyVecEnv


class Moves(gymnasium.Env):
    observation_space = Box(0, 1, (2,), np.float32)

    def __init__(self, action_space):
        self.action_space, self.played = action_space, []

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        return np.zeros(2, np.float32), {}

    def step(self, action):
        self.played.append(np.asarray(action).tolist())
        return np.zeros(2, np.float32), 0.0, len(self.played) % 5 == 0, False, {}

    def action_masks(self):
        return np.ones(3, bool)


def play(algorithm, action_space, policy="MlpPolicy"):
    env = Moves(action_space)
    model = algorithm(policy, DummyVecEnv([lambda: env]), n_steps=64, seed=1, device="cpu").learn(192)
    state = np.zeros((1, 2), np.float32)
    return env.played, {int(np.ravel(model.predict(state)[0])[0]) for _ in range(64)}


space = Discrete(3, start=1)
for algorithm, policy in (PPO, "MlpPolicy"), (A2C, "MlpPolicy"), (MaskablePPO, "MlpPolicy"), (
    RecurrentPPO, "MlpLstmPolicy"
):
    played, predicted = play(algorithm, space, policy)
    print(algorithm.__name__, "plays of", space, sorted(set(played)), "and predicts", sorted(predicted))
    assert set(played) == predicted == {0, 1, 2}
    assert not space.contains(np.int64(0)) and space.contains(np.int64(3))
played, _ = play(PPO, MultiDiscrete([3, 2], start=[1, 1]))
assert {first for first, _ in played} == {0, 1, 2} and {second for _, second in played} == {0, 1}
PYTHON
