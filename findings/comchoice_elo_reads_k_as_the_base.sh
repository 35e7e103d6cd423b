#!/usr/bin/env bash
# A good guess: `elo` of ComChoice rates by the usual formula: 400 points are odds of ten to one. `K` is how much a game
# counts, and `rating` is where all begin, as the docstring says, so `rating=1500` adds 1100 to all ratings.
#
# What happens: the chance of a win is K ** (points / rating) to one. With the defaults, 10 and 400, that is the usual
# formula by accident. With K=32 a lead counts for more, as 32 and not 10 is the base, and with rating=1500 for less, as
# 1500 and not 400 points are odds of K to one. Two agents of which one wins three games of four end some 180 points
# apart by the formula, as with the defaults, 708 apart with rating=1500, and 101 with K=32. Nothing is said. Keep the
# defaults, and add 1100 to all ratings afterwards.
#
# numpy 2.4.6, pandas 3.1.1, scipy 1.17.1, networkx 3.6.1, seaborn 0.13.2, tqdm 4.70.1, ComChoice 0.1.3; November
# 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 pandas==3.1.1 scipy==1.17.1 networkx==3.6.1 seaborn==0.13.2 tqdm==4.70.1
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check --no-deps comchoice==0.1.3
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import pandas as pd
from comchoice.aggregate import elo

GAMES = 4000


def rate_by_the_formula(rating, k):
    """Return how far apart two agents end of which one wins three games of four."""
    ratings = [rating, rating]
    for game in range(GAMES):
        change = k * ((game % 4 < 3) - 1 / (1 + 10 ** ((ratings[1] - ratings[0]) / 400)))
        ratings = [ratings[0] + change, ratings[1] - change]
    return round(ratings[0] - ratings[1])


seen = {}
ballots = pd.DataFrame({"ballot": ["castle>tower" if game % 4 < 3 else "tower>castle" for game in range(GAMES)]})
for rating, k in ((400, 10), (1500, 10), (400, 32), (1500, 32)):
    rated = elo(ballots.assign(voter=range(GAMES)), rating=rating, K=k).set_index("alternative")["value"]
    seen[rating, k] = round(rated["castle"] - rated["tower"]), rate_by_the_formula(rating, k)
    print(f"rating={rating}, K={k}: {seen[rating, k][0]} points apart, by the formula {seen[rating, k][1]}")
assert seen[400, 10][0] == seen[400, 10][1] == seen[1500, 10][1] and seen[1500, 10][0] > 3 * seen[1500, 10][1]
assert seen[400, 32][0] < 0.7 * seen[400, 32][1] and seen[1500, 32][1] == seen[400, 32][1]
PYTHON
