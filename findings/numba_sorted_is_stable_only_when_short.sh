#!/usr/bin/env bash
# A good guess: `sorted(moves, key=...)` keeps moves of equal worth in their order, as Python promises. A test with
# a few moves confirms it.
#
# What happens: compiled, it does so for up to 15 items. From 16 on items of equal worth change places, so the best
# of several equal moves is another one than in plain Python (NUMBA_DISABLE_JIT=1). Put the position into the key:
# `(worth, number)`.
#
# numpy 2.4.6, numba 0.68.1; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 numba==0.68.1
"$folder/venv/bin/python" - <<'PYTHON'
from numba import njit


@njit
def rank(count):
    return sorted([(number % 3, number) for number in range(count)], key=lambda move: move[0])


@njit
def rank_by_both(count):
    return sorted([(number % 3, number) for number in range(count)], key=lambda move: (move[0], move[1]))


lengths = [count for count in range(1, 100) if rank(count) == rank.py_func(count)]
print("equal moves keep their order in lists of up to", max(lengths), "moves; of 16 the first is", rank(16)[0])
assert lengths == list(range(1, 16))
assert all(rank_by_both(count) == rank.py_func(count) for count in range(1, 100))
PYTHON
