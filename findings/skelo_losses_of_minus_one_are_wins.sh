#!/usr/bin/env bash
# A good guess: `fit(games, results)` of skelo's `EloEstimator` takes a result above 0 for a win of the first player, so
# that returns of 1 and -1 do, and a draw of 0.5 counts half, as in Elo.
#
# What happens: whatever is true is a win. Of an agent that lost ten games by -1, or drew all ten, the rating rises as
# if it had won them, `predict` says that it wins the next, and nothing is raised. `Glicko2Estimator` does so too. Only
# 0 is a loss, and draws do not exist. Pass `returns > 0`, and leave draws out.
#
# numpy 2.4.6, pandas 3.1.1, scikit-learn 1.9.1, glicko2 2.1.0, skelo 0.1.5; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 pandas==3.1.1 scikit-learn==1.9.1 glicko2==2.1.0 skelo==0.1.5
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import numpy as np
from skelo.model.elo import EloEstimator
from skelo.model.glicko2 import Glicko2Estimator

FIRST, SECOND, GAMES = 0, 1, 10
games = np.array([(FIRST, SECOND, time) for time in range(1, GAMES + 1)])
following = np.array([(FIRST, SECOND, GAMES + 1)])


def chance(estimator, result):
    """Return the chance that the first player wins, after games of one result."""
    model = estimator().fit(games, np.full(GAMES, result))
    return round(float(model.predict_proba(following)[0, 0]), 4)


kinds = (EloEstimator, Glicko2Estimator)
seen = {kind.__name__: {result: chance(kind, result) for result in (1, 0, -1, 0.5)} for kind in kinds}
print("chance of the first player after ten results of 1, 0, -1 and 0.5:", seen)
for chances in seen.values():
    assert chances[1] == chances[-1] == chances[0.5] > 0.5 > chances[0]
PYTHON
