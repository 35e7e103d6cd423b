#!/usr/bin/env bash
# A good guess: `Melo.fit` sorts games by their time, and those of one time stay in the order they were given in, as
# by a stable sort, or are rated together as in Glicko. Half of 100 games won is a rating near that of the other
# agent.
#
# What happens: the records are sorted by all of their columns, the time first, then both names, then the result.
# Games of one time, as of one evaluation that is dated by its day or by its end, are rated pair by pair in the order
# of names, and of each pair all losses of the first come before its draws, and these before its wins. Elo's ratings
# keep what came last: whoever is named first is far above one that it plays level with, up to near certainty with a
# `k` of 0.3. Exchange the names, and it is below. With a second of its own for each game the two are level. Add the
# number of the game to the time.
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

GAMES = 100
START = np.datetime64("2026-11-01T00:00:00")


def rate(seconds, k, results):
    """Return the chance that "ours" beats "theirs" after games that each of them has won half of."""
    times = START + np.asarray(seconds).astype("timedelta64[s]")
    ratings = Melo(k=k)
    ratings.fit(times, ["ours"] * GAMES, ["theirs"] * GAMES, results)
    return round(float(ratings.probability(START + np.timedelta64(1, "D"), "ours", "theirs")), 3)


in_turn = [1, -1] * (GAMES // 2)
one_time, apart = np.zeros(GAMES, int), np.arange(GAMES)
sure, surer = rate(one_time, 0.1, in_turn), rate(one_time, 0.3, in_turn)
level, sorted_apart = rate(apart, 0.1, in_turn), rate(apart, 0.1, sorted(in_turn))
print("chance after wins and losses in turn, all of one time:", sure, "with k of 0.3:", surer)
print("one after the other:", level, "and with all losses first:", sorted_apart)
assert sure == sorted_apart > 0.9 and surer > 0.97
assert abs(level - 0.5) < 0.05
PYTHON
