#!/usr/bin/env bash
# A good guess: a draw, a difference of 0, says of two agents in `Melo` that they are level, as in Elo's ratings: of
# 50 games with 40 draws and five wins of each both have the same rating, and the same chance to win the next one,
# 0.1.
#
# What happens: ratings take a draw for half a win, and the bias between first and second, which is estimated from all
# games, for none: it says that the first wins a tenth of its games, and the rating finds that it gets half of the
# points. So each draw raises whoever is named first, and lowers the other. In the end the first has a chance of 0.47
# to win, and the other, named first, of 0.01. Nothing is said. Give each game twice, the second time with names
# exchanged and the sign of the result: both then have about the same rating and a chance of 0.1. Without draws all is
# well.
#
# numpy 2.4.6, scipy 1.17.1, melo 1.1.2; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 scipy==1.17.1 melo==1.1.2
"$folder/venv/bin/python" - <<'PYTHON'
import numpy as np
from melo import Melo

START = np.datetime64("2026-11-01T00:00:00")


def rate(results, exchange=False):
    """Return the rating of the agent that is named first, and the chances of both to beat the other."""
    games = [("ours", "theirs", result) for result in results]
    if exchange:
        games = [game for one, two, result in games for game in ((one, two, result), (two, one, -result))]
    first, second, values = zip(*games, strict=True)
    times = START + np.arange(len(games)).astype("timedelta64[s]")
    ratings = Melo(k=0.1)
    ratings.fit(times, first, second, values)
    end = START + np.timedelta64(1, "D")
    ours, theirs = (float(ratings.probability(end, *pair)) for pair in (("ours", "theirs"), ("theirs", "ours")))
    return [round(number, 2) for number in (float(ratings.query_rating(end, "ours")[0]), ours, theirs)]


with_draws, both_ways = [1, 0, 0, 0, 0, -1, 0, 0, 0, 0] * 5, [1, -1] * 25
drawn, level = rate(with_draws), rate(both_ways)
exchanged = rate(with_draws, exchange=True)
print("rating of the first and chances of both, of 5 wins, 5 losses and 40 draws:", drawn)
print("of 25 wins and losses:", level, "and with each game of the draws twice, names exchanged:", exchanged)
assert drawn[0] > 0.5 and drawn[1] > 0.4 and drawn[2] < 0.02
assert abs(level[0]) < 0.05 and abs(level[1] - 0.5) < 0.05 and abs(level[2] - 0.5) < 0.05
assert abs(exchanged[0]) < 0.1 and all(0.05 < chance < 0.15 for chance in exchanged[1:])
PYTHON
