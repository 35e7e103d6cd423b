#!/usr/bin/env bash
# A good guess: `elo(..., weights=...)` of evalica multiplies what a game changes by its weight: of a game of weight 0
# nothing changes, half a weight is half the step, and what one player gains the other loses.
#
# What happens: the weight is multiplied into the winner's score alone, not into what was expected. A win of weight 0.5
# between equals changes nothing for the winner, and the loser loses in full; of weight 0 the winner loses as much as
# the loser does; of weight 2 the winner gains three times as much. So ratings depend on who won the weighted games, and
# their sum drifts away. `counting` and `bradley_terry` weigh as expected.
#
# numpy 2.4.6, pandas 3.1.1, scipy 1.17.1, evalica 0.4.2; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 pandas==3.1.1 scipy==1.17.1 evalica==0.4.2
"$folder/venv/bin/python" - <<'PYTHON'
from evalica import Winner, counting, elo


def rate(rating, weight):
    """Return the scores of a winner and a loser after one game."""
    scores = rating(["a"], ["b"], [Winner.X], weights=[weight]).scores
    return float(scores["a"]), float(scores["b"])


ratings = {weight: rate(elo, weight) for weight in (0.0, 0.5, 1.0, 2.0)}
counts = {weight: rate(counting, weight) for weight in (0.0, 0.5, 1.0, 2.0)}
print("winner and loser after one game of a weight:", ratings, "counted:", counts)
assert ratings == {0.0: (998, 998), 0.5: (1000, 998), 1.0: (1002, 998), 2.0: (1006, 998)}
assert counts == {weight: (weight, 0) for weight in counts}
PYTHON
