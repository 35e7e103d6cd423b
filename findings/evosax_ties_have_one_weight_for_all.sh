#!/usr/bin/env bash
# A good guess: among equal returns, of which wins and losses have many, the strategies of evosax that weigh agents by
# rank, such as `CMA_ES` and `SNES`, share out the weights of the places that are tied, or draw lots for them. If all
# agents return the same, on average nothing changes.
#
# What happens: each of them gets the weight of the place in the middle, rounded down. Weights fall steeply from the
# first place, so the sum is another one. Of 16 agents of which 2 win, `CMA_ES` moves the mean by 0.66 of the way to
# them, where their places have 0.55; of which 15 win, by 0.14, where they have 1: the better an agent gets, the less it
# learns. The weights of `SNES`, which add up to 0, add up to less than 0: where 12 of 16 win, the mean moves away from
# them, and where all do, by 0.73 away from where they are on average. Have no ties: return points, or add a little
# noise.
#
# numpy 2.4.6, jax 0.10.2, flax 0.12.8, evosax 0.3.2; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 jax==0.10.2 flax==0.12.8 optax==0.2.8 dotmap==1.3.30 matplotlib==3.10.7 evosax==0.3.2
JAX_PLATFORMS=cpu "$folder/venv/bin/python" -W ignore - <<'PYTHON'
import jax
import jax.numpy as jnp
import numpy as np
from evosax.algorithms import CMA_ES, SNES

AGENTS, WINNERS = 16, (1, 2, 4, 8, 12, 15, 16)


def move(strategy, winners, fitness):
    """Return how far the mean moves from 0 where winners are at 1 and the others at 0."""
    found = strategy(population_size=AGENTS, solution=jnp.zeros(1))
    state = found.init(jax.random.key(0), jnp.zeros(1), found.default_params)
    population = jnp.where(jnp.arange(AGENTS) < winners, 1.0, 0.0)[:, None]
    state, _ = found.tell(jax.random.key(0), population, fitness, state, found.default_params)
    return round(float(state.mean[0]), 2)


for strategy in (CMA_ES, SNES):
    places = jnp.arange(AGENTS, dtype=jnp.float32)  # evosax looks for the least fitness
    apart = [move(strategy, winners, places) for winners in WINNERS]
    tied = [move(strategy, winners, jnp.where(places < winners, -1.0, 1.0)) for winners in WINNERS]
    print(f"{strategy.__name__}: of {AGENTS} agents win {WINNERS}")
    print("  the mean moves, in order:", apart)
    print("  the mean moves, tied:    ", tied)
    assert apart[0] == tied[0] and min(apart) >= 0
    if strategy is CMA_ES:
        assert np.allclose(apart[3:], 1) and tied[1] > 1.15 * apart[1] and tied[-2] < 0.15
    else:
        assert apart[-1] == 0 and tied[1] > apart[1] and tied[4] < 0 and tied[-1] < -0.7
PYTHON
