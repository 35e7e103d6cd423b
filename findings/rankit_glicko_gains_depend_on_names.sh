#!/usr/bin/env bash
# A good guess: `GlickoRanker` of rankit, Glicko-2, rates all players of a period by what their opponents were worth
# before it. Of two new players the winner gains what the loser loses, whatever they are called.
#
# What happens: players are updated one after the other in the order of their names, and those who come later meet the
# new ratings of the others. If a beats b, a gains 162 points and b loses 112, and if b beats a, b gains 112 and a loses
# 162. The same ten rounds of eight agents, a period each, have ratings that are up to 60 points apart if the names are
# given in the reverse order. Beside it, `volatility_iter` takes the volatility for the variance of the estimate.
# Nothing is said. Take another library: what is left of Glicko-2 without periods is another system.
#
# numpy 2.4.6, scipy 1.17.1, pandas 3.1.1, rankit 0.3.3; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 scipy==1.17.1 pandas==3.1.1 rankit==0.3.3
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import itertools

import numpy as np
import pandas as pd
from rankit.Ranker import GlickoRanker
from rankit.Table import Table

COLUMNS = ["host", "visit", "hscore", "vscore", "time"]


def rate(games):
    """Return the ratings of all players."""
    ranker = GlickoRanker()
    table = pd.DataFrame(games, columns=COLUMNS)
    ranker.update(Table(table, col=COLUMNS[:4], timecol="time"))
    return {name: 1500 + ranker.factor * ranker.miu[index] for name, index in ranker.data.itemlut.items()}


first, second = rate([("a", "b", 1, 0, 1)]), rate([("b", "a", 1, 0, 1)])
rng = np.random.default_rng(0)
names = "abcdefgh"
games = [
    (*pair, *((1, 0) if rng.random() < 0.5 else (0, 1)), turn)
    for turn in range(10)
    for pair in itertools.combinations(names, 2)
]
other = dict(zip(names, reversed(names)))
here = rate(games)
there = rate([(other[host], other[guest], *rest) for host, guest, *rest in games])
apart = max(abs(here[name] - there[other[name]]) for name in names)
for ratings in (first, second):
    print({name: round(rating) for name, rating in sorted(ratings.items())}, end=" ")
print(f"ten rounds of eight agents, names in both orders: up to {apart:.0f} points apart")
assert abs(first["a"] - 1662.3) < 0.1 and abs(first["b"] - 1387.5) < 0.1
assert apart > 20 and abs(second["b"] - 1612.5) < 0.1 and abs(second["a"] - 1337.7) < 0.1
PYTHON
