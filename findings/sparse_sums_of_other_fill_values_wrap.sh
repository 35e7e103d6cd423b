#!/usr/bin/env bash
# A good guess: `sum(axis=1)` of a board of uint8 in pydata's `sparse` is that of numpy: it is uint64, and so are the
# numbers in it, also where the fill value is not 0, as after `~board` or `board + 2`.
#
# What happens: rows that hold a stored cell are right. In rows that hold none the sum is the fill value times the
# number of columns in the dtype of the board: 200 cells of 2 are 144 instead of 400, and of 255 they are 56. Means and
# deviations are wrong with it. And `sum()` and `mean()` over all axes raise OverflowError as soon as a board of uint8
# has more than 255 cells, or one of int8 more than 127. Masks of bool are right, and so is `GCXS`: convert to int64
# before, or call `.todense()`.
#
# numpy 2.4.6, numba 0.68.1, sparse 0.19.3; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 numba==0.68.1 sparse==0.19.3
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import numpy as np
import sparse

board = np.zeros((3, 200), np.uint8)
board[0, 3] = 7
cells = sparse.COO.from_numpy(board)
sums = {"+ 2": (cells + 2).sum(axis=1).todense().tolist(), "~": (~cells).sum(axis=1).todense().tolist()}
true = {"+ 2": (board + 2).sum(axis=1).tolist(), "~": (~board).sum(axis=1).tolist()}
means = (cells + 2).mean(axis=1).todense().tolist()
try:
    raised = str(cells.sum())
except OverflowError as error:
    raised = str(error)
print("sums of rows:", sums, "of numpy:", true, "means of + 2:", means, "sum of all cells:", raised)
assert sums == {"+ 2": [407, 144, 144], "~": [50993, 56, 56]}
assert true == {"+ 2": [407, 400, 400], "~": [50993, 51000, 51000]}
assert means[1] == 0.72 and raised.startswith("Python integer 600 out of bounds")
assert sparse.GCXS.from_coo(cells + 2).sum(axis=1).todense().tolist() == true["+ 2"]
assert (~(cells > 0)).sum(axis=1).todense().tolist() == (board == 0).sum(axis=1).tolist()
PYTHON
