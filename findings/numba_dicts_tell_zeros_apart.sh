#!/usr/bin/env bash
# A good guess: 0.0 and -0.0 are one key of a dict, for they are equal and have one hash, compiled too, and so they are
# in Python and in numba's sets.
#
# What happens: numba's dicts keep both, also within tuples, and also `typed.Dict` in plain Python. Where games are
# counted by their lead, times -0.5, draws of -0.0 are not added to those of 0.0, and `0.0 in {-0.0: 1}` is False. Plain
# Python (NUMBA_DISABLE_JIT=1) counts right. Add 0.0 to such keys, or use whole numbers.
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
def count(leads):
    counts = {0.0: 0}
    for lead in leads:
        margin = lead * -0.5
        counts[margin] = counts.get(margin, 0) + 1
    return counts


@njit
def count_mended(leads):
    counts = {0.0: 0}
    for lead in leads:
        margin = lead * -0.5 + 0.0
        counts[margin] = counts.get(margin, 0) + 1
    return counts


@njit
def compare(first, second):
    members = set([first])
    members.add(second)
    keys, pairs = {first: 1, second: 2}, {(first, 1): 1, (second, 1): 2}
    return first == second, hash(first) == hash(second), len(members), len(keys), len(pairs)


LEADS = np.array([0, 0, 4, 0])
compiled, plain, compared = count(LEADS), count.py_func(LEADS.tolist()), compare(0.0, -0.0)
print("leads of 0, 0, 4, 0, times -0.5, compiled:", str(compiled), "plain:", plain, end="; ")
print("0.0 and -0.0 equal, equal hash, in a set, in a dict, in a dict within tuples:", compared)
assert list(compiled.values()) == [0, 3, 1] and list(plain.values()) == list(count_mended(LEADS).values()) == [3, 1]
assert compared == (True, True, 1, 2, 2) and compare.py_func(0.0, -0.0) == (True, True, 1, 1, 1)
PYTHON
