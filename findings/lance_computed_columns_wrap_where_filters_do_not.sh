#!/usr/bin/env bash
# A good guess: an expression means the same wherever Lance takes one. As the filter `points - 201 > 0` of uint8 finds
# the right rows, and a number that does not fit is refused, `points - 201` is as right, or refused, as a new column.
#
# What happens: a filter widens, and is right. `add_columns` computes the same expression in the dtype of the column and
# wraps: 200 less 201 is 255, of uint8, and twice 200 is 144. `update` wraps as well: 200 and 100 more is 44, in a file
# that is overwritten; a literal of 300 it refuses. And a filter of two columns, `points + points > 300`, finds nothing.
# Write `cast(points as int) - 201`.
#
# numpy 2.4.6, pyarrow 26.0.1, pylance 14.0.2; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 pyarrow==26.0.1 pylance==14.0.2
"$folder/venv/bin/python" -W ignore - "$folder/points.lance" <<'PYTHON'
import sys

import lance
import pyarrow as pa

table = pa.table({"points": pa.array([200, 255, 3], pa.uint8())})
rows = lance.write_dataset(table, sys.argv[1])


def select(condition):
    return rows.to_table(filter=condition)["points"].to_pylist()


found = {condition: select(condition) for condition in ("points - 201 > 0", "points + points > 300")}
rows.add_columns({"less": "points - 201", "twice": "points * 2", "wide": "cast(points as int) - 201"})
columns = rows.to_table()
added = {name: (columns[name].to_pylist(), str(columns[name].type)) for name in ("less", "twice", "wide")}
rows.update({"points": "points + 100"})
updated = lance.dataset(sys.argv[1]).to_table()["points"].to_pylist()
print("of 200, 255 and 3: filters:", found, "added:", added, "updated by 100:", updated)
assert found == {"points - 201 > 0": [255], "points + points > 300": []}
assert added["less"] == ([255, 54, 58], "uint8") and added["twice"] == ([144, 254, 6], "uint8")
assert added["wide"][0] == [-1, 54, -198] and updated == [44, 99, 103]
try:
    rows.update({"points": "300"})
except ValueError as error:
    assert "300" in str(error)
else:
    raise AssertionError("a literal of 300 was taken")
PYTHON
