#!/usr/bin/env bash
# A good guess: a boolean mask picks the rows of a `Dataset` of Hugging Face where it is True, as in numpy, PyTorch and
# pandas, or is refused, as a mask that is shorter than the dataset should be at least.
#
# What happens: True and False count as 1 and 0, and these as numbers of rows. `games[mask]` returns row 0 or row 1 as
# often as the mask is long, without an error; a mask of another length is taken alike. So do `games.select(mask)` of an
# array, and `games["x"][mask]`, in the format of numpy too, which looks like a masked array. So a training set of one
# player's decisions holds two decisions again and again. Pass `np.flatnonzero(mask)`, or use `filter`.
#
# numpy 2.4.6, datasets 5.2.0; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 datasets==5.2.0
HF_HOME="$folder/cache" HF_HUB_OFFLINE=1 "$folder/venv/bin/python" - <<'PYTHON'
import numpy as np
from datasets import Dataset

games = Dataset.from_dict({"game": [10, 11, 12, 13, 14, 15]})
mask = np.array([False, False, True, True, False, True])
seen = {
    "games[mask]": games[mask]["game"],
    "select": games.select(mask)["game"][:],
    "column": games.with_format("numpy")["game"][mask].tolist(),
    "shorter": games[mask[:3]]["game"],
}
print("of 10 to 15, where a mask wants 12, 13 and 15:", seen)
assert seen["games[mask]"] == seen["select"] == seen["column"] == [10, 10, 11, 11, 10, 11]
assert seen["shorter"] == [10, 10, 11]
assert games.select(np.flatnonzero(mask))["game"][:] == [12, 13, 15]
assert games.with_format("numpy")["game"][:][mask].tolist() == [12, 13, 15]
PYTHON
