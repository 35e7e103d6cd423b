#!/usr/bin/env bash
# A good guess: `np.histogram(turns, bins, weights=points)` sums the points of each bin as `np.bincount` does, in
# float64, or in int64 as `np.sum` does.
#
# What happens: sums are cast to the dtype of the weights and wrap: 1,000 decisions of 50 points in int16 are -15,536 in
# each bin, and 1,000 ones in int8 are -24. With `weights=wins` of bool a bin is True or False; with edges in place of a
# number of bins bool is refused. `density=True` divides such numbers. `np.histogram2d`, `np.histogramdd` and
# `np.bincount` of the same weights are right. Convert the weights to float.
#
# numpy 2.4.6; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6
"$folder/venv/bin/python" - <<'PYTHON'
import numpy as np

turns = np.arange(3_000) % 30
wins = turns % 2 == 0


def count(weights):
    return np.histogram(turns, bins=3, weights=weights)[0].tolist()


points, ones = np.full(3_000, 50, np.int16), np.ones(3_000, np.int8)
by_dd = np.histogramdd(turns[:, None], bins=3, weights=points)[0].tolist()
won = count(wins)
print("50,000 in int16:", count(points), "by histogramdd:", by_dd, "1,000 in int8:", count(ones), "500 wins:", won)
assert count(points) == [-15_536] * 3 and count(ones) == [-24] * 3 and won == [True] * 3 and isinstance(won[0], bool)
assert by_dd == np.bincount(turns // 10, weights=points).tolist() == count(points.astype(float)) == [50_000] * 3
assert count(wins.astype(float)) == [500] * 3
PYTHON
