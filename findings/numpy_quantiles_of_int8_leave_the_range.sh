#!/usr/bin/env bash
# A good guess: `np.quantile(results, 0.5)` is `np.median(results)`, and no quantile lies outside of the data, whatever
# the dtype: the result is a float64, and `mean`, `std` and `median` of int8 are right.
#
# What happens: the difference of the two neighbours is taken in the dtype of the data, and wraps. With results of -100
# and 100 in int8 the quantile 0.5 is 128, where the median is 0. So it is with `percentile` and `nanquantile`, and in
# int16 where neighbours lie 32,768 apart. Only a single quantile of a single row warns. JAX 0.10.2 is right. Convert to
# float first.
#
# numpy 2.4.6; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6
"$folder/venv/bin/python" -W error - <<'PYTHON'
import numpy as np

results = np.array([-100, 100] * 50, np.int8)
quarters = [0.25, 0.5, 0.75]
found = np.quantile(results, quarters).tolist()
wide = np.quantile(results.astype(np.float64), quarters).tolist()
print("quartiles of -100 and 100, 50 times each, in int8:", found, "in float64:", wide, "median:", np.median(results))
assert found == [-100, 128, 100] and wide == [-100, 0, 100] and np.median(results) == results.mean() == 0
assert np.percentile(results, [50]) == np.nanquantile(results, [0.5]) == 128
assert np.percentile(results.reshape(50, 2), 50, axis=1).tolist() == [128] * 50
assert np.quantile(np.array([-30_000, 30_000], np.int16), [0.5]) == 32_768
assert np.quantile(np.array([0, 255], np.uint8), [0.5]) == 127.5
PYTHON
