#!/usr/bin/env bash
# A good guess: DuckDB sees the same numbers, whether a table comes from pandas or from Parquet: NaN is NaN.
#
# What happens: from pandas and numpy NaN is NULL, which `max`, `avg`, `arg_max` and `count` leave out. From Parquet,
# Arrow and Polars it stays NaN, which is greater than all numbers, and equal to itself: where actions that were not
# searched have NaN as their value, `arg_max(action, value)` chooses one of them, the mean is NaN, and
# `list_max(values)` too. Filter by `isnan`.
#
# numpy 2.4.6, pandas 3.1.1, pyarrow 26.0.1, duckdb 2.0.1; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 pandas==3.1.1 pyarrow==26.0.1 duckdb==2.0.1
"$folder/venv/bin/python" - <<'PYTHON'
import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa

columns = {"action": np.array([3, 5, 8]), "value": np.array([0.25, np.nan, -1.0], np.float32)}
tables = {"pandas": pd.DataFrame(columns), "arrow": pa.table(columns), "numpy": columns}


def ask(games):
    asked = "arg_max(action, value), avg(value), count(value), bool_or(isnan(value))"
    return duckdb.sql(f"select {asked} from games").fetchall()[0]


seen = {name: ask(table) for name, table in tables.items()}
lists = pa.table({"values": [[0.25, float("nan")], [0.5]]})
greatest = [row[0] for row in duckdb.sql("select list_max(values) from lists").fetchall()]
print("the best of 0.25, NaN, -1, their mean and number, by where they come from:", seen, "of lists:", greatest)
assert seen["pandas"] == seen["numpy"] == (3, -0.375, 2, False) and seen["arrow"][0] == 5
assert np.isnan(seen["arrow"][1]) and seen["arrow"][2:] == (3, True) and np.isnan(greatest[0]) and greatest[1] == 0.5
PYTHON
