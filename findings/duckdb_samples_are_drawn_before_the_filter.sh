#!/usr/bin/env bash
# A good guess: `select * from games where length < 50 using sample 10 rows` draws 10 of the short games, for the clause
# stands last; and `tablesample 10%` of 1,000 games returns about 100.
#
# What happens: the sample is drawn from the whole table, and the filter comes after it: of 300,000 games, 50 of them
# short, hardly ever any is left, and `count(*)` counts only what was drawn. A percentage is drawn in blocks of 2,048
# rows: of 1,000 games all or none. Put the filter into a subquery, and write `10 percent (bernoulli)`. A seed, as in
# `reservoir(10 rows) repeatable (7)`, makes the draw the same every time, and no larger.
#
# numpy 2.4.6, duckdb 2.0.1; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 duckdb==2.0.1
"$folder/venv/bin/python" - <<'PYTHON'
import duckdb
import numpy as np

games = {"game": np.arange(300_000)}
few = {"game": np.arange(1_000)}


def count(query):
    return duckdb.sql(f"select count(*) from ({query})").fetchall()[0][0]


SEEDED = "using sample reservoir(100 rows) repeatable (7)"
behind = count(f"select * from games where game % 2 = 0 {SEEDED}")
within = count(f"select * from (select * from games where game % 2 = 0) {SEEDED}")
alone = count("select * from games using sample 100 rows")
counted = duckdb.sql(f"select count(*) from games where game % 2 = 0 {SEEDED}").fetchall()[0][0]
blocks = {count("select * from few tablesample 10%") for _ in range(200)}
rows = count("select * from few using sample 10 percent (bernoulli, 7)")
print("even games of a sample of 100:", behind, "by a subquery:", within, "10 % of 1,000 games:", sorted(blocks), rows)
assert 20 < behind < 80 and within == alone == 100 and counted == behind
assert blocks == {0, 1_000} and 50 < rows < 150
PYTHON
