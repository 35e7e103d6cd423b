#!/usr/bin/env bash
# A good guess: closing fills gaps and takes nothing away: what is set in a board is set in `binary_closing(board)` too,
# as the definition has it, and as in `grey_closing` and in scikit-image.
#
# What happens: after growing, scipy's `binary_closing` takes what lies outside the board for empty and shrinks from
# there as well. Every cell at the edge of the board becomes empty; with `iterations=2` the two outermost rings do. Of a
# region that fills a board of 3x3 the middle cell is left. Nothing is said, and inside the board all is right. Pad the
# board with empty cells first, and cut them off afterwards.
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
from skimage.morphology import closing

board = np.ones((9, 9), bool)
board[4, 4] = False
cells = {
    "the board": int(board.sum()),
    "binary_closing": int(ndimage.binary_closing(board).sum()),
    "of two iterations": int(ndimage.binary_closing(board, iterations=2).sum()),
    "grey_closing": int(ndimage.grey_closing(board.astype(np.int8), 3).sum()),
    "scikit-image": int(closing(board).sum()),
    "padded": int(ndimage.binary_closing(np.pad(board, 1))[1:-1, 1:-1].sum()),
}
print("cells that are set of 81, one gap in the middle:", cells)
assert cells["the board"] == 80 and cells["binary_closing"] == 49 and cells["of two iterations"] == 25
assert cells["grey_closing"] == cells["scikit-image"] == cells["padded"] == 81
PYTHON
