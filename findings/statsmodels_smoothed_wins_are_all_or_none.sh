#!/usr/bin/env bash
# A good guess: `lowess` of statsmodels over wins, 1 for a game won and 0 for one lost, is a moving share of wins: near
# 0.2 where one game in five is won.
#
# What happens: it is 0 there. By default it smooths four times, and each time after the first gives less weight to
# games far from the curve, none to those more than six times the median distance away. Where one game in five is won,
# the wins are the outliers, and are forgotten: shares below 0.2 become 0 and those above 0.8 become 1, 0.3 becomes
# about 0.1, and only 0.5 stays. A learning curve rises much more steeply than the agent improves. Returns of 1 and -1
# fare alike. Pass `it=0`.
#
# numpy 2.4.6, scipy 1.17.1, pandas 3.1.1, statsmodels 0.15.0; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 scipy==1.17.1 pandas==3.1.1 statsmodels==0.15.0
"$folder/venv/bin/python" - <<'PYTHON'
import numpy as np
from statsmodels.nonparametric.smoothers_lowess import lowess

GAMES = 2000


def smooth(share, lost=0, **options):
    """Return the smoothed result in the midst of games of which `share` are won, spread evenly."""
    number = np.arange(GAMES)
    won = np.floor((number + 1) * share + 1e-9) > np.floor(number * share + 1e-9)
    results = np.where(won, 1.0, lost)
    return round(float(lowess(results, number, return_sorted=False, **options)[GAMES // 2]), 2) + 0.0


shares = (0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9)
curves = {share: smooth(share) for share in shares}
plain = {share: smooth(share, it=0) for share in shares}
returns = smooth(0.2, lost=-1)
print("smoothed, of each share of wins:", curves, "with it=0:", plain, "of returns of 1 and -1, 0.2 won:", returns)
assert [curves[share] for share in (0.1, 0.2, 0.8, 0.9)] == [0, 0, 1, 1]
assert 0 < curves[0.3] < 0.2 and 0.8 < curves[0.7] < 1 and 0.45 < curves[0.5] < 0.55
assert all(abs(plain[share] - share) < 0.01 for share in shares) and returns == -1
PYTHON
