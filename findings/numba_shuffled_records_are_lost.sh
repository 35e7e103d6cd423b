#!/usr/bin/env bash
# A good guess: `np.random.shuffle` and `np.random.permutation` reorder a structured array in compiled code as they
# do in numpy, so a deck of records keeps each of its cards.
#
# What happens: compiled, they swap records that are views of the array, and one overwrites the other. Nearly every
# shuffle holds some records twice and has lost others, without an error. Shuffle indices instead,
# `cards[np.random.permutation(len(cards))]`, or call numpy's own shuffle outside of compiled code.
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

CARD = np.dtype([("kind", np.int64), ("worth", np.float64)])


@njit
def shuffle(cards, seed):
    np.random.seed(seed)
    np.random.shuffle(cards)


@njit
def permute(cards, seed):
    np.random.seed(seed)
    return np.random.permutation(cards)


@njit
def pick(cards, seed):
    np.random.seed(seed)
    return cards[np.random.permutation(len(cards))]


def deck():
    cards = np.zeros(10, CARD)
    cards["kind"] = np.arange(10)
    return cards


def is_whole(cards):
    return sorted(cards["kind"].tolist()) == list(range(10))


whole = {"shuffle": 0, "permutation": 0, "indices": 0, "numpy": 0}
for seed in range(100):
    cards = deck()
    shuffle(cards, seed)
    whole["shuffle"] += is_whole(cards)
    whole["permutation"] += is_whole(permute(deck(), seed))
    whole["indices"] += is_whole(pick(deck(), seed))
    cards = deck()
    shuffle.py_func(cards, seed)
    whole["numpy"] += is_whole(cards)
print("of 100 shuffled decks of 10 records so many hold each card once:", whole)
assert whole["shuffle"] < 50 and whole["permutation"] < 50 and whole["indices"] == whole["numpy"] == 100
PYTHON
