#!/usr/bin/env bash
# A good guess: with 32 games at once and an exploration rate of 0.1, DQN of Stable-Baselines3 plays a random action in
# about three of them at each step, drawn for each game by itself.
#
# What happens: `predict` tosses one coin for all of them. At nine steps of ten no game explores, and at the tenth all
# 32 do, as games that were reset together often are in the same phase. QRDQN does the same. The share over many steps
# is right, so no log shows it; but what one step adds to the buffer is all random or all greedy. Learning calls the
# same method. For a coin each, override `predict`, or play one game.
#
# numpy 2.4.6, torch 2.13.0, gymnasium 1.4.0, stable-baselines3 and sb3-contrib 2.9.2; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 torch==2.13.0 gymnasium==1.4.0 stable-baselines3==2.9.2 sb3-contrib==2.9.2
OMP_NUM_THREADS=1 "$folder/venv/bin/python" - <<'PYTHON'
import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete
from sb3_contrib import QRDQN
from stable_baselines3 import DQN
from stable_baselines3.common.env_util import make_vec_env

GAMES, ACTIONS, STEPS = 32, 1000, 100


class Records(gymnasium.Env):
    """A game without end, which keeps the actions that were played."""

    observation_space, action_space = Box(0, 1, (3,), np.float32), Discrete(ACTIONS)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.played = []
        return np.zeros(3, np.float32), {}

    def step(self, action):
        self.played.append(int(action))
        return np.zeros(3, np.float32), 0.0, False, False, {}


def explored(algorithm):
    """Return in how many of the games each step of learning explored."""
    envs = make_vec_env(Records, n_envs=GAMES)
    options = {"exploration_initial_eps": 0.5, "exploration_final_eps": 0.5, "learning_starts": 0, "gradient_steps": 0}
    model = algorithm("MlpPolicy", envs, seed=1, **options)
    best, _ = model.predict(np.zeros((1, 3), np.float32), deterministic=True)
    model.learn(GAMES * STEPS)
    played = np.stack([env.unwrapped.played for env in envs.envs])
    return np.count_nonzero(played != best, axis=0)


for algorithm in (DQN, QRDQN):
    counts = explored(algorithm)
    none, all_games = np.mean(counts == 0), np.mean(counts >= GAMES - 2)
    print(f"{algorithm.__name__}: of {STEPS} steps {none:.0%} explored in no game, {all_games:.0%} in all {GAMES}")
    assert none + all_games == 1 and 0.35 < none < 0.65
PYTHON
