#!/usr/bin/env bash
# A good guess: Hugging Face's `datasets` in the format of numpy returns columns in the dtypes of its features, and
# `games[0]["hash"]` is `games[:]["hash"][0]`.
#
# What happens: a number of a single row has its own dtype. Of several rows, of a list in a row and in `iter` numbers
# become int64 and float32: hashes in uint64 from 2**63 on are negative, so a position looked up by one row is not found
# among many, and a float64 of 16,777,217 is 16,777,216. Nothing is raised, and the features still say uint64 and
# float64. `with_format("numpy", dtype=...)` takes one dtype for all columns. Read hashes by `with_format("arrow")`.
#
# numpy 2.4.6, datasets 5.2.0; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 datasets==5.2.0
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import numpy as np
from datasets import Dataset

HASH, COUNT = 2**63 + 5, 2**24 + 1
columns = {"hash": np.array([HASH, 7], np.uint64), "count": np.array([COUNT, 1], float)}
games = Dataset.from_dict(columns).with_format("numpy")
one, many = games[0], games[:]
print("one row:", one, "many rows:", many, "features:", {name: value.dtype for name, value in games.features.items()})
assert (one["hash"].dtype, one["count"].dtype) == (np.uint64, np.float64)
assert int(one["hash"]) == HASH and float(one["count"]) == COUNT
assert (many["hash"].dtype, many["count"].dtype) == (np.int64, np.float32)
assert int(many["hash"][0]) == HASH - 2**64 and float(many["count"][0]) == COUNT - 1
assert not (many["hash"] == one["hash"]).any()
lists = Dataset.from_dict({"seen": columns["hash"].reshape(1, 2)}).with_format("numpy")
assert int(lists[0]["seen"][0]) == int(next(games.iter(1))["hash"][0]) == HASH - 2**64
assert int(games.with_format("arrow")[:]["hash"].to_numpy()[0]) == HASH
assert [value.dtype for value in games.features.values()] == ["uint64", "float64"]
PYTHON
