#!/usr/bin/env bash
# A good guess: rows appended to a Parquet file must have the dtypes of those that are in it, or are refused, as columns
# of other names are.
#
# What happens: they are cut to the dtypes of the first ones, without a word. Where the first games have whole rewards,
# 0.75 of a later one is stored as 0; after points in int8 300 is stored as 44, and after uint8 -1, nobody, as 255. What
# cannot be cut so, as text, is refused. Give each data frame its dtypes before the first one is written.
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
import numpy as np
import pandas as pd

path = os.path.join(os.environ["FOLDER"], "games.parquet")


def make(reward, points, owner):
    return pd.DataFrame({"reward": reward, "points": points, "owner": owner})


fastparquet.write(path, make([0, 1], np.array([1, 2], np.int8), np.array([0, 1], np.uint8)))
fastparquet.write(path, make([0.75, -0.75], np.array([300, 3], np.int16), np.array([-1, 0])), append=True)
kept = fastparquet.ParquetFile(path).to_pandas()
print("rewards of 0.75 and -0.75, 300 points, the owner -1:", kept[2:].to_numpy().tolist())
assert kept["reward"].tolist() == [0, 1, 0, 0]
assert kept["points"].tolist() == [1, 2, 44, 3] and kept["owner"].tolist() == [0, 1, 255, 0]
assert pd.read_parquet(path, engine="pyarrow").to_numpy().tolist() == kept.to_numpy().tolist()
try:
    fastparquet.write(path, make([0], [1], [0])[["owner", "points"]], append=True)
    raise AssertionError("other columns were appended")
except ValueError as error:
    print("other columns:", type(error).__name__)
PYTHON
