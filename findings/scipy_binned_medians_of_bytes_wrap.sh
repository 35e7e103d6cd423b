#!/usr/bin/env bash
# A good guess: `binned_statistic(turns, points, "median")` lies between the least and the greatest of a bin, as "min"
# and "max" of the same call do, for "mean" and "sum" are right for small integers.
#
# What happens: the two middle numbers are added in the dtype of the points, also where they are one and the same: the
# median of a bin of 92 is -36 in int8, and that of 200 is 72 in uint8. `binned_statistic_2d` and `binned_statistic_dd`
# do so too. Convert to floats.
#
# numpy 2.4.6, scipy 1.17.1; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 scipy==1.17.1
"$folder/venv/bin/python" - <<'PYTHON'
import numpy as np
from scipy import stats

TURNS = [0, 0, 0, 1, 1]


def summarize(dtype, points):
    values = np.array(points, dtype)
    kinds = ("mean", "min", "median", "max")
    by_dd = stats.binned_statistic_dd([TURNS], values, "median", bins=2).statistic.tolist()
    seen = {kind: stats.binned_statistic(TURNS, values, kind, bins=2).statistic.tolist() for kind in kinds}
    assert by_dd == seen["median"]
    return seen


signed, unsigned = summarize(np.int8, [92, 92, 92, 10, 20]), summarize(np.uint8, [200, 200, 200, 10, 20])
print("92, and 10 and 20, in int8:", signed, "200, and 10 and 20, in uint8:", unsigned)
assert signed == {"mean": [92, 15], "min": [92, 10], "median": [-36, 15], "max": [92, 20]}
assert unsigned == {"mean": [200, 15], "min": [200, 10], "median": [72, 15], "max": [200, 20]}
assert summarize(np.float64, [200, 200, 200, 10, 20])["median"] == [200, 15]
PYTHON
