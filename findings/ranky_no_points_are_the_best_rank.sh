#!/usr/bin/env bash
# A good guess: `ranky.rank([0, 5, 10])` has the greatest score first: ranks 3, 2, 1, of any dtype of numbers.
#
# What happens: scores are negated in their dtype. Of uint8 and the other unsigned ones -0 is 0 and -5 is 251, so who
# has no points is first, and behind it come the others, the best one before the second: 1, 3, 2. `borda`,
# `average_rank`, and with it `uninominal`, in which who has nothing wins all votes, do so too, of arrays and of Series;
# `copeland` and `score` are right. Convert to int64.
#
# numpy 2.4.6, pandas 3.1.1, ranky 1.0.0; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 pandas==3.1.1 ranky==1.0.0
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import numpy as np
import ranky

POINTS = [[0, 0], [5, 7], [10, 12]]  # of three agents in two games


def rate(dtype):
    points = np.array(POINTS, dtype)
    ratings = {"rank": ranky.rank(points[:, 0])}
    ratings |= {name: getattr(ranky, name)(points) for name in ("borda", "uninominal", "copeland")}
    return {name: np.asarray(rating).tolist() for name, rating in ratings.items()}


of_bytes, of_integers = rate(np.uint8), rate(np.int64)
print("agents with 0, 5 and 10 points, as uint8:", of_bytes, "as int64:", of_integers)
assert of_integers == {"rank": [3, 2, 1], "borda": [3, 2, 1], "uninominal": [0, 0, 2], "copeland": [0, 1, 2]}
assert of_bytes == {"rank": [1, 3, 2], "borda": [1, 3, 2], "uninominal": [2, 0, 0], "copeland": [0, 1, 2]}
PYTHON
