#!/usr/bin/env bash
# A good guess: `scipy.spatial.distance.cityblock(a, b)` of two boards is the entry that `cdist([a], [b], "cityblock")`
# has for them, whatever the dtype: both convert to floats.
#
# What happens: only `cdist` and `pdist` do. `cityblock`, `euclidean` and `chebyshev` subtract in uint8: boards that
# differ in 135 cells by 1 are 20,455 apart. `cosine` multiplies and adds in bool, so that of any two masks with an
# action in common it is 0, and in uint8 it is anything. `sqeuclidean`, `hamming` and `jaccard` are right. Convert to
# floats.
#
# numpy 2.4.6, scipy 1.17.1; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 scipy==1.17.1
"$folder/venv/bin/python" - <<'PYTHON'
import numpy as np
from scipy.spatial import distance

first, second = np.random.default_rng(0).random((2, 400)) < 0.8


def measure(name, dtype):
    a, b = first.astype(dtype), second.astype(dtype)
    return round(float(getattr(distance, name)(a, b)), 3), round(float(distance.cdist([a], [b], name)[0, 0]), 3)


seen = {name: measure(name, np.uint8) for name in ("cityblock", "euclidean", "chebyshev", "cosine", "sqeuclidean")}
masks = measure("cosine", np.bool_)
print("two boards of 0 and 1 in uint8, alone and by cdist:", seen, "cosine of masks:", masks)
assert seen["cityblock"] == (20_455, 135) and seen["chebyshev"] == (255, 1)
assert seen["euclidean"] == (2_280.801, 11.619) and seen["sqeuclidean"] == (135, 135)
assert seen["cosine"] == (0, 0.215) and masks == (0, 0.215)
assert measure("cosine", np.float64) == (0.215, 0.215)
PYTHON
