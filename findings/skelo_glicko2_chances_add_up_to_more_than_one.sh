#!/usr/bin/env bash
# A good guess: `predict_proba` of skelo's `Glicko2Estimator` is the formula of Glicko: the less is known about the two,
# the nearer to one half. And the chance that A beats B and the chance that B beats A add up to 1.
#
# What happens: the difference is multiplied by the deviation of both and reduced by that of the first player alone. So
# the chances are as if ratings were further apart than they are, and asked both ways they do not add up: a frequent
# player beats one who has played once with 99.6 %, who in turn beats it with 16 %. The ratings and deviations are
# right: compute chances from `rating_model.get(player)["rating"]`.
#
# numpy 2.4.6, pandas 3.1.1, scikit-learn 1.9.1, glicko2 2.1.0, skelo 0.1.5; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 pandas==3.1.1 scikit-learn==1.9.1 glicko2==2.1.0 skelo==0.1.5
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import math

import numpy as np
from skelo.model.glicko2 import Glicko2Estimator

OFTEN, PARTNER, ONCE = 0, 1, 2
games = np.array([(OFTEN, PARTNER, time) for time in range(1, 31)] + [(OFTEN, ONCE, 31)])
model = Glicko2Estimator().fit(games, np.array([int(time % 3 == 0) for time in range(30)] + [1]))


def chance(player, other):
    return float(model.predict_proba(np.array([(player, other, 40)]))[0, 0])


def glicko(player, other):
    """Return the chance by the formula of Glicko."""
    (mine, my_doubt, _), (theirs, their_doubt, _) = (model.rating_model.get(who)["rating"] for who in (player, other))
    scale = math.log(10) / 400
    damping = 1 / math.sqrt(1 + 3 * scale**2 * (my_doubt**2 + their_doubt**2) / math.pi**2)
    return 1 / (1 + math.exp(-damping * scale * (mine - theirs)))


there, back = chance(OFTEN, ONCE), chance(ONCE, OFTEN)
print("a frequent player beats a rare one:", there, "and is beaten:", back, "by the formula:", glicko(OFTEN, ONCE))
assert there > 0.99 and back > 0.15 and there + back > 1.1
assert 0.6 < glicko(OFTEN, ONCE) < 0.75 and abs(glicko(OFTEN, ONCE) + glicko(ONCE, OFTEN) - 1) < 1e-12
PYTHON
