#!/usr/bin/env bash
# A good guess: `DQN` of SBX, Stable-Baselines3 in JAX, takes the settings of Stable-Baselines3's, as it says: layers by
# `policy_kwargs={"net_arch": [32, 16, 8]}`, and a function of the training that is left as `learning_rate`.
#
# What happens: of the list it reads the first number, and makes two layers of that size, whatever else is listed. The
# function is called once, with 1, and the learning rate stays as it is at the beginning: one that falls to 0 goes on
# learning as before. Neither is refused, and the rate is not logged. SBX's PPO and SAC do change theirs. Pass one
# number for the size, and no function.
#
# numpy 2.4.6, torch 2.13.0, jax 0.10.2, gymnasium 1.4.0, stable-baselines3 2.9.2, sbx-rl 0.28.0; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 torch==2.13.0 jax==0.10.2 flax==0.12.8 optax==0.2.8 gymnasium==1.4.0 stable-baselines3==2.9.2 \
  tfp-nightly==0.26.0.dev20261027 sbx-rl==0.28.0
JAX_PLATFORMS=cpu OMP_NUM_THREADS=1 "$folder/venv/bin/python" -W ignore - <<'PYTHON'
import gymnasium
import numpy as np
import sbx
import stable_baselines3
from gymnasium.spaces import Box, Discrete
from jax.flatten_util import ravel_pytree
from torch.nn.utils import parameters_to_vector

STEPS = 400


class Game(gymnasium.Env):
    """A game without end, with rewards at random."""

    observation_space, action_space = Box(0, 1, (3,), np.float32), Discrete(4)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        return np.ones(3, np.float32), {}

    def step(self, action):
        return np.ones(3, np.float32), float(self.np_random.normal()), False, False, {}


def train(library):
    """Return the sizes of the hidden layers, and how far all weights move while the learning rate should be 0."""
    model = library.DQN(
        "MlpPolicy",
        Game(),
        learning_rate=lambda left: 0.01 if left > 0.5 else 0.0,
        policy_kwargs={"net_arch": [32, 16, 8]},
        learning_starts=10,
        buffer_size=1000,
        train_freq=1,
        seed=1,
    )
    kept = []

    def read():
        if library is sbx:
            return np.asarray(ravel_pytree(model.policy.qf_state.params)[0])
        return parameters_to_vector(model.q_net.parameters()).detach().numpy().copy()

    def keep(local_variables, global_variables):
        if model.num_timesteps in (1, STEPS * 3 // 4):
            kept.append(read())
        return True

    model.learn(STEPS, callback=keep)
    if library is sbx:
        layers = [layer["bias"].size for layer in model.policy.qf_state.params["params"].values()]
    else:
        layers = [layer.out_features for layer in model.q_net.q_net if hasattr(layer, "out_features")]
    first, later = kept
    return layers[:-1], [round(float(np.abs(new - old).max()), 4) for old, new in ((first, later), (later, read()))]


for library in (stable_baselines3, sbx):
    layers, (before, after) = train(library)
    print(f"{library.__name__}: hidden layers {layers}, weights move by {before}, and at a rate of 0 by {after}")
    assert before > 0.1
    assert (layers, after) == ([32, 16, 8], 0) if library is stable_baselines3 else layers == [32, 32] and after > 0.01
PYTHON
