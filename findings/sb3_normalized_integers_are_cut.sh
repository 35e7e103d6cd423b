#!/usr/bin/env bash
# A good guess: PPO over `VecNormalize` learns from the normalised observations that it acted on, floats around 0,
# whatever dtype the environment has.
#
# What happens: `VecNormalize` returns floats but keeps the dtype of the space, and the rollout buffer takes that dtype.
# The policy acts on -0.52 and -1.35 and learns from 0 and -1, by ratios of the probabilities of two different
# observations. Nothing is said. It is so for A2C, MaskablePPO and RecurrentPPO, and for the parts of a `Dict`. DQN,
# which normalises what it draws from its buffer, is right, and so are uint8 pictures from 0 to 255, whose space is
# replaced. Put `DtypeObservation(env, np.float32)` below `VecNormalize`, or name parts of floats by `norm_obs_keys`.
#
# numpy 2.4.6, torch 2.13.0, gymnasium 1.4.0, stable-baselines3 and sb3-contrib 2.9.2; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 torch==2.13.0 gymnasium==1.4.0 stable-baselines3==2.9.2 sb3-contrib==2.9.2
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import gymnasium
import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from gymnasium.wrappers import DtypeObservation
from sb3_contrib import MaskablePPO
from stable_baselines3 import DQN, PPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import DummyVecEnv, VecNormalize


class Cells(gymnasium.Env):
    observation_space, action_space = Box(0, 99, (4,), np.int16), Discrete(3)

    def observe(self):
        return self.np_random.integers(0, 20, 4).astype(np.int16)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        return self.observe(), {}

    def step(self, action):
        return self.observe(), 0.0, False, False, {}

    def action_masks(self):
        return np.ones(3, bool)


class NamedCells(Cells):
    observation_space = Dict(cells=Cells.observation_space)

    def observe(self):
        return {"cells": super().observe()}


class Acts(BaseCallback):
    """Notes the observations that the policy acts on."""

    def _on_training_start(self):
        self.seen = []

    def _on_step(self):
        seen = self.locals["obs_tensor"]
        self.seen.append((seen["cells"] if isinstance(seen, dict) else seen).numpy().copy())
        return True


def see(algorithm, make, policy="MlpPolicy"):
    """Return the observations that the policy acted on, and those in the buffer that it learns from."""
    model = algorithm(policy, VecNormalize(DummyVecEnv([make])), n_steps=16, seed=1, device="cpu")
    acts = Acts()
    model.learn(16, callback=acts)
    kept = model.rollout_buffer.observations
    return np.concatenate(acts.seen), kept["cells"] if isinstance(kept, dict) else kept


acted, learned = see(PPO, Cells)
print("the policy acted on", acted[-1].astype(float).round(2).tolist(), "and learns from", learned[-1].tolist())
for acted, learned in (acted, learned), see(MaskablePPO, Cells), see(PPO, NamedCells, "MultiInputPolicy"):
    assert acted.dtype == np.float32 and learned.dtype == np.int16
    assert (learned == np.trunc(acted)).all() and np.abs(acted - learned).max() > 0.5
acted, learned = see(PPO, lambda: DtypeObservation(Cells(), np.float32))
assert (acted == learned).all() and learned.dtype == np.float32
model = DQN("MlpPolicy", VecNormalize(DummyVecEnv([Cells])), learning_starts=8, device="cpu").learn(16)
drawn = model.replay_buffer.sample(32, env=model.get_vec_normalize_env()).observations.numpy()
assert (drawn != np.trunc(drawn)).mean() > 0.5
PYTHON
