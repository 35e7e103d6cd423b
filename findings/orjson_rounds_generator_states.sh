#!/usr/bin/env bash
# A good guess: a faster reader of JSON returns what Python's `json` returns, or raises; and a generator of numpy takes
# no float for its state. So what `json.dumps(generator.bit_generator.state)` wrote can be read by any of them.
#
# What happens: orjson makes a float of each whole number beyond 64 bits, which has 53 bits left, and numpy cuts that
# float back to an integer without a word. The generator draws other numbers than the one that was saved: games go on
# with other deals. `json`, ujson and msgspec read all digits. To write such a state orjson refuses, with a TypeError.
#
# numpy 2.4.6, orjson 3.13.0, ujson 6.1.0, msgspec 0.23.0; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 orjson==3.13.0 ujson==6.1.0 msgspec==0.23.0
"$folder/venv/bin/python" -W error - <<'PYTHON'
import json

import msgspec
import numpy as np
import orjson
import ujson

saved = np.random.default_rng(1)
text = json.dumps(saved.bit_generator.state)
expected = saved.integers(0, 1_000_000, 3).tolist()
drawn = {}
for name, read in {
    "json": json.loads, "ujson": ujson.loads, "msgspec": msgspec.json.decode, "orjson": orjson.loads
}.items():
    generator = np.random.default_rng(2)
    generator.bit_generator.state = read(text)
    drawn[name] = generator.integers(0, 1_000_000, 3).tolist()
print("the next numbers:", expected, "and after reading the state by:", drawn)
assert drawn["json"] == drawn["ujson"] == drawn["msgspec"] == expected
assert drawn["orjson"] != expected and isinstance(orjson.loads(text)["state"]["state"], float)
try:
    orjson.dumps(np.random.default_rng(1).bit_generator.state)
except TypeError as error:
    print("orjson writes no such state:", error)
else:
    raise AssertionError("orjson writes it")
PYTHON
