#!/usr/bin/env bash
# A good guess: `skimage.transform.rotate(board, 90, preserve_range=True)` of a square board is `np.rot90(board)` as
# floats, and cast back to integers the board itself.
#
# What happens: the sines and cosines of a quarter turn are not quite 0 and 1, so each cell is a mixture of cells, and
# a piece 1 becomes 0.9999999999999998. Cast to int8 it is 0, and so a quarter of the pieces of an 8x8 board are lost
# by 90 degrees, more than half by 180 and seven of ten by 270 or 360. It grows with the board. Nothing is said.
# `np.round` before the cast gives the right board, and so does `order=0`, which keeps int8. Without `preserve_range`,
# int8 is divided by 127 first, and nothing is left of any piece.
#
# numpy 2.4.6, scipy 1.17.1, scikit-image 0.26.0; December 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 scipy==1.17.1 scikit-image==0.26.0
"$folder/venv/bin/python" - <<'PYTHON'
import numpy as np
from skimage.transform import rotate

ANGLES = (90, 180, 270, 360)
boards = np.random.default_rng(0).integers(-1, 2, (50, 8, 8)).astype(np.int8)


def lose(cast, angle, **options):
    """Return the share of pieces that are not where `np.rot90` puts them."""
    pairs = [(cast(rotate(board, angle, **options)), np.rot90(board, angle // 90)) for board in boards]
    return round(float(sum((found != right).sum() for found, right in pairs) / (boards != 0).sum()), 2)


def cut(turned):
    """Cast a board to int8."""
    return turned.astype(np.int8)


lost = [lose(cut, angle, preserve_range=True) for angle in ANGLES]
rounded = [lose(np.round, angle, preserve_range=True) for angle in ANGLES]
nearest = [lose(cut, angle, preserve_range=True, order=0) for angle in ANGLES]
scaled = [lose(np.round, angle) for angle in ANGLES]
print(f"pieces lost at {ANGLES} degrees: {lost}; rounded {rounded}; order 0 {nearest}; in another range {scaled}")
assert min(lost) > 0.1 and lost[2] > 0.5 and not any(rounded + nearest) and scaled == [1, 1, 1, 1]
PYTHON
