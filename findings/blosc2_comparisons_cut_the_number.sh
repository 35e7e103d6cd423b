#!/usr/bin/env bash
# A good guess: `board < 0.5` of a `blosc2.NDArray` of integers is what numpy says of it, one cell at a time.
#
# What happens: the number is converted to the dtype of the array first. `board < 0.5` is `board < 0`, so cells of 0 do
# not count, and `board == 0.5` is true of them. To int8 256 is 0, and 200 is less than −1. It is so for each dtype of
# integers, of any length, as an operator or a string, and even after `board * 1.0`. `(board < 0.5).sum()` is right, as
# reductions take another way: the count is not that of the mask. Compare with whole numbers that the dtype holds, or
# convert by `board[:]` first.
#
# numpy 2.4.6, blosc2 4.14.1; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 blosc2==4.14.1
"$folder/venv/bin/python" - <<'PYTHON'
import blosc2
import numpy as np

CELLS = [-1, 0, 1]
COMPARISONS = ("board < 0.5", "board >= 0.5", "board == 0.5", "(board * 1.0) < 0.5", "board == 256", "board < 200")
RIGHT = {comparison: eval(comparison, {"board": np.array(CELLS, np.int8)}).tolist() for comparison in COMPARISONS}

board = blosc2.asarray(np.array(CELLS, np.int8))
found = {comparison: eval(comparison)[:].tolist() for comparison in COMPARISONS}
print("of cells -1, 0 and 1:", found)
assert found == {
    "board < 0.5": [True, False, False],
    "board >= 0.5": [False, True, True],
    "board == 0.5": [False, True, False],
    "(board * 1.0) < 0.5": [True, False, False],
    "board == 256": [False, True, False],
    "board < 200": [False, False, False],
}
assert not any(found[comparison] == RIGHT[comparison] for comparison in COMPARISONS)
assert all(blosc2.lazyexpr(text, {"board": board})[:].tolist() == found[text] for text in COMPARISONS)

half = board < 0.5
print("cells below 0.5 by sum:", half.sum(), "and in the mask:", half[:].sum())
assert (half.sum(), half[:].sum()) == (2, 1)

for dtype in (np.int16, np.int32, np.int64):
    many = np.resize(np.array(CELLS, dtype), 1_000_000)
    assert (blosc2.asarray(many) < 0.5)[:].sum() == (many < 0).sum() < (many < 0.5).sum()
assert (blosc2.asarray(np.array(CELLS, np.float32)) < 0.5)[:].tolist() == RIGHT["board < 0.5"]
PYTHON
