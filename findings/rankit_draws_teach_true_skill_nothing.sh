#!/usr/bin/env bash
# A good guess: `TrueSkillRanker` of rankit moves both players towards each other after a draw, and the more so the
# further they are apart. It is TrueSkill for games of two.
#
# What happens: for draws it passes a difference of 0 and not the difference of both means, so no mean ever changes, and
# only the doubt shrinks. After 100 draws a player who began at 2500 is still thought to beat one who began at 500 for
# certain. Wins and losses are right. Nothing is said. Take the package trueskill where games can be drawn.
#
# Beside it, the ratings that `EloRanker.setup` is given belong to nobody: the players begin at the baseline once more,
# and stand in the leaderboard twice.
#
# numpy 2.4.6, scipy 1.17.1, pandas 3.1.1, trueskill 0.4.5, rankit 0.3.3; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 scipy==1.17.1 pandas==3.1.1 trueskill==0.4.5 rankit==0.3.3
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import pandas as pd
from rankit.Ranker import EloRanker, TrueSkillRanker
from rankit.Table import Table
from trueskill import Rating, TrueSkill

COLUMNS = ["host", "visit", "hscore", "vscore"]
RATINGS = {"a": 2500, "b": 500}


def play(games):
    """Return a table of games."""
    return Table(pd.DataFrame(games, columns=COLUMNS), col=COLUMNS)


ranker = TrueSkillRanker()
ranker.setup(RATINGS, dict.fromkeys(RATINGS, 250))
before = float(ranker.prob_win("a", "b"))
ranker.update(play([("a", "b", 1, 1)] * 100))
means = {name: float(ranker.rd * ranker.indexMiuLut[index]) for name, index in ranker.data.itemlut.items()}
chance = float(ranker.prob_win("a", "b"))

other = TrueSkill(mu=1500, sigma=500, beta=250, tau=0, draw_probability=0.1)
both = [Rating(RATINGS[name], 250) for name in "ab"]
for _ in range(100):
    both = other.rate_1vs1(*both, drawn=True)

wins = TrueSkillRanker()
wins.setup(RATINGS, dict.fromkeys(RATINGS, 250))
wins.update(play([("b", "a", 1, 0)]))
won = other.rate_1vs1(Rating(500, 250), Rating(2500, 250))[0].mu
assert abs(wins.rd * wins.indexMiuLut[wins.data.itemlut["b"]] - won) < 1

elo = EloRanker()
elo.setup(RATINGS)
elo.update(play([("a", "b", 1, 0)]))
table = elo.leaderboard()
print(f"means {means}, chance {before:.4f} and then {chance:.4f};", end=" ")
print("by trueskill", [round(one.mu) for one in both], end="; ")
print("leaderboard of Elo:", list(zip(table["name"], table["rating"].round().astype(int).tolist())))
assert means == RATINGS and chance > before > 0.99 and abs(both[0].mu - both[1].mu) < 200
assert table["name"].tolist() == ["a", "a", "b", "b"] and 1501 < table["rating"][1] < 1503
PYTHON
