#!/usr/bin/env bash
# A good guess: `repeat(board, "row column -> game row column", game=8)` of einops makes eight boards, as `repeat` of
# PyTorch does, and does the same for an array and for a tensor, which is what einops is for.
#
# What happens: of a numpy array it makes eight boards. Of a tensor all eight are one memory, where the new axis stands
# by itself: a tile laid on the first lies on all of them, and on the board they were made of, without an error. Where
# the new axis is joined to another one, `"row column -> (game row) column"`, they are copies in both. So what was tried
# out with numpy goes wrong with PyTorch. Call `.clone()` before writing.
#
# numpy 2.4.6, torch 2.13.0, einops 0.8.2; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 torch==2.13.0 einops==0.8.2
"$folder/venv/bin/python" - <<'PYTHON'
import warnings

import numpy as np
import torch
from einops import repeat

warnings.simplefilter("error")
MAKES = {
    "numpy": lambda: np.zeros((3, 3), np.int8),
    "torch": lambda: torch.zeros((3, 3), dtype=torch.int8),
}


def lay(make, pattern):
    """Return how many tiles lie on each of eight boards, and on what they were made of, after one was laid."""
    board = make()
    boards = repeat(board, pattern, game=8)
    boards.reshape(8, 3, 3)[0, 1, 1] = 1
    return [int(each.sum()) for each in boards.reshape(8, 3, 3)], int(board.sum())


alone = {name: lay(make, "row column -> game row column") for name, make in MAKES.items()}
joined = {name: lay(make, "row column -> (game row) column") for name, make in MAKES.items()}
print("tiles on eight boards, and on the one they were made of, after one was laid:", alone)
copies = ([1] + [0] * 7, 0)
assert alone == {"numpy": copies, "torch": ([1] * 8, 1)}
assert joined == dict.fromkeys(MAKES, copies)
boards = MAKES["torch"]().repeat(8, 1, 1)
boards[0, 1, 1] = 1
assert int(boards.sum()) == 1
PYTHON
