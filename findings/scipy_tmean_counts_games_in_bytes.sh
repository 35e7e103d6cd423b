#!/usr/bin/env bash
# A good guess: `scipy.stats.tmean` of int8 rewards is what numpy's `mean` is, of those between the limits.
#
# What happens: it adds up in int8, and it counts the games in int8 too. Of 256 games the mean is NaN, as none are
# counted; of 300 games with 200 wins and 100 draws it is −1.27, or −56 by 44. Limits change nothing, and there is no
# warning. `trim_mean`, `tvar` and `tstd` are right. Convert to floats first.
#
# numpy 2.4.6, scipy 1.17.1; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 scipy==1.17.1
"$folder/venv/bin/python" -W error - <<'PYTHON'
import numpy as np
from scipy import stats

found = {}
for wins, draws in ((200, 100), (100, 156)):
    rewards = np.repeat([1, 0], (wins, draws)).astype(np.int8)
    found[wins, draws] = round(float(stats.tmean(rewards)), 2)
    assert np.isclose(stats.tmean(rewards.astype(float)), rewards.mean())
    assert np.array_equal(stats.tmean(rewards, (-1, 1)), stats.tmean(rewards), equal_nan=True)
    assert np.isclose(stats.trim_mean(rewards, 0), rewards.mean())
    assert np.isclose(stats.tvar(rewards), rewards.var(ddof=1)) and np.isclose(stats.tstd(rewards), rewards.std(ddof=1))
print("means of wins and draws:", found)
assert found[200, 100] == -1.27 and np.isnan(found[100, 156])
PYTHON
