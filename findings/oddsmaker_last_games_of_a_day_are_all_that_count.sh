#!/usr/bin/env bash
# A good guess: `Elo` of oddsmaker rates each game of a day, or of another rating period, by the ratings before it, and
# adds up what they gained. `run_history(k=..., hfa=...)` does so with other constants, and `optimize` finds the best of
# them. The chances of host and guest in a game add up to one.
#
# What happens: of several games in a period only the last one of each player changes its rating: four wins and then a
# loss on one day are a loss. `k` and `hfa` of `run_history` are read by nobody, and each call goes on from the ratings
# of the last, which know all results: so `optimize` compares the same constants again and again, ever better informed.
# And the advantage at home is multiplied by where the game was twice, so that the guest has it too: the chances of
# equal players are 0.57 and 0.57. Nothing is said. Give each game a period of its own, make a new `Elo` for each
# constant, and compute chances from the ratings.
#
# numpy 2.4.6, scipy 1.17.1, pandas 2.3.3, scikit-learn 1.9.1, bayesian-optimization 3.4.0, tqdm 4.70.1, oddsmaker
# 0.1.1; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 scipy==1.17.1 pandas==2.3.3 scikit-learn==1.9.1 bayesian-optimization==3.4.0 tqdm==4.70.1
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check --no-deps oddsmaker==0.1.1
"$folder/venv/bin/python" -W ignore - 2> "$folder/log" <<'PYTHON' || (cat "$folder/log"; exit 1)
import numpy as np
import pandas as pd
from oddsmaker.state_space import Elo


def play(games):
    """Return a table with two rows for each game of a period, a host, a guest and the host's result."""
    rows = []
    for period, host, guest, result in games:
        rows += [(period, host, guest, 1, result), (period, guest, host, -1, 1 - result)]
    columns = ["rating_period", "team_name", "opp_name", "is_home", "result"]
    return pd.DataFrame(rows, columns=columns).assign(stat="points")


def rating(elo, name):
    """Return the rating of a player."""
    table = elo.current_ratings().set_index("team_name")
    return float(table.loc[name, "rating"])


results = (1, 1, 1, 1, 0)
day, days = (
    Elo(play([(apart * number, "a", "b", result) for number, result in enumerate(results)]), k=20) for apart in (0, 1)
)
for elo in (day, days):
    elo.run_history()

first = Elo(play([(0, "a", "b", 1)]), k=20, hfa=50)
chances = first.run_history()[0]["probability"].tolist()

rng = np.random.default_rng(0)
games = [(period, *rng.permutation(list("abcd"))[:2], int(rng.random() < 0.5)) for period in range(200)]
grades = []
elo = Elo(play(games), k=20)
for k in (5, 5, 40):
    elo.history = ""
    grades.append(float(elo.run_history(k={"points": k})[1]))
other = float(Elo(play(games), k=40).run_history()[1])
print(f"four wins and a loss: on one day {rating(day, 'a'):.1f}, on five {rating(days, 'a'):.1f};", end=" ")
print("chances", np.round(chances, 3), "grades with k of 5, 5 and 40:", np.round(grades, 4), end=" ")
print(f"a new one with 40: {other:.4f}")
assert rating(day, "a") == 1490 and rating(days, "a") > 1520
assert chances[0] == chances[1] > 0.56 and grades[0] != grades[1] and other > max(grades) + 0.005
PYTHON
