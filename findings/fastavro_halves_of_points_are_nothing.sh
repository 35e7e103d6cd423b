#!/usr/bin/env bash
# A good guess: fastavro refuses a value that the schema's type cannot hold, as the reference implementation does, or
# at least does so with `strict=True`.
#
# What happens: it is written as what fits. In a field of type int or long a draw of 0.5 points is 0, a loss. In a
# boolean field -1 for a loss is True. An int holds more than 32 bits. In a union the first type that can take the
# number counts: by ["null", "double", "long"] a seed beyond 2 ** 53 becomes a float, and another seed. Nothing is
# said; `strict=True` only compares names of fields. `validator=True` refuses all but the union. Put "long" first.
#
# fastavro 1.13.1, avro 1.12.2; December 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check fastavro==1.13.1 avro==1.12.2
"$folder/venv/bin/python" - <<'PYTHON'
import io
import json

import avro.datafile
import avro.errors
import avro.io
import avro.schema
import fastavro
import fastavro.validation

FIELDS = {"points": "int", "won": "boolean", "ticks": "int", "seed": ["null", "double", "long"]}
GAME = {"points": 0.5, "won": -1, "ticks": 2**40, "seed": 2**53 + 1}


def make_schema(*names):
    """Return the schema of a record of these fields."""
    return {"type": "record", "name": "game", "fields": [{"name": name, "type": FIELDS[name]} for name in names]}


def store(**options):
    """Write the game, and read it again."""
    file = io.BytesIO()
    fastavro.writer(file, make_schema(*FIELDS), [GAME], **options)
    file.seek(0)
    return next(fastavro.reader(file))


def is_refused(write, name):
    """Tell whether a field by itself raises an error."""
    try:
        write(make_schema(name), {name: GAME[name]})
    except (fastavro.validation.ValidationError, avro.errors.AvroTypeException):
        return True
    return False


def write_validated(schema, record):
    """Write a record by fastavro, with its check."""
    fastavro.writer(io.BytesIO(), schema, [record], validator=True)


def write_by_avro(schema, record):
    """Write a record by the reference implementation."""
    parsed = avro.schema.parse(json.dumps(schema))
    with avro.datafile.DataFileWriter(io.BytesIO(), avro.io.DatumWriter(), parsed) as writer:
        writer.append(record)


games = store(), store(strict=True)
refused = [[name for name in FIELDS if is_refused(write, name)] for write in (write_validated, write_by_avro)]
print(f"{GAME} read as {games[0]}; refused with validator=True: {refused[0]}, by avro: {refused[1]}")
assert games[0] == games[1] == {"points": 0, "won": True, "ticks": 2**40, "seed": 2.0**53}
assert refused[0] == refused[1] == ["points", "won", "ticks"]
PYTHON
