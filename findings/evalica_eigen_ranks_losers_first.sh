#!/usr/bin/env bash
# A good guess: `eigen` of evalica gives the most to who wins most, as `elo`, `bradley_terry` and `pagerank` do: its
# scores are the eigenvector of the matrix of wins.
#
# What happens: it is that of the transposed matrix: an agent has the more, the more often it was beaten, and by agents
# that are beaten often. The order of four agents is turned round, and who has won all games has 0. Nothing is said, and
# the table of scores is sorted, the worst agent on top. Both solvers do so. Exchange the two columns of agents, and the
# scores are right.
#
# numpy 2.4.6, pandas 3.1.1, scipy 1.17.1, evalica 0.4.2; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 pandas==3.1.1 scipy==1.17.1 evalica==0.4.2
"$folder/venv/bin/python" - <<'PYTHON'
from evalica import Winner, average_win_rate, bradley_terry, eigen, elo, pagerank

AGENTS = ["best", "second", "third", "worst"]
pairs = [
    pair
    for place, better in enumerate(AGENTS)
    for worse in AGENTS[place + 1 :]
    for pair in [(better, worse)] * 8 + [(worse, better)] * 2
]
winners, losers = zip(*pairs, strict=True)


def order(rating, first, second, winner):
    return list(rating(first, second, [winner] * len(pairs)).scores.sort_values(ascending=False).index)


orders = {rating.__name__: order(rating, winners, losers, Winner.X) for rating in (bradley_terry, pagerank, eigen)}
print("agents that win 8 of 10 against each one behind them:", orders)
assert orders["bradley_terry"] == orders["pagerank"] == AGENTS
assert order(average_win_rate, winners, losers, Winner.X) == order(elo, winners, losers, Winner.X) == AGENTS
assert orders["eigen"] == order(eigen, losers, winners, Winner.Y) == AGENTS[::-1]
assert order(eigen, losers, winners, Winner.X) == AGENTS
PYTHON
