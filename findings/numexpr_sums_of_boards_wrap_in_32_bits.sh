#!/usr/bin/env bash
# A good guess: `evaluate("sum(cells)")` of numexpr widens bytes, as its `cells + cells` does, so that the sum is that
# of numpy: of twenty million cells of 200 it is 4,000,000,000.
#
# What happens: bytes and int32 are added in int32, which wraps: the sum is -294,967,296, and four numbers of 2**30 add
# up to 0. `prod` of ten bytes wraps as well. float32 are added in float32 one by one, so a sum of ones stops at
# 16,777,216, where numpy adds pairwise. Nothing is said. Write `sum(cells + wide)` with `wide` an int64 of 0, or sum by
# numpy.
#
# numpy 2.4.6, numexpr 2.14.2; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 numexpr==2.14.2
"$folder/venv/bin/python" - <<'PYTHON'
import numexpr
import numpy as np

COUNT = 20_000_000
wide = np.int64(0)


def add(numbers):
    """Return the sums by numexpr, by numexpr in int64, and by numpy."""
    sums = numexpr.evaluate("sum(numbers)"), numexpr.evaluate("sum(numbers + wide)"), numbers.sum(dtype=np.int64)
    return [int(total) for total in sums]


cells, hashes = add(np.full(COUNT, 200, np.uint8)), add(np.full(4, 2**30, np.int32))
ones = np.ones(COUNT, np.float32)
floats = float(numexpr.evaluate("sum(ones)")), float(ones.sum())
print("20 million cells of 200:", cells, "four of 2**30:", hashes, "20 million ones in float32:", floats)
assert cells == [-294_967_296, 4_000_000_000, 4_000_000_000] and hashes == [0, 2**32, 2**32]
assert floats == (2**24, COUNT)
PYTHON
