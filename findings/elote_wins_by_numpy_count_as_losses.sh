#!/usr/bin/env bash
# A good guess: `LambdaArena` of elote asks a function whether the first player has won. What is true is a win, what is
# false a loss, and None a tie; so `points[a] > points[b]` will do, of Python's numbers and of numpy's.
#
# What happens: only the object `True` is a win. A comparison of numpy's numbers returns `np.True_`, which is another
# object, and counts as a loss, and so do 1 and 1.0. Who has won ten games of ten is the last of the leaderboard, and
# nothing is raised. With a tie, a loss or Python's numbers it is right. Pass `bool(points[a] > points[b])`, or
# `outcome=1.0` to `matchup`.
#
# numpy 2.4.6, elote 1.5.1; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 elote==1.5.1
"$folder/venv/bin/python" - <<'PYTHON'
import numpy as np
from elote import LambdaArena

points = {"greedy": np.int32(50), "random": np.int32(40)}


def best(has_won):
    """Return who leads after ten games of `greedy` against `random`."""
    arena = LambdaArena(has_won)
    for _ in range(10):
        arena.matchup("greedy", "random")
    return arena.leaderboard()[0]["competitor"]


compared = best(lambda first, second: points[first] > points[second])
converted = best(lambda first, second: bool(points[first] > points[second]))
one = best(lambda first, second: 1)
print("who leads after greedy has won ten games, told by np.bool, bool and 1:", compared, converted, one)
assert (compared, converted, one) == ("random", "greedy", "random")
PYTHON
