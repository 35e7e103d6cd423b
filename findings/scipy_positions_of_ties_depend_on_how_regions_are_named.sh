#!/usr/bin/env bash
# A good guess: `maximum_position(values, regions, index)` finds in each region the cell that `argmax` would find, the
# first of the greatest, whether one region is named or a list of them.
#
# What happens: a region named by a number gets its first greatest cell, and the same region in a list of regions, be
# it alone there, another one: the last of few, and any of many, as cells are ordered by a sort that is not stable.
# `maximum` itself is right both ways. `extrema` differs too, `minimum_position` agrees on few cells. So one board
# answers with two moves. Take `argmax` of `numpy.where(regions == region, values, -numpy.inf)` instead.
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

values = np.array([[1, 5, 5], [5, 0, 2], [0, 2, 2]], np.int8)
regions = np.array([[1, 1, 1], [1, 1, 1], [2, 2, 2]])


def place(found):
    return tuple(int(index) for index in found)


alone = [place(ndimage.maximum_position(values, regions, region)) for region in (1, 2)]
listed = [place(found) for found in ndimage.maximum_position(values, regions, [1, 2])]
print("greatest cells of two regions, named one by one:", alone, "and in a list:", listed)
expected = [
    np.unravel_index(np.where(regions == region, values, -np.inf).argmax(), values.shape) for region in (1, 2)
]
assert alone == [place(cell) for cell in expected] == [(0, 1), (2, 1)]
assert listed != alone and all(values[cell] == values[other] for cell, other in zip(listed, alone, strict=True))
assert place(ndimage.maximum_position(values, regions, [1])[0]) != alone[0]
assert place(ndimage.extrema(values, regions, [1])[3][0]) != place(ndimage.extrema(values, regions, 1)[3]) == alone[0]
assert ndimage.maximum(values, regions, [1, 2]).tolist() == [5, 2]
PYTHON
