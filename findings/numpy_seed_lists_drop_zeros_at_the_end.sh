#!/usr/bin/env bash
# A good guess: `default_rng([seed, worker])` is another generator for each worker, and none of them is
# `default_rng(seed)`, which the main program uses.
#
# What happens: zeros at the end of a list do not count, up to four numbers of 32 bits. `[7, 0]`, `[7, 0, 0]` and `7`
# are one seed, so worker 0 draws what the main program draws. A number of more than 32 bits is the list of its parts:
# `7 + 2**32` is `[7, 1]`. `RandomState([7, 0])` and `RandomState([7])` do differ. Use `spawn`, or
# `SeedSequence(7, spawn_key=(worker,))`.
#
# numpy 2.4.6; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6
"$folder/venv/bin/python" - <<'PYTHON'
from numpy.random import RandomState, SeedSequence, default_rng


def draw(seed):
    return default_rng(seed).permutation(9).tolist()


deck = draw(7)
print("a deck of seed 7:", deck, "- by [7, 0]:", draw([7, 0]), "- by [7, 1]:", draw([7, 1]))
assert draw([7, 0]) == draw([7, 0, 0]) == deck != draw([7, 1]) == draw(7 + 2**32)
assert draw(SeedSequence(7, spawn_key=(0,))) == draw(SeedSequence(7).spawn(1)[0]) != deck
assert draw([0, 7]) != deck and draw([1, 2, 3, 4, 0]) != draw([1, 2, 3, 4])
assert RandomState([7, 0]).permutation(9).tolist() != RandomState([7]).permutation(9).tolist()
PYTHON
