#!/usr/bin/env bash
# A good guess: `diff()` of a column of uint8 in pandas is negative where points fall: it returns float64, so that the
# first row can be NaN, as `points - points.shift()` does, which is right.
#
# What happens: the difference is taken in uint8 and then converted: from 5 to 3 it is 254.0. So it is with
# `DataFrame.diff`, and in uint16, uint32 and uint64; with the nullable `UInt8` it is 254 as well. Signed columns are
# right, and so is `groupby(...).diff()` of the same uint8: differences within one game are right if the games are
# grouped, and wrong if it is the only one. Nothing is raised. Convert to int64 first.
#
# numpy 2.4.6, pandas 3.1.1; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 pandas==3.1.1
"$folder/venv/bin/python" - <<'PYTHON'
import pandas as pd

seen = {}
for dtype in ("uint8", "uint64", "int8"):
    points = pd.Series([5, 3, 100], dtype=dtype)
    found = points.diff(), points - points.shift(), points.groupby([1, 1, 1]).diff()
    seen[dtype] = [float(differences[1]) for differences in found]
    assert all(str(differences.dtype).startswith("float") for differences in found)
print("from 5 to 3 by diff, by shift, by diff of groups:", seen)
assert seen["uint8"] == [254, -2, -2] and seen["uint64"] == [2.0**64, -2, -2] and seen["int8"] == [-2, -2, -2]
frame = pd.DataFrame({"points": pd.Series([5, 3], dtype="uint8")})
assert frame.diff()["points"][1] == 254 and frame["points"].astype("UInt8").diff()[1] == 254
assert frame.astype("int64").diff()["points"][1] == -2
PYTHON
