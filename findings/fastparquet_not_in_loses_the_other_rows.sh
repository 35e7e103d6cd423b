#!/usr/bin/env bash
# A good guess: `filters=[("game", "not in", [1])]` reads a Parquet file without the rows of game 1. Without
# `row_filter=True` fastparquet leaves out whole groups of rows only, so that it may return too many rows, not too few.
#
# What happens: a group is left out as soon as its least or its greatest value is in the list. A file of four games, in
# one group, without the first one is empty, and nothing is raised; without one in the middle it is right. So a
# training set from which the last game is held back is lost, or its last group is. With `row_filter=True` it is so too.
# `!=` is right, and so is pyarrow.
#
# numpy 2.4.6, pandas 3.1.1, fastparquet 2026.9.0, pyarrow 26.0.1; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 pandas==3.1.1 fastparquet==2026.9.0 pyarrow==26.0.1
FOLDER="$folder" "$folder/venv/bin/python" - <<'PYTHON'
import os

import fastparquet
import pandas as pd

path = os.path.join(os.environ["FOLDER"], "games.parquet")
fastparquet.write(path, pd.DataFrame({"game": [1, 2, 3, 4]}))


def read(held_back):
    filters = [("game", "not in", held_back)]
    return {
        "by row": fastparquet.ParquetFile(path).to_pandas(filters=filters, row_filter=True)["game"].tolist(),
        "by group": fastparquet.ParquetFile(path).to_pandas(filters=filters)["game"].tolist(),
        "pyarrow": pd.read_parquet(path, engine="pyarrow", filters=filters)["game"].tolist(),
    }


first, middle, last = read([1]), read([2]), read([4])
print("without game 1:", first, "without game 2:", middle)
assert first == {"by row": [], "by group": [], "pyarrow": [2, 3, 4]}
assert last == {"by row": [], "by group": [], "pyarrow": [1, 2, 3]}
assert middle == {"by row": [1, 3, 4], "by group": [1, 2, 3, 4], "pyarrow": [1, 3, 4]}
not_equal = fastparquet.ParquetFile(path).to_pandas(filters=[("game", "!=", 1)], row_filter=True)
assert not_equal["game"].tolist() == [2, 3, 4]
PYTHON
