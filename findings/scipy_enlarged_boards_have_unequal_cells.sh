#!/usr/bin/env bash
# A good guess: `zoom(board, 3, order=0)` shows each cell three times, as `numpy.repeat` and scikit-image's `rescale`
# do; and `shift(board, 1, order=0, mode="wrap")` moves a board that is joined at its edges, as `numpy.roll` does.
#
# What happens: both take the middle of the first cell and the middle of the last for the ends of the board. Enlarged,
# cells at the edge are thinner and those inside thicker: of 4 cells, each 4 times, 3, 5, 5 and 3 come out, so a picture
# shows a mark in another place than a click finds it. Shifted, the board repeats after one cell less, and one is lost.
# `convolve` with the same word "wrap" joins edges rightly. Ask for `grid_mode=True, mode="grid-constant"` and for
# `mode="grid-wrap"`. Twice the size comes out right by either.
#
# numpy 2.4.6, scipy 1.17.1, scikit-image 0.26.0; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 scipy==1.17.1 scikit-image==0.26.0
"$folder/venv/bin/python" -W error - <<'PYTHON'
import numpy as np
from scipy import ndimage
from skimage.transform import rescale

board = np.arange(4, dtype=np.uint8)
equal = np.repeat(board, 4).tolist()
large = ndimage.zoom(board, 4, order=0).tolist()
shifted = ndimage.shift(board, 1, order=0, mode="wrap").tolist()
print("4 cells, each 4 times:", large, "and shifted by one:", shifted)
assert large == [0] * 3 + [1] * 5 + [2] * 5 + [3] * 3
assert ndimage.zoom(board, 4, order=0, grid_mode=True, mode="grid-constant").tolist() == equal
assert rescale(board, 4, order=0).tolist() == equal and ndimage.zoom(board, 2, order=0).tolist() == equal[::2]
assert shifted == [2, 0, 1, 2] and np.roll(board, 1).tolist() == [3, 0, 1, 2]
assert ndimage.shift(board, 1, order=0, mode="grid-wrap").tolist() == [3, 0, 1, 2]
assert ndimage.convolve(board, [0, 0, 1], mode="wrap").tolist() == [3, 0, 1, 2]
PYTHON
