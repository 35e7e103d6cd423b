#!/usr/bin/env bash
# A good guess: `groupby("game").sum(skipna=True)` of xarray adds int8 up in int64, as without `skipna`, for integers
# have nothing to skip. What is installed beside xarray changes how fast it is.
#
# What happens: where flox and numbagg are both installed, as `xarray[accel]` does, numbagg adds in the dtype of the
# array: three times 100 is 44, and 200 wins are −56. The result says int64, as it is converted afterwards. `prod` wraps
# in the same way. Without numbagg, without `skipna=True`, or without `groupby` it is right. Convert to int64 first.
#
# numpy 2.4.6, xarray 2026.9.0, flox 0.11.2, numbagg 0.9.6, numba 0.68.1; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 xarray==2026.9.0 flox==0.11.2 numba==0.68.1
cat >"$folder/measure.py" <<'PYTHON'
import numpy as np
import xarray

played = {"game": ("move", np.repeat([0, 1], (3, 200)))}
points = xarray.DataArray(np.repeat([100, 1], (3, 200)).astype(np.int8), dims="move", coords=played)
by_game = points.groupby("game")
skipping, plain, product = by_game.sum(skipna=True), by_game.sum(), by_game.prod(skipna=True)
assert skipping.dtype == plain.dtype == np.int64
assert points.sum(skipna=True) == 500
print(skipping.values.tolist(), plain.values.tolist(), product.values.tolist())
PYTHON
without=$("$folder/venv/bin/python" "$folder/measure.py")
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check numbagg==0.9.6
with=$("$folder/venv/bin/python" "$folder/measure.py")
echo "sums with skipna, sums, products with skipna: $without, with numbagg: $with"
test "$without" = "[300, 200] [300, 200] [1000000, 1]"
test "$with" = "[44, -56] [300, 200] [64, 1]"
