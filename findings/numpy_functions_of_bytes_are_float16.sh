#!/usr/bin/env bash
# A good guess: `np.exp`, `np.log` and `np.sqrt` of small integers are float64, as `np.mean`, a division and `np.exp` of
# int64 are, or float32, as in PyTorch and JAX.
#
# What happens: of int8, uint8 and bool they are float16, with three digits, and infinite from 65,520 on: `np.exp` of 12
# points is infinite, so a softmax of 10, 12 and 11 points is NaN, and a geometric mean of visits around 200 is off by
# more than 0.2. `np.hypot`, `np.arctan2`, `np.log1p` and `np.tanh` are so too. Of int16 and uint16 they are float32.
# Pass `dtype=np.float64`.
#
# numpy 2.4.6; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6
"$folder/venv/bin/python" - <<'PYTHON'
import warnings

import numpy as np

warnings.simplefilter("ignore")
points, visits = np.array([10, 12, 11], np.int8), np.arange(150, 251, dtype=np.uint8)
weights = np.exp(points)
softmax = weights / weights.sum()
KINDS = ("bool", "int8", "uint8", "int16", "uint16", "int32")
dtypes = {kind: str(np.sqrt(np.ones(1, kind)).dtype) for kind in KINDS}
means = [float(np.exp(np.log(numbers).mean())) for numbers in (visits, visits.astype(np.int64))]
exact = np.exp(points, dtype=np.float64)
print("exp of 10, 12, 11 in int8:", weights.tolist(), "their softmax:", softmax.tolist(), "geometric means:", means)
assert weights.dtype == np.float16 and np.isinf(weights).tolist() == [False, True, False] and np.isnan(softmax[1])
assert list(dtypes.values()) == ["float16"] * 3 + ["float32"] * 2 + ["float64"]
assert abs(means[0] - means[1]) > 0.2 and exact.dtype == np.float64 and np.isfinite(exact).all()
assert (points / points).dtype == points.mean().dtype == np.exp(points.astype(np.int64)).dtype == np.float64
PYTHON
