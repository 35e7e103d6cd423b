#!/usr/bin/env bash
# A good guess: `dask.array.average` and `@` are numpy's, with the same dtype, and do not depend on the chunks.
#
# What happens: `average` multiplies by the weights in the dtype of both: 100 points weighted by visits, both uint8, are
# 7.84 on average, where numpy's average is 100, as it converts to float64 first. `@`, `dot` and `tensordot` multiply
# within a chunk as numpy does, and add the chunks up in 64 bits: of two masks the product is True, 2 or 4 by their
# chunks, and `~` of it is -3, which is true again. `vdot` of masks counts. Convert first.
#
# numpy 2.4.6, dask 2026.8.0; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 dask==2026.8.0
"$folder/venv/bin/python" - <<'PYTHON'
import dask
import dask.array
import numpy as np

dask.config.set(scheduler="sync")
points = np.full(8, 100, np.uint8)
visits = np.array([10, 20, 30, 40] * 2, np.uint8)
mask = np.arange(8) % 2 == 0


def product(values, size):
    chunks = dask.array.from_array(values, chunks=size)
    return (chunks @ chunks).compute().item()


average = dask.array.average(dask.array.from_array(points, chunks=8), weights=visits).compute().item()
masks = [product(mask, size) for size in (8, 4, 2)]
board = dask.array.from_array(np.tile(mask, (2, 1)), chunks=(2, 4))
negated = (~(board @ board.T)).compute().tolist()
print("the average of 100 is", average, "by numpy", np.average(points, weights=visits), end="; ")
print("a mask times itself in chunks of 8, 4, 2:", masks, "by numpy", mask @ mask, "negated", negated)
assert average == 7.84 and np.average(points, weights=visits) == 100
assert masks == [True, 2, 4] and isinstance(masks[0], bool) and (mask @ mask).item() is True
assert negated == [[-3, -3], [-3, -3]]
PYTHON
