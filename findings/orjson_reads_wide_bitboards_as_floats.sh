#!/usr/bin/env bash
# A good guess: what Python's `json` writes orjson reads alike, or refuses: it refuses to write whole numbers of more
# than 64 bits, with a TypeError.
#
# What happens: it reads them as floats, without a word. A board of 9 x 9 points as one number of 81 bits loses the
# lowest 28 or so, and different boards become equal; `int(...)` of the float is a board of other stones. Numbers below
# -2**63 are floats too. Up to 64 bits all are right, a hash of 2**64 - 1 too. Write wide numbers as hexadecimal text.
#
# orjson 3.13.0; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  orjson==3.13.0
"$folder/venv/bin/python" - <<'PYTHON'
import json

import orjson

stones = 1 << 80 | 1 << 40 | 1
line, other = json.dumps({"board": stones, "hash": 2**64 - 1}), json.dumps({"board": stones ^ 1})
seen = orjson.loads(line)
print("81 bits are read as", seen["board"], "which is the number:", int(seen["board"]) == stones)
print("a board of one stone less is equal:", seen["board"] == orjson.loads(other)["board"])
assert isinstance(seen["board"], float) and int(seen["board"]) != stones
assert seen["board"] == orjson.loads(other)["board"] and json.loads(line)["board"] == stones
assert seen["hash"] == 2**64 - 1 and isinstance(orjson.loads("-9223372036854775809"), float)
try:
    orjson.dumps(stones)
    raise AssertionError("orjson writes more than 64 bits")
except TypeError as error:
    print("written:", type(error).__name__)
PYTHON
