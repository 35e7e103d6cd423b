#!/usr/bin/env bash
# A good guess: a filter finds the same rows in a Parquet file as in the table that was written to it.
#
# What happens: groups of rows are left out by their least and largest values, which do not count NaN. Where all other
# values of a group are 3, `value != 3` and even `is_nan` find nothing in it; `~(value <= 3)` finds NaN only in groups
# that have something above 3. In a table all of them find NaN. So rows without an estimate come and go with the size of
# the groups. Filter after reading, mark such rows by null, or write with `write_statistics=False`.
#
# numpy 2.4.6, pyarrow 26.0.1; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 pyarrow==26.0.1
(cd "$folder" && "$folder/venv/bin/python") <<'PYTHON'
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

table = pa.table({"value": [3.0, 3.0, float("nan"), 1.0, 2.0, float("nan")]})
value = pc.field("value")
filters = {"value != 3": value != 3, "is_nan": value.is_nan(), "~(value <= 3)": ~(value <= 3)}


def count(name, **options):
    pq.write_table(table, name, **options)
    return {text: pq.read_table(name, filters=condition).num_rows for text, condition in filters.items()}


in_table = {text: table.filter(condition).num_rows for text, condition in filters.items()}
in_one, in_two = count("one.parquet"), count("two.parquet", row_group_size=3)
print("rows found in the table:", in_table)
print("in a file of one group:", in_one, "of two groups:", in_two)
assert in_table == {"value != 3": 4, "is_nan": 2, "~(value <= 3)": 2}
assert in_one == in_table | {"~(value <= 3)": 0} and in_two == {"value != 3": 3, "is_nan": 1, "~(value <= 3)": 0}
assert count("plain.parquet", row_group_size=3, write_statistics=False) == in_table
PYTHON
