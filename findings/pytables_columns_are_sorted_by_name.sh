#!/usr/bin/env bash
# A good guess: a table of PyTables whose description names winner, game, points has its columns in this order, as a
# class or a dict of Python has; and records with the same field names are appended by name.
#
# What happens: columns are sorted by name: game, points, winner. Rows are appended by position, lists of tuples as well
# as records that name their fields: the winner becomes the game, the game the points. Nothing is said as long as the
# kinds of numbers convert. A dtype of numpy as the description keeps its order, and `pos=` in each column sets it.
# Before you append records, compare `table.dtype.names`.
#
# numpy 2.4.6, tables 3.11.1; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 tables==3.11.1
"$folder/venv/bin/python" - <<'PYTHON'
import numpy as np
import tables

DTYPE = np.dtype([("winner", "i4"), ("game", "i4"), ("points", "i4")])
ROWS = [(1, 70, 30)]


class Row(tables.IsDescription):
    winner = tables.Int32Col()
    game = tables.Int32Col()
    points = tables.Int32Col()


def store(file, name, description, rows):
    table = file.create_table("/", name, description)
    table.append(rows)
    row = table[0]
    return {column: row[column].item() for column in DTYPE.names}


with tables.open_file("memory", "w", driver="H5FD_CORE", driver_core_backing_store=0) as file:
    of_tuples = store(file, "tuples", Row, ROWS)
    of_records = store(file, "records", Row, np.array(ROWS, DTYPE))
    by_dtype = store(file, "dtype", DTYPE, ROWS)
print("winner 1, game 70, points 30, as tuples:", of_tuples, "as records:", of_records, "by a dtype:", by_dtype)
assert of_tuples == of_records == {"winner": 30, "game": 1, "points": 70}
assert by_dtype == {"winner": 1, "game": 70, "points": 30}
PYTHON
