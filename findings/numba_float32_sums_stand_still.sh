#!/usr/bin/env bash
# A good guess: `sum` and `mean` of a float32 array differ from numpy's in the last digits when they are compiled.
#
# What happens: numpy adds in pairs, compiled code one after another in float32, and a sum of ones stands still at
# 2**24 = 16,777,216. The mean of 20 million ones is 0.84, and their variance not 0. Rewards of a long run, or planes
# of a large dataset, have too small a mean, without a warning. Sum with `np.float64(0)` to begin with, or call numpy's
# own `mean` outside of compiled code.
#
# numpy 2.4.6, numba 0.68.1; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 numba==0.68.1
"$folder/venv/bin/python" - <<'PYTHON'
import numpy as np
from numba import njit


@njit
def measure(rewards):
    return rewards.sum(), np.mean(rewards), np.var(rewards)


@njit
def average_wide(rewards):
    total = np.float64(0)
    for reward in rewards:
        total += reward
    return total / rewards.size


rewards = np.ones(20_000_000, np.float32)
compiled, plain = ([round(float(value), 2) for value in how(rewards)] for how in (measure, measure.py_func))
print("sum, mean and variance of 20 million ones, compiled:", compiled, "in numpy:", plain)
assert compiled == [2**24, 0.84, 0.03] and plain == [20_000_000, 1, 0]
assert average_wide(rewards) == 1
PYTHON
