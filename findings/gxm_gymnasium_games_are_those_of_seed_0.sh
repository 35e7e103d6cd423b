#!/usr/bin/env bash
# A good guess: `init(key)` of a Gymnasium environment in gxm begins the games of that key: other keys are other games,
# and the same key is the same one again. `step` and `reset` take keys, too. Its README calls the interface explicit
# about randomness.
#
# What happens: all keys are thrown away. `init` seeds the games with 0, 1 and so on, whatever the key, and the next
# games go on from there. So runs with other keys play the same games in the same order: five runs for five seeds are
# one and the same draw of deals, an evaluation with a key of its own is of the games that were trained on, and only the
# agent's own draws differ. Nothing is said. Register an environment whose `reset` adds a number of its own to the seed.
#
# numpy 2.4.6, jax 0.10.2, gymnasium 1.4.0, gxm 0.4.0; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 jax==0.10.2 gymnasium==1.4.0 gxm==0.4.0
JAX_PLATFORMS=cpu "$folder/venv/bin/python" -W ignore - <<'PYTHON'
import gymnasium
import jax
import numpy as np
from gxm.adapters.gymnasium import make


class Deals(gymnasium.Env):
    """A game of one move, which shows the number that was dealt."""

    observation_space, action_space = gymnasium.spaces.Box(0, 1000, (1,), np.int32), gymnasium.spaces.Discrete(2)

    def deal(self):
        return self.np_random.integers(1000, size=1, dtype=np.int32)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        return self.deal(), {}

    def step(self, action):
        return self.deal(), 1.0, True, False, {}


def play(seed):
    """Return the deals that two games show in their first state and in the next four."""
    init_key, step_key = jax.random.split(jax.random.key(seed))
    state, timestep = jax.vmap(env.init)(jax.random.split(init_key, 2))
    deals = [timestep.next_obs]
    for key in jax.random.split(step_key, 4):
        state, timestep = jax.vmap(env.step)(jax.random.split(key, 2), state, np.zeros(2, np.int64))
        deals.append(timestep.next_obs)
    return np.array(deals)[..., 0].T.tolist()


gymnasium.register("Deals-v0", Deals)
env = make("Deals-v0")
played = [play(seed) for seed in (1, 2, 3)]
games = gymnasium.make_vec("Deals-v0", 2)
first = games.reset(seed=0)[0][:, 0].tolist()
print("deals of two games by three keys:", *played, "the first of seed 0:", first)
assert played[0] == played[1] == played[2] and [deals[0] for deals in played[0]] == first
PYTHON
