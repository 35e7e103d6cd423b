#!/usr/bin/env bash
# A good guess: `2 ** -age` halves a weight with each game that a sample is old, or is refused where all are whole
# numbers: numpy says `Integers to negative integer powers are not allowed`, PyTorch and JAX refuse `ages ** -1` too,
# and Python returns a float.
#
# What happens: where the exponents are an array of whole numbers, PyTorch and JAX return whole numbers, and compiled by
# numba so do plain numbers: 1 for age 0, and 0 for every other. Nothing is raised or said, so only the newest games are
# drawn from a buffer, and a kernel that is right in plain Python (NUMBA_DISABLE_JIT=1) is wrong when compiled. Write
# `2.0 ** -age`.
#
# numpy 2.4.6, numba 0.68.1, torch 2.13.0, jax 0.10.2 and 0.12.0.1; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 numba==0.68.1 torch==2.13.0 jax==0.10.2
JAX_PLATFORMS=cpu "$folder/venv/bin/python" - <<'PYTHON'
import jax.numpy as jnp
import numpy as np
import torch
from numba import njit


@njit
def halve(age):
    return 2**-age


@njit
def halve_as_floats(age):
    return 2.0**-age


AGES = [0, 1, 2, 3]
seen = {
    "numba": [halve(age) for age in AGES],
    "torch": (2 ** -torch.tensor(AGES)).tolist(),
    "jax": (2 ** -jnp.array(AGES)).tolist(),
    "plain": [halve.py_func(age) for age in AGES],
}
print("2 ** -age:", seen)
assert seen["numba"] == seen["torch"] == seen["jax"] == [1, 0, 0, 0]
assert seen["plain"] == [halve_as_floats(age) for age in AGES] == (2.0 ** -torch.tensor(AGES)).tolist()
refused = 0
for power in (lambda: 2 ** -np.array(AGES), lambda: torch.tensor(AGES) ** -1, lambda: jnp.array(AGES) ** -1):
    try:
        power()
    except (ValueError, RuntimeError, TypeError):
        refused += 1
assert refused == 3
PYTHON
