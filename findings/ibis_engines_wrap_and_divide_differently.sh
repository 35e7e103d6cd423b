#!/usr/bin/env bash
# A good guess: an expression of Ibis has one value, whichever engine computes it; that is what it is for. The type that
# Ibis states for it is the one it is computed in: a sum of two uint8 is uint16, so it holds 400. And `%` belongs to
# `//` as in Python.
#
# What happens: each engine computes in its own way, and Ibis converts what comes out. 200 + 200 of uint8 is 400 in
# SQLite, 144 in Polars, which adds in uint8, and an error in DuckDB; 200 - 201 is 255 in Polars. All are handed out as
# uint16 and int16, as if nothing could have been lost. `//` rounds down everywhere, but `%` has the sign of the divisor
# only in Polars: in DuckDB, which is the default, and in SQLite -1 % 4 is -1, and 4 * (x // 4) + x % 4 is not x. Cast
# to int32 before sums, and write `((x % 4) + 4) % 4` for the column of a cell left of the board.
#
# numpy 2.4.6, ibis-framework 12.0.0, duckdb 2.0.1, polars 2.1.0, pandas 3.1.1, pyarrow 25.0.1; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 'ibis-framework[duckdb,polars,sqlite]==12.0.0' duckdb==2.0.1 polars==2.1.0 pandas==3.1.1 pyarrow==25.0.1
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import ibis
import numpy as np
import pandas as pd

table = ibis.memtable(pd.DataFrame({"points": np.uint8([200, 100]), "cell": np.int8([-1, 7])}))
points, cell = table.points, table.cell
total, lead = points + points, points - ibis.literal(201, type="uint8")
wide = points.cast("int32") + points.cast("int32")
column, whole = cell % 4, 4 * (cell // 4) + cell % 4
around = (cell % 4 + 4) % 4


def compute(engine, expression):
    """Return the values, or the name of the error."""
    try:
        return engine.execute(expression).tolist()
    except Exception as error:
        return type(error).__name__


engines = {"duckdb": ibis.duckdb.connect(), "polars": ibis.polars.connect(), "sqlite": ibis.sqlite.connect()}
expressions = {"200 + 200": total, "200 - 201": lead, "-1 % 4": column, "cell": whole, "wide": wide, "around": around}
seen = {name: [compute(engine, expressions[name]) for engine in engines.values()] for name in expressions}
print("of", list(engines), "types:", [str(total.type()), str(lead.type())], seen)
assert total.type().is_uint16() and lead.type().is_int16()
assert seen["200 + 200"] == ["OutOfRangeException", [144, 200], [400, 200]]
assert seen["200 - 201"] == ["OutOfRangeException", [255, 155], [-1, -101]]
assert seen["-1 % 4"] == [[-1, 3], [3, 3], [-1, 3]] and seen["cell"] == [[-5, 7], [-1, 7], [-5, 7]]
assert seen["wide"] == [[400, 200]] * 3 and seen["around"] == [[3, 3]] * 3
PYTHON
