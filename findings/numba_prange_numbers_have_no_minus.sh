#!/usr/bin/env bash
# A good guess: `for i in prange(n)` counts as `range(n)` does, in parallel: `-i` is 0, -1, -2.
#
# What happens: where the range begins at 0, `i` is a uint64, and `-i` wraps: `0.5 * -i` is 9.2e18, `-i < 1` is False
# for 1, `1 / (1 + exp(-i))` is 0, and `0.9 ** -i` is infinite. `0 - i`, `i * -1` and `i - 5` are right, and so is `-i`
# where it is stored as a whole number. It is so in functions with `parallel=True` alone: `prange` without it, or with a
# start that is an argument, or in plain Python (NUMBA_DISABLE_JIT=1), counts in int64. Write `0 - i`, or `int64(i)`
# once.
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
from numba import njit, prange


def count(start, stop):
    found = np.zeros((5, stop))
    for i in prange(stop):
        found[0, i] = -i
        found[1, i] = 0 - i
        found[2, i] = -i < 1
        found[3, i] = 1 / (1 + np.exp(-i))
    for i in prange(start, stop):
        found[4, i] = -i
    return found


parallel, serial, plain = njit(parallel=True)(count)(0, 3), njit(count)(0, 3), count(0, 3)
print("-i:", parallel[0], "0 - i:", parallel[1], "-i < 1:", parallel[2], "1 / (1 + exp(-i)):", parallel[3])
assert parallel[0].tolist() == [0, 2.0**64, 2.0**64] and parallel[2].tolist() == [1, 0, 0]
assert parallel[3].tolist() == [0.5, 0, 0]
assert parallel[1].tolist() == parallel[4].tolist() == plain[0].tolist() == [0, -1, -2]
assert np.array_equal(serial, plain) and plain[2].tolist() == [1, 1, 1]
PYTHON
