#!/usr/bin/env bash
# A good guess: `scipy.stats.describe(wins)` of an array of bool is that of zeros and ones: `mean` is the win rate, and
# `variance` what `np.var(wins, ddof=1)` is.
#
# What happens: the mean is right, the variance is infinite: n - 1 is computed in bool. `variation(wins, ddof=1)` is
# infinite too, and `bartlett` of two agents' wins is NaN. `sem`, `ttest_1samp`, `skew` and `zscore` of the same array
# are right. Convert to float.
#
# numpy 2.4.6, scipy 1.17.1; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 scipy==1.17.1
"$folder/venv/bin/python" - <<'PYTHON'
import warnings

import numpy as np
from scipy import stats

warnings.simplefilter("ignore")
wins, others = np.arange(100) % 10 < 6, np.arange(100) % 10 < 5


def summarize(first, second):
    seen = stats.describe(first)
    variation = stats.variation(first, ddof=1)
    numbers = (seen.mean, seen.variance, variation, stats.bartlett(first, second).pvalue, stats.sem(first))
    return [round(float(number), 3) for number in numbers]


of_bool, of_float = summarize(wins, others), summarize(wins.astype(float), others.astype(float))
print("mean, variance, variation, p of bartlett and standard error of 60 wins in 100:", of_bool, "as floats:", of_float)
assert of_bool[:3] == [0.6, np.inf, np.inf] and np.isnan(of_bool[3]) and of_bool[4] == 0.049
assert of_float[:3] == [0.6, 0.242, 0.821] and 0.8 < of_float[3] < 0.9 and of_float[4] == 0.049
assert round(np.var(wins, ddof=1), 3) == 0.242
PYTHON
