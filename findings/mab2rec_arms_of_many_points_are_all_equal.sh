#!/usr/bin/env bash
# A good guess: `recommend` of Mab2Rec gives the arms with the highest expectations, best first. Its sigmoid only brings
# the scores between 0 and 1, which keeps their order.
#
# What happens: it sorts what the sigmoid gives, and that is exactly 1 for all above 37. Of three agents that score 40,
# 61 and 80 points a game, where `predict` takes the one with 80, `recommend` names the one with 40 first, and all
# three have score 1. Where one of them is excluded, the rest are as wrong. Points below -745 are all 0. Nothing is
# said. `apply_sigmoid=False` sorts the points, but then an excluded arm counts as -1: among arms that all lose more
# than that, it takes one of the places, so that of two asked for one comes, or none of one. Scale the rewards first.
#
# numpy 2.3.3, pandas 2.3.3, mabwiser 2.7.4, mab2rec 1.3.1; December 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.3.3 pandas==2.3.3 mabwiser==2.7.4 mab2rec==1.3.1
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import numpy as np
from mab2rec import BanditRecommender, LearningPolicy

AGENTS = ["a", "b", "c"]


def fit(points, top_k):
    """Return a recommender that has seen 50 games of each agent."""
    recommender = BanditRecommender(LearningPolicy.LinGreedy(epsilon=0), top_k=top_k)
    recommender.fit(np.repeat(AGENTS, 50), np.repeat(points, 50), np.ones((150, 1)))
    return recommender


context = [[1.0]]
many = fit([61.0, 80.0, 40.0], 3)
best, (first, scores) = many.predict(context), many.recommend(context, return_scores=True)
scores = [float(score) for score in scores]
unscaled = many.recommend(context, apply_sigmoid=False)
few = fit([0.61, 0.8, 0.4], 3).recommend(context)
lost = fit([-20.0, -5.0, -40.0], 1)
excluded = lost.recommend(context, [["b"]]), lost.recommend(context, [["b"]], apply_sigmoid=False)
print(f"best by predict {best}, by recommend {first} with {scores}; scaled {few}, no sigmoid {unscaled};", end=" ")
print(f"without b, of losses: {excluded[0]}, no sigmoid {excluded[1]}")
assert best == "b" and first[0] == "c" and scores == [1, 1, 1]
assert few == unscaled == ["b", "a", "c"] and excluded == (["a"], [])
PYTHON
