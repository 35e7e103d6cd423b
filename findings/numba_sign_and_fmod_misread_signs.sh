#!/usr/bin/env bash
# A good guess: `np.sign` of an unsigned number is 0 or 1, and `np.fmod` keeps the sign of its first argument,
# compiled or not.
#
# What happens: compiled, `np.sign` reads unsigned numbers as signed: 128 and more, as uint8, give -1, stored as 255
# (uint16 and wider alike from half of their range on). `np.fmod` reads signed integers as unsigned: fmod(-7, 3) is
# 0, and with a negative divisor fmod(7, -3) is 7. Compare with 0 instead, and take `a - b * int(a / b)` or floats.
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
def sign(numbers):
    return np.sign(numbers)


@njit
def fmod(first, second):
    return np.fmod(first, second)


counts = np.array([0, 127, 128, 255], np.uint8)
points, other = np.array([-7, 7, 7]), np.array([3, -3, 3])
print("sign of 0, 127, 128, 255:", sign(counts).tolist(), "in numpy:", np.sign(counts).tolist())
print("fmod of (-7, 3), (7, -3), (7, 3):", fmod(points, other).tolist(), "in numpy:", np.fmod(points, other).tolist())
assert sign(counts).tolist() == [0, 1, 255, 255] and np.sign(counts).tolist() == [0, 1, 1, 1]
assert fmod(points, other).tolist() == [0, 7, 1] and np.fmod(points, other).tolist() == [-1, 1, 1]
PYTHON
