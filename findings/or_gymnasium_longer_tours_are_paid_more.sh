#!/usr/bin/env bash
# A good guess: `TSP-v1` of or-gymnasium charges the way to each node, so that the shortest tour through all nodes has
# the greatest return. "The goal is to minimize the cost."
#
# What happens: the reward of a step is its length, with a plus sign. Whoever goes to the farthest node each time earns
# about 38, and whoever goes to the nearest about 6.5. Nothing is said. Other environments of the package charge costs
# as losses, `TSP-v0` among them.
#
# Beside it, `gym.make("TSP-v1", N=5, mask=True)` takes these settings, and any other, and has 50 nodes and no mask.
# The map, and the items of the knapsacks, are drawn when the environment is made, without the seed: two environments
# that are reset with one seed play different games. `check_env` finds nothing.
#
# numpy 2.4.6, gymnasium 1.4.0, or-gymnasium 0.1.0; December 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 gymnasium==1.4.0 or-gymnasium==0.1.0
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import gymnasium
import numpy as np
import or_gymnasium  # noqa: F401
from gymnasium.utils.env_checker import check_env

check_env(gymnasium.make("TSP-v1").unwrapped, skip_render_check=True)


def make(**settings):
    """Return the environment after a reset with seed 0."""
    env = gymnasium.make("TSP-v1", **settings)
    env.reset(seed=0)
    return env


def play(choose, env):
    """Return the rewards of a tour that goes on to the nearest or the farthest node, and its length."""
    inner, rewards, length, ended = env.unwrapped, 0.0, 0.0, False
    while not ended:
        ways = inner.distance_matrix[inner.current_node]
        node = choose((node for node in range(inner.N) if not inner.visit_log[node]), key=lambda node: ways[node])
        length += ways[node]
        _, reward, ended, _, _ = env.step(node)
        rewards += reward
    return round(float(rewards), 1), round(float(length), 1)


env = make()
near = play(min, env)
env.reset(seed=0)
far = play(max, env)
small = make(N=5, mask=True)
same = np.array_equal(make().unwrapped.coords, make().unwrapped.coords)
print(f"return and length by nearest nodes {near}, by farthest {far};", end=" ")
print(f"nodes and mask of N=5, mask=True: {small.unwrapped.N}, {small.unwrapped.mask}; same map of one seed: {same}")
assert near[0] == near[1] < far[0] == far[1] and (small.unwrapped.N, small.unwrapped.mask) == (50, False) and not same
PYTHON
