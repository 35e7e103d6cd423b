#!/usr/bin/env bash
# A good guess: `TrueSkill` of riix rates as the library `trueskill` does: after a draw the two ratings come nearer to
# each other, whether games are taken one by one or in a batch.
#
# What happens: wins and losses are equal to the last digit. After a draw a favourite of 30 against 20 rises to 32.0,
# and the other falls to 18.0, nearly as if the favourite had won; `update_method="batched"` goes the right way, by half
# of the step. By `trueskill` they are 26.0 and 24.0. Rate games with draws by `Elo` or `Glicko` of riix, or by
# `trueskill`.
#
# numpy 2.4.6, scipy 1.17.1, polars 2.1.0, riix 0.0.6, trueskill 0.4.5; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 scipy==1.17.1 polars==2.1.0 trueskill==0.4.5
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check --no-deps \
  riix==0.0.6
"$folder/venv/bin/python" - <<'PYTHON'
import numpy as np
import trueskill
from riix.models.trueskill import TrueSkill

MU, SIGMA, BETA, DRAWS = 25.0, 25 / 3, 25 / 6, 0.1
FAVOURITE, OTHER = 30.0, 20.0
names = {"beta": BETA, "draw_probability": DRAWS, "tau": 0.0}


def by_riix(result, method):
    model = TrueSkill(["a", "b"], initial_mu=MU, initial_sigma=SIGMA, update_method=method, **names)
    model.mus[:] = FAVOURITE, OTHER
    model.update(np.array([[0, 1]]), np.array([result]), time_step=0)
    return model.mus.round(3).tolist()


def by_trueskill(result):
    env = trueskill.TrueSkill(MU, SIGMA, **names)
    rated = env.rate_1vs1(env.create_rating(FAVOURITE), env.create_rating(OTHER), drawn=result == 0.5)
    return [round(rating.mu, 3) for rating in rated]


def rate(result):
    ratings = {method: by_riix(result, method) for method in ("iterative", "batched")}
    return ratings | {"trueskill": by_trueskill(result)}


drawn, won = rate(0.5), rate(1.0)
print("30 and 20 after a draw:", drawn, "after a win of the first:", won)
assert drawn["iterative"] == [31.998, 18.002] and drawn["batched"] == [28.002, 21.998]
assert drawn["trueskill"] == [26.004, 23.996] and won["iterative"] == won["batched"] == won["trueskill"]
PYTHON
