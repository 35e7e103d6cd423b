#!/usr/bin/env bash
# A good guess: `np.trapezoid(wins)` of an array of bool is the area under zeros and ones, and that of points in int8
# lies between the least and the greatest times the length, for the result is float64.
#
# What happens: neighbours are added before they are halved, in their dtype. Two wins side by side are True, which is
# halved: the area under 300 wins is 149.5, not 299. In int8 the area under points from 64 on is negative. SciPy's
# `trapezoid` and `cumulative_trapezoid` are so too, its `simpson` is right. Convert to float.
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
from scipy import integrate

AREAS = {
    "numpy": np.trapezoid,
    "trapezoid": integrate.trapezoid,
    "cumulative": lambda values: integrate.cumulative_trapezoid(values)[-1],
    "simpson": integrate.simpson,
}
wins, points = np.ones(300, np.bool_), np.full(11, 100, np.int8)
seen = {name: (float(area(wins)), float(area(points))) for name, area in AREAS.items()}
floats = {name: (float(area(wins.astype(float))), float(area(points.astype(float)))) for name, area in AREAS.items()}
print("the areas under 300 wins, and under 100 in int8, ten wide:", seen)
assert seen["numpy"] == seen["trapezoid"] == seen["cumulative"] == (149.5, -280)
assert np.allclose(seen["simpson"], (299, 1_000)) and all(np.allclose(area, (299, 1_000)) for area in floats.values())
PYTHON
