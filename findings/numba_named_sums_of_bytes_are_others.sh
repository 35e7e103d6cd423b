#!/usr/bin/env bash
# A good guess: compiled, `(a + b) // 2` of two uint8 arrays is what numpy makes of it, where 200 + 100 wraps to 44; or
# it is computed wide, and right. Either way a name for the sum, `s = a + b; s // 2`, changes nothing, nor does
# `parallel=True`.
#
# What happens: numba computes an expression in one loop, in 64 bits, and cuts only what is stored. So the mean of 200
# and 100 is 150 in one line and 22 in two, and with `parallel=True`, which joins lines too, 150 in both. There
# `(a + b).sum()` adds up wide numbers, and `.max()` compares them with cut ones: of 2 and -56 in int8 the greatest is
# -56, in one thread. Plain Python (NUMBA_DISABLE_JIT=1) wraps each time. Widen first: `a.astype(np.int64)`.
#
# numpy 2.4.6, numba 0.68.1; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 numba==0.68.1
NUMBA_NUM_THREADS=1 "$folder/venv/bin/python" - <<'PYTHON'
import numba
import numpy as np

A, B = np.array([3, 200, 10], np.uint8), np.array([5, 100, 200], np.uint8)
SIGNED = np.array([1, 100], np.int8)


def mean(a, b):
    return (a + b) // 2


def named_mean(a, b):
    total = a + b
    return total // 2


def total(a, b):
    return (a + b).sum()


def greatest(a, b):
    return (a + b).max()


def see(compile_function):
    found = [compile_function(function)(A, B) for function in (mean, named_mean, total)]
    found.append(compile_function(greatest)(SIGNED, SIGNED))
    return [np.asarray(item).tolist() for item in found]


plain, compiled = see(lambda function: function), see(numba.njit)
parallel = see(numba.njit(parallel=True))
wrapped, wide = [4, 22, 105], [4, 150, 105]
print("means in one line and in two, a sum, a maximum: plain", plain, "compiled", compiled, "in parallel", parallel)
assert plain == [wrapped, wrapped, 262, 2]
assert compiled == [wide, wrapped, 262, 2]
assert parallel == [wide, wide, 518, -56]
PYTHON
