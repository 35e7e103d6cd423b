#!/usr/bin/env bash
# A good guess: `predict` and `predict_proba` of elo-grad's `EloEstimator` say by the ratings that `fit` found who
# wins, as those of scikit-learn, whose interface it has: asked again they say the same, and results of the games are
# not used.
#
# What happens: both do what `fit` does. They need the column of results, add these games to the ratings as they go,
# and use them for the next prediction. Asked again they say something else, as the same games are rated twice; and a
# loss that is computed after `predict` is that of a model that was trained on the test games. Who has lost twenty
# test games is behind after one call, and far behind after three. Nothing is said. Copy the estimator before each
# call, or ask `estimator.model.calculate_expected_score(ratings[one][1], -ratings[two][1])`.
#
# narwhals 1.48.1, numpy 2.4.6, pandas 3.1.1, elo-grad 0.5.1; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  narwhals==1.48.1 numpy==2.4.6 pandas==3.1.1 elo-grad==0.5.1
"$folder/venv/bin/python" - <<'PYTHON'
from copy import deepcopy

import pandas as pd
from elo_grad import EloEstimator


def make_games(results, start=0):
    """Return games of "ours" against "theirs", one a second."""
    seconds = range(start, start + len(results))
    return pd.DataFrame({"second": seconds, "one": "ours", "two": "theirs", "won": results})


def read(estimator):
    return [round(estimator.model.ratings[name][1]) for name in ("ours", "theirs")]


estimator = EloEstimator(
    k_factor=20,
    default_init_rating=1500,
    beta=200,
    entity_cols=("one", "two"),
    score_col="won",
    date_col="second",
    init_ratings=None,
    additional_regressors=None,
    track_rating_history=False,
)
estimator.fit(make_games([1, 0, 1, 1] * 10))
copied, test = deepcopy(estimator), make_games([0] * 20, start=100)
ratings, chances = [read(estimator)], []
for _ in range(2):
    chances.append(round(estimator.predict_proba(test)["1"].to_list()[0], 2))
    ratings.append(read(estimator))
estimator.predict(test)
ratings.append(read(estimator))
trained = copied.fit(test)
print("chance of the first of 20 test games, asked twice:", chances)
print("ratings after fit, two predict_proba and predict:", ratings, "after fit on the test games:", read(trained))
assert chances[0] > 0.7 and chances[1] < 0.35
assert ratings[0][0] > 1580 > 1500 > ratings[1][0] > ratings[2][0] > ratings[3][0]
assert read(trained) == ratings[1]
PYTHON
