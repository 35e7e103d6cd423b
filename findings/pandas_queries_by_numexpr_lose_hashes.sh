#!/usr/bin/env bash
# A good guess: numexpr, once installed, makes `query` and `eval` of pandas faster, and what they return stays the same:
# `games.query("hash > 0")` is `games[games["hash"] > 0]`.
#
# What happens: numexpr has no uint64, and reads it as int64: hashes from 2**63 on are negative, so of positions whose
# hash is above 0 half are not found. Nothing is raised, unless the number itself is so large. It adds bytes in int32,
# where pandas wraps: of 200 and 100 in uint8 the sum is 300 with numexpr and 44 without. A whole number divided by 0
# by `//` is 0, and not infinite, and `abs` of int64 returns floats, which loses numbers above 2**53. So a query finds
# other rows on a machine where some other package has brought numexpr along. Pass `engine="python"`, or use masks.
#
# numpy 2.4.6, pandas 3.1.1, numexpr 2.14.2; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 pandas==3.1.1 numexpr==2.14.2
"$folder/venv/bin/python" - <<'PYTHON'
import numpy as np
import pandas as pd

games = pd.DataFrame(
    {
        "hash": np.array([5, 2**63 + 5, 2**64 - 1], np.uint64),
        "home": np.array([200, 100, 255], np.uint8),
        "away": np.array([100, 100, 1], np.uint8),
        "nodes": [2**53 + 1, 7, -7],
        "seconds": [0, 1, 2],
    }
)


def ask(**options):
    return {
        "hash > 0": games.query("hash > 0", **options).index.tolist(),
        "home + away": games.eval("home + away", **options).tolist(),
        "home + away > 255": games.query("home + away > 255", **options).index.tolist(),
        "nodes // seconds": games.eval("nodes // seconds", **options).tolist()[0],
        "abs(nodes)": int(games.eval("abs(nodes)", **options)[0]),
    }


plain, fast = ask(engine="python"), ask()
for asked in plain:
    print(f"{asked}: {plain[asked]} without numexpr, {fast[asked]} with it")
assert games[games["hash"] > 0].index.tolist() == plain["hash > 0"] == [0, 1, 2] and fast["hash > 0"] == [0]
assert plain["home + away"] == [44, 200, 0] and fast["home + away"] == [300, 200, 256]
assert plain["home + away > 255"] == [] and fast["home + away > 255"] == [0, 2]
assert plain["nodes // seconds"] == float("inf") and fast["nodes // seconds"] == 0
assert plain["abs(nodes)"] == 2**53 + 1 and fast["abs(nodes)"] == 2**53
PYTHON
