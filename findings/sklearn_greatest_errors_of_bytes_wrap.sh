#!/usr/bin/env bash
# A good guess: scikit-learn's measures of error take scores of any integer dtype: `mean_absolute_error` of int8 is
# right, as the differences become floats, and so are the others. No error is greater than `max_error`.
#
# What happens: `max_error` and `median_absolute_error` subtract in the dtype of the scores. Of 100 and -100 in int8
# the greatest error is 56, of the same scores the mean error is 200; of 10 and 200 in uint8 an error is 190 or 66, by
# which one was predicted. Mean, squared and percentage errors, r2_score and pinball losses are right. Nothing is said.
#
# numpy 2.4.6, scipy 1.17.1, scikit-learn 1.9.1; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 scipy==1.17.1 scikit-learn==1.9.1
"$folder/venv/bin/python" -W error - <<'PYTHON'
import numpy as np
from sklearn import metrics

MEASURES = ("mean_absolute_error", "root_mean_squared_error", "median_absolute_error", "max_error")
scores, predicted = np.array([100, 100, 100], np.int8), np.array([-100, -100, -100], np.int8)
seen = {
    name: (float(getattr(metrics, name)(scores, predicted)),
           float(getattr(metrics, name)(scores.astype(float), predicted.astype(float))))
    for name in MEASURES
}
print("errors of 100 predicted as -100, in int8 and as floats:", seen)
assert seen["mean_absolute_error"] == seen["root_mean_squared_error"] == (200, 200)
assert seen["median_absolute_error"] == seen["max_error"] == (56, 200)
low, high = np.array([10], np.uint8), np.array([200], np.uint8)
assert metrics.max_error(high, low) == 190 and metrics.max_error(low, high) == 66
assert metrics.mean_absolute_error(low, high) == metrics.mean_absolute_error(high, low) == 190
PYTHON
