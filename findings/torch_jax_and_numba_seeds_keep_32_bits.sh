#!/usr/bin/env bash
# A good guess: seeds of 64 bits that differ deal differently, as numpy's `default_rng` does: `torch.manual_seed` and
# `jax.random.key` accept them, PyTorch's `initial_seed()` returns all of it, and a key of JAX has 64 bits.
#
# What happens: PyTorch's CPU generator, JAX without `jax_enable_x64`, and `np.random.seed` in compiled code of numba
# use the lowest 32 bits and drop the rest, without an error; numpy's own `np.random.seed` refuses such numbers. So
# seeds made as `run * 2**32 + worker` repeat the games of the first run in every other. Mix large numbers down first,
# by `np.random.SeedSequence(seed).generate_state(1)[0]`.
#
# numpy 2.4.6, numba 0.68.1, torch 2.13.0, jax 0.10.2 and 0.12.0.1; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 numba==0.68.1 torch==2.13.0 jax==0.10.2
JAX_PLATFORMS=cpu "$folder/venv/bin/python" - <<'PYTHON'
import jax
import numpy as np
import torch
from numba import njit


@njit
def draw_compiled(seed):
    np.random.seed(seed)
    return np.random.randint(0, 1000, 4)


def draw_torch(seed):
    generator = torch.Generator().manual_seed(seed)
    assert generator.initial_seed() == seed
    return torch.randint(1000, (4,), generator=generator)


draws = {
    "torch": draw_torch,
    "jax": lambda seed: jax.random.randint(jax.random.key(seed), (4,), 0, 1000),
    "numba": draw_compiled,
    "numpy": lambda seed: np.random.default_rng(seed).integers(0, 1000, 4),
}
seeds = [1, 2**32 + 1, 2**40 + 1, 2]
games = {name: [draw(seed).tolist() for seed in seeds] for name, draw in draws.items()}
different = {name: len(set(map(tuple, drawn))) for name, drawn in games.items()}
print("different games of the seeds 1, 2**32 + 1, 2**40 + 1 and 2:", different)
assert different == {"torch": 2, "jax": 2, "numba": 2, "numpy": 4}
assert all(games[name][0] == games[name][1] == games[name][2] for name in ("torch", "jax", "numba"))
PYTHON
