#!/usr/bin/env bash
# A good guess: `distance_transform_edt` of a board on which no cell is 0, so that there is nothing to measure to,
# returns inf or one large number everywhere, or raises.
#
# What happens: it returns plain small distances: those to a cell that does not exist, in the first column above the
# first row. A meeple in the corner has its nearest tower at a distance of 1 where no tower stands. With
# `return_indices=True` the nearest row is -1, which numpy then reads as the last one. `distance_transform_cdt` returns
# -1 everywhere, `distance_transform_bf` numbers beyond 1e150. Ask `board.all()` first.
#
# numpy 2.4.6, scipy 1.17.1; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 scipy==1.17.1
"$folder/venv/bin/python" -W error - <<'PYTHON'
import numpy as np
from scipy import ndimage

free = np.ones((3, 4), np.int8)
distances, nearest = ndimage.distance_transform_edt(free, return_indices=True)
rows, columns = np.indices(free.shape)
print("distances where there is nothing:", distances.round(2).tolist(), "nearest rows:", nearest[0].tolist())
assert np.allclose(distances, np.hypot(rows + 1, columns)) and (nearest[0] == -1).all() and (nearest[1] == 0).all()
assert (ndimage.distance_transform_cdt(free) == -1).all() and (ndimage.distance_transform_bf(free) > 1e150).all()
free[2, 3] = 0
distances = ndimage.distance_transform_edt(free)
assert np.allclose(distances, np.hypot(rows - 2, columns - 3))
PYTHON
