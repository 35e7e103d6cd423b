#!/usr/bin/env bash
# A good guess: `test = duckdb.sql("from games using sample 100")` is a sample, so `games anti join test` are the games
# to train on, and none of them is in `test.df()`.
#
# What happens: it is a query, which runs anew wherever it is used: each `df()` holds other games, and those that a join
# leaves out are yet others. Of 100 test games about 90 are among the 900 to train on. `create table test as` keeps a
# sample, and `using sample reservoir(100 rows) repeatable (7)` draws the same one each time.
#
# numpy 2.4.6, pandas 3.1.1, duckdb 2.0.1; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 pandas==3.1.1 duckdb==2.0.1
"$folder/venv/bin/python" - <<'PYTHON'
import duckdb
import numpy as np
import pandas as pd

games = pd.DataFrame({"game": np.arange(1_000)})


def split(clause):
    test = duckdb.sql(f"from games using sample {clause}")  # found by its name in the query below
    assert len(test.columns) == 1
    train = duckdb.sql("from games anti join test using (game)")
    first, second, rest = (set(query.df()["game"]) for query in (test, test, train))
    return len(first & second), len(first & rest), len(rest)


drawn, seeded = split("100 rows"), split("reservoir(100 rows) repeatable (7)")
print("test games the second time, test games to train on, games to train on:", drawn, "with a seed:", seeded)
assert drawn[0] < 40 and drawn[1] > 60 and drawn[2] == 900
assert seeded == (100, 0, 900)
PYTHON
