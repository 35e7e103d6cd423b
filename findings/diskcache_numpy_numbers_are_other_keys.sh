#!/usr/bin/env bash
# A good guess: a cache of diskcache is a dict on disk: `cache[np.int64(7)] = value` is found by `cache[7]`, as the two
# are equal and have one hash.
#
# What happens: 7 and 7.0 are one key, numbers of numpy are others, one for each dtype, as they are kept as pickles.
# What was judged by an action from `np.argmax` is missing for `int(action)`; (1, 2) is not (1, np.int64(2)); `memoize`
# computes both; `get` returns None, without a word, and the cache grows. `Index` is so too. True is another key than 1.
# Convert keys by `int`.
#
# numpy 2.4.6, diskcache 5.6.3; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 diskcache==5.6.3
"$folder/venv/bin/python" - <<'PYTHON'
import tempfile

import numpy as np
from diskcache import Cache

with tempfile.TemporaryDirectory() as directory, Cache(directory) as cache:
    for key in (7, np.int64(7), np.uint8(7), 7.0):
        cache[key] = type(key).__name__
    cache[1, 2] = cache[1] = "kept"
    found = [cache.get(7), cache.get(np.uint8(7)), cache.get((1, np.int64(2))), cache.get(True)]
    count = len(cache)
    computed = []

    @cache.memoize()
    def judge(action):
        computed.append(action)
        return 0.5

    for action in (3, 3.0, np.int64(3), np.int64(3)):
        judge(action)
kept = {7: "int", np.int64(7): "int64", np.uint8(7): "uint8", 7.0: "float"}
print("7, int64 7, uint8 7, 7.0:", count - 2, "keys, in a dict", len(kept), "found:", found, "computed:", computed)
assert count == 5 and len(kept) == 1 and found == ["float", "uint8", None, None]
assert [type(action) for action in computed] == [int, float, np.int64]
PYTHON
