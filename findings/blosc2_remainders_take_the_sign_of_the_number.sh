#!/usr/bin/env bash
# A good guess: `player % 3` of a `blosc2.NDArray` is what Python and numpy make of it, as the description of
# `blosc2.remainder` says: the player before player 0 is −1 % 3, or 2.
#
# What happens: it is −1, as in C: the sign is that of the number, for integers of all sizes and for floats, by `%` and
# by `remainder`. `//` rounds down as in Python, so that `player // 3 * 3 + player % 3` is not the player. Sums are of
# the right remainders, as reductions take another way: those of −1 and −2 are 2 and 1 in sum, and −1 and −2 one by one.
# Add the divisor before, or convert by `player[:]` first.
#
# numpy 2.4.6, blosc2 4.14.1; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 blosc2==4.14.1
"$folder/venv/bin/python" - <<'PYTHON'
import blosc2
import numpy as np

PLAYERS = [-2, -1, 0, 1]

for dtype in (np.int8, np.int32, np.int64, np.float32, np.float64):
    plain = np.array(PLAYERS, dtype)
    player = blosc2.asarray(plain)
    found = (player % 3)[:].tolist(), blosc2.remainder(player, 3)[:].tolist()
    print(np.dtype(dtype).name, "remainders:", found[0], "by numpy:", (plain % 3).tolist())
    assert found == (PLAYERS, PLAYERS) and (plain % 3).tolist() == [1, 2, 0, 1]
    if np.issubdtype(dtype, np.integer):
        assert (player // 3)[:].tolist() == [-1, -1, 0, 0]
assert "equivalent to the Python modulus operator" in blosc2.remainder.__doc__
PYTHON
