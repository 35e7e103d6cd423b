#!/usr/bin/env bash
# A good guess: `ot.dist` of POT, by which optimal transport compares two sets of positions, returns the distances of
# `scipy.spatial.distance.cdist`, whose names it takes, as floats.
#
# What happens: "euclidean" and "sqeuclidean", the default, are computed by products of the boards in their own dtype,
# and what falls below 0 is set to 0. Two boards of int8 with 225 cells, one empty and one full of 1, are at distance 0
# as soon as more than 127 cells differ, and cells of 0 to 100 have distances up to 127. So `ot.emd2` of such costs
# finds that two sets of positions are the same. For "cityblock" SciPy is asked, which is right. Convert to floats
# first.
#
# numpy 2.4.6, scipy 1.17.1, POT 0.9.7.post1; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 scipy==1.17.1 POT==0.9.7.post1
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import numpy as np
import ot
from scipy.spatial.distance import cdist

FILLED = [100, 127, 128, 225]
boards = (np.arange(225) < np.array(FILLED)[:, None]).astype(np.int8)
empty = np.zeros_like(boards)


def measure(dtype):
    """Return by metric the distances from boards of so many stones to an empty one, and the cost of moving all."""
    costs = {metric: ot.dist(boards.astype(dtype), empty.astype(dtype), metric) for metric in METRICS}
    moved = [round(float(ot.emd2(np.full(4, 0.25), np.full(4, 0.25), cost)), 1) for cost in costs.values()]
    return {metric: np.round(cost[:, 0], 1).tolist() for metric, cost in costs.items()}, moved


METRICS = "sqeuclidean", "euclidean", "cityblock"
of_bytes, of_floats = measure(np.int8), measure(np.float64)
print("of", FILLED, "stones to an empty board, and the cost of moving all:", of_bytes, "as floats:", of_floats)
expected = {metric: np.round(cdist(boards, empty, metric)[:, 0], 1).tolist() for metric in METRICS}
assert of_floats == (expected, [145.0, 11.9, 145.0])
assert of_bytes[0]["sqeuclidean"] == [100, 127, 0, 0] and of_bytes[0]["cityblock"] == FILLED
assert np.allclose(of_bytes[0]["euclidean"], [10, 11.3, 0, 0], atol=0.01) and of_bytes[1] == [56.8, 5.3, 145.0]
assert not ot.dist(boards[3:], empty).any()
PYTHON
