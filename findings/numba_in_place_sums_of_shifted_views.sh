#!/usr/bin/env bash
# A good guess: `board[1:] += board[:-1]` and `board += board.T` take all values on the right as they were before,
# as in numpy, which makes a copy where views overlap. numba does so for plain assignment, `board[1:] = board[:-1]`.
#
# What happens: compiled, arithmetic in place reads what it has just written: the sum of neighbours becomes a
# running sum, and a board added to its own mirror image is no longer symmetric. So does a ufunc with `out`. Copy
# the right side first.
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
def assign(row):
    row[1:] = row[:-1]
    return row


@njit
def add_neighbour(row):
    row[1:] += row[:-1]
    return row


@njit
def add_mirrored(board):
    board += board.T
    return board


def is_symmetric(board):
    return bool((board == board.T).all())


row, board = np.ones(6, np.int64), np.arange(9).reshape(3, 3)
compiled, plain = add_neighbour(row.copy()), add_neighbour.py_func(row.copy())
mirrored, plain_mirrored = add_mirrored(board.copy()), add_mirrored.py_func(board.copy())
print("six ones, each with its neighbour:", compiled.tolist(), "in numpy:", plain.tolist())
print("a board with its mirror image is symmetric:", is_symmetric(mirrored), "in numpy:", is_symmetric(plain_mirrored))
assert compiled.tolist() == [1, 2, 3, 4, 5, 6] and plain.tolist() == [1, 2, 2, 2, 2, 2]
assert not is_symmetric(mirrored) and is_symmetric(plain_mirrored)
assert (assign(np.arange(6)) == assign.py_func(np.arange(6))).all()
PYTHON
