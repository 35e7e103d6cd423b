#!/usr/bin/env bash
# A good guess: a single list of conditions, `filters=[("player", "==", 0), ("score", ">", 50)]`, keeps the rows for
# which all of them hold. So it is in pyarrow, and fastparquet's documentation says that no OR is made of such a list.
#
# What happens: with `row_filter=True` a row is kept for which any of them holds, so the decisions of both players, and
# those of few points, come along. Groups of rows are left out by all conditions together, so what is kept depends on
# how the file was cut into groups. A list within the list, `[[..., ...]]`, is right.
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

games = pd.DataFrame({"player": [0, 0, 1, 1], "score": [10, 60, 70, 20]})
CONDITIONS = [("player", "==", 0), ("score", ">", 50)]


def read(filters, group):
    path = os.path.join(os.environ["FOLDER"], "games.parquet")
    fastparquet.write(path, games, row_group_offsets=group)
    kept = fastparquet.ParquetFile(path).to_pandas(filters=filters, row_filter=True)
    by_pyarrow = pd.read_parquet(path, engine="pyarrow", filters=filters)
    assert by_pyarrow.to_numpy().tolist() == [[0, 60]]
    return kept.to_numpy().tolist()


one, two, nested = read(CONDITIONS, 4), read(CONDITIONS, 2), read([CONDITIONS], 4)
print("player 0 with more than 50 points:", one, "in two groups of rows:", two, "as a list in a list:", nested)
assert one == [[0, 10], [0, 60], [1, 70]] and two == [[0, 10], [0, 60]] and nested == [[0, 60]]
PYTHON
