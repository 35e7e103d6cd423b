#!/usr/bin/env bash
# A good guess: a `bitarray` is a sequence of 280 bits, one per action: `np.asarray(mask)` has 280 entries, and
# `np.flatnonzero(mask)` are the legal actions.
#
# What happens: numpy takes the packed memory, 35 bytes. `np.flatnonzero` returns the numbers of bytes that hold a bit,
# `values[mask]` chooses by these bytes as indices, `np.sum` adds them. Nothing is said. `len(mask)`, `sum(mask)`,
# `list(mask)` and `mask.search(...)` know bits. Unpack first: `np.frombuffer(mask.unpack(), np.bool_)`.
#
# numpy 2.4.6, bitarray 3.12.3; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 bitarray==3.12.3
"$folder/venv/bin/python" - <<'PYTHON'
import numpy as np
from bitarray import bitarray

mask = bitarray(280)
mask[[7, 100]] = True
values = np.arange(280)
legal = np.flatnonzero(mask).tolist()
chosen = values[mask]
unpacked = np.frombuffer(mask.unpack(), np.bool_)
print("legal are 7 and 100, to numpy:", legal, "of", np.asarray(mask).size, "the sum is", np.sum(mask), end=" ")
print("and values[mask] has", chosen.size, "entries:", np.unique(chosen).tolist())
assert legal == [0, 12] and np.asarray(mask).shape == (35,) and np.sum(mask) == 9
assert chosen.shape == (35,) and np.unique(chosen).tolist() == [0, 1, 8]
assert len(mask) == 280 and sum(mask) == 2 and np.flatnonzero(list(mask)).tolist() == [7, 100]
assert np.flatnonzero(unpacked).tolist() == [7, 100]
PYTHON
