#!/usr/bin/env bash
# A good guess: `GymnaxToGymWrapper` keeps to Gymnasium's API: the step that ends a game returns its last observation,
# and `reset` begins the next game.
#
# What happens: that step returns the first observation of another game, which `reset` then throws away for a third. So
# the value of the last position, which counts after a truncation, is that of a fresh game, and records of games end
# with a position that was never reached. The last one is in `info["final_observation"]`, where programs for a single
# environment do not look. The flags and the reward are right. Put it back in a wrapper.
#
# numpy 2.4.6, jax 0.10.2, gymnasium 1.3.0, gymnax 1.0.1; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 jax==0.10.2 jaxlib==0.10.2 gymnasium==1.3.0 gymnax==1.0.1 six==1.17.0
JAX_PLATFORMS=cpu "$folder/venv/bin/python" -W ignore - <<'PYTHON'
import gymnax
import numpy as np
from gymnax.wrappers.gym import GymnaxToGymWrapper

env = GymnaxToGymWrapper(*gymnax.make("CartPole-v1"))
for length in (None, 5):
    if length:
        env.env_params = env.env_params.replace(max_steps_in_episode=length)
    env.reset(seed=1)
    terminated = truncated = False
    before = None
    while not (terminated or truncated):
        returned, reward, terminated, truncated, info = env.step(0)
        last = np.asarray(info["final_observation"])
        if not (terminated or truncated):
            before = np.asarray(returned)
            assert (before == last).all()
    returned = np.asarray(returned)
    again = np.asarray(env.reset()[0])
    flags = "terminated" if terminated else "truncated"
    print(flags, "at a velocity of", round(float(last[1]), 2), "- returned:", round(float(returned[1]), 2))
    assert bool(terminated) == (length is None) and bool(truncated) == (length is not None) and reward == 1
    assert abs(last[1]) > 0.8 and np.isclose(last[0], before[0] + 0.02 * before[1], atol=1e-5)
    assert (abs(returned) <= 0.05).all() and (abs(again) <= 0.05).all() and not (returned == again).all()
PYTHON
