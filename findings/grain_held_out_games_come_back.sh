#!/usr/bin/env bash
# A good guess: `games = MapDataset.source(...).shuffle(seed=1)`, `games[:800]` to train and `games[800:]` to test, is a
# split: the seed is fixed, and so are the games of each part, however often the first is repeated.
#
# What happens: it is a split for one pass. A slice is made of places, and `repeat` shuffles anew beneath it in each
# pass: the second pass trains on the games that lie in the first 800 places then, most of the test games among them.
# After a few passes all have been trained on. No game comes twice within a pass, `len` and the order of the first one
# are as expected, and nothing is said. Slice first and shuffle the parts, or pass `reseed_each_epoch=False` to `repeat`.
#
# numpy 2.4.6, grain 0.2.18; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 grain==0.2.18
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import logging

logging.disable(logging.WARNING)

from grain import MapDataset

GAMES, TRAINED = 1000, 800


def leak(train, test, passes, **options):
    """Return how many games to test are trained on in so many passes."""
    return len(set(train.repeat(passes, **options)) & set(test))


shuffled = MapDataset.range(GAMES).shuffle(seed=1)
parts = shuffled[:TRAINED], shuffled[TRAINED:]
leaks = {passes: leak(*parts, passes) for passes in (1, 2, 3, 6)}
fixed = leak(*parts, 6, reseed_each_epoch=False)
games = MapDataset.range(GAMES)
first = leak(games[:TRAINED].shuffle(seed=1), games[TRAINED:], 6)
print("of 200 games held out, trained on after passes:", leaks, "not seeded again:", fixed, "split before:", first)
assert leaks[1] == 0 and 140 < leaks[2] < 180 and leaks[6] == GAMES - TRAINED
assert fixed == first == 0
PYTHON
