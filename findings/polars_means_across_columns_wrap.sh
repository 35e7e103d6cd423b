#!/usr/bin/env bash
# A good guess: Polars adds small integers in int64, as its `sum`, `cum_sum`, `rolling_sum`, `list.sum` and `arr.sum`
# do: `sum_horizontal` of three columns of points does so too, and a mean lies between the least and the greatest.
#
# What happens: across columns it adds in the columns' own dtype, and wraps. In Int8 the sum of 100 and 100 is -56, and
# `mean_horizontal` of them is -28. `dot` multiplies in Int8 and adds in Int64: 100 times 100 counts as 16. Sums down a
# column of the same frame are right. Cast first.
#
# polars 2.1.0; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  polars==2.1.0
"$folder/venv/bin/python" - <<'PYTHON'
import polars as pl

points = pl.DataFrame({"first": [100, 100, 100], "second": [100, 100, 100]}).cast(pl.Int8)
wide = points.cast(pl.Int64)
ASKED = {
    "sum_horizontal": pl.sum_horizontal(pl.all()),
    "mean_horizontal": pl.mean_horizontal(pl.all()),
    "dot": pl.col("first").dot(pl.col("second")),
    "sum": pl.col("first").sum(),
    "list.sum": pl.concat_list(pl.all()).list.sum(),
}
seen = {name: (points.select(asked).item(0, 0), wide.select(asked).item(0, 0)) for name, asked in ASKED.items()}
print("of columns of 100 in Int8, and in Int64:", seen)
assert seen["sum_horizontal"] == (-56, 200) and seen["mean_horizontal"] == (-28, 100) and seen["dot"] == (48, 30_000)
assert seen["sum"] == (300, 300) and seen["list.sum"] == (200, 200)
PYTHON
