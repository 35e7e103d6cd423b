#!/usr/bin/env bash
# A good guess: `ROCAUC` of River, which is updated game by game, is near to what scikit-learn finds afterwards: the
# share of pairs of a win and a loss in which the win was given the greater chance. Logits do as well, as only the order
# counts.
#
# What happens: it counts what exceeds each of ten thresholds between 0 and 1, and nothing else. Chances between the
# same two thresholds are alike to it: where a careful model gives every win more than 0.515 and every loss less, none
# below 0.5, the area is 0.5 instead of 1. With logits above 1, or with values from -1 to 1 where all losses are
# negative, an order without a fault has the area 0, as the curve is not joined to its corners. More `n_thresholds` help
# only with chances. `RollingROCAUC` is exact: give it a window as long as the games.
#
# numpy 2.4.6, river 0.26.1, scikit-learn 1.9.1; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check numpy==2.4.6 river==0.26.1 scikit-learn==1.9.1
"$folder/venv/bin/python" - <<'PYTHON'
import numpy as np
from river import metrics
from sklearn.metrics import roc_auc_score

GAMES = 200


def measure(scores):
    """Return the area by scikit-learn, and by River with ten thresholds, a thousand, and a window of all games."""
    ways = (metrics.ROCAUC(), metrics.ROCAUC(n_thresholds=1000), metrics.RollingROCAUC(window_size=GAMES))
    for won, score in zip(WON.tolist(), scores.tolist()):
        for way in ways:
            way.update(won, score)
    return [round(float(area), 2) + 0.0 for area in (roc_auc_score(WON, scores), *(way.get() for way in ways))]


rng = np.random.default_rng(1)
WON = np.arange(GAMES) % 2 == 0
spread = rng.uniform(0, 0.5, GAMES) + 0.5 * WON
kinds = {"spread": spread, "close": 0.5 + 0.03 * spread, "logits": 2 + 5 * spread, "values": 2 * spread - 1}
areas = {name: measure(scores) for name, scores in kinds.items()}
print("area by scikit-learn, River, with 1000 thresholds, in a window:", areas)
assert areas == {"spread": [1, 1, 1, 1], "close": [1, 0.5, 1, 1], "logits": [1, 0, 0, 1], "values": [1, 0, 0, 1]}
PYTHON
