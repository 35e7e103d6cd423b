#!/usr/bin/env bash
# A good guess: pyarrow adds small integers in int64: `cumulative_sum` of the points of a game in int8 ends with what
# `pyarrow.compute.sum` of them is, as in numpy, pandas and Polars.
#
# What happens: `sum`, `mean` and `cumulative_mean` are right, `cumulative_sum` and `cumulative_prod` stay in the dtype
# of the column and wrap: after 100 and 100 comes -56. `pairwise_diff` of uint8 that fall by 2 is 254, where Polars
# widens. With `add`, `multiply` by a Python number is int64, by another column int8. The functions named `_checked`
# raise; cast first.
#
# numpy 2.4.6, pyarrow 26.0.1; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 pyarrow==26.0.1
"$folder/venv/bin/python" - <<'PYTHON'
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

points = pa.array([100, 100, 50], pa.int8())
running = pc.cumulative_sum(points).to_pylist()
total, mean = pc.sum(points).as_py(), pc.cumulative_mean(points).to_pylist()
falls = pc.pairwise_diff(pa.array([5, 3], pa.uint8())).to_pylist()
doubled = pc.multiply(points, 2).to_pylist(), pc.multiply(points, pa.array([2, 2, 2], pa.int8())).to_pylist()
print("running sums of 100, 100, 50:", running, "sum:", total, "running means:", mean, "5 to 3:", falls, end=" ")
print("twice, by a number and by a column:", doubled)
assert running == [100, -56, -6] and total == 250 and mean == [100, 100, 250 / 3]
assert np.cumsum(points.to_numpy()).tolist() == [100, 200, 250]
assert falls == [None, 254] and doubled == ([200, 200, 100], [-56, -56, 100])
PYTHON
