#!/usr/bin/env bash
# A good guess: two observation spaces that compare equal describe the same observations, so `flatten` makes the
# same row of numbers of them, and a network trained with one can be used with the other.
#
# What happens: `Dict` compares without order, and flattens in the order of its keys: sorted where it was made of a
# dict, as they were named where it was made of keyword arguments or pairs. So `Dict({'planes': p, 'mask': m}) ==
# Dict(planes=p, mask=m)` while the rows differ. Libraries that check a loaded model by `==` do not notice. Make the
# space in one way everywhere.
#
# numpy 2.4.6, gymnasium 1.4.0; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 gymnasium==1.4.0
"$folder/venv/bin/python" - <<'PYTHON'
import numpy as np
from gymnasium.spaces import Dict, Discrete, MultiBinary, flatten, flatten_space

of_dict = Dict({"planes": MultiBinary(3), "mask": MultiBinary(2)})
of_names = Dict(planes=MultiBinary(3), mask=MultiBinary(2))
seen = {"planes": np.array([1, 1, 1], np.int8), "mask": np.array([0, 0], np.int8)}
rows = flatten(of_dict, seen).tolist(), flatten(of_names, seen).tolist()
print("the spaces are equal:", of_dict == of_names, "- one observation as a row of each:", *rows)
assert of_dict == of_names and flatten_space(of_dict) == flatten_space(of_names)
assert rows == ([0, 0, 1, 1, 1], [1, 1, 1, 0, 0])
PYTHON
