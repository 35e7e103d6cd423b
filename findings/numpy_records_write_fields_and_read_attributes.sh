#!/usr/bin/env bash
# A good guess: a field of an `np.record` whose name is taken, such as `size`, `base` or `round`, is either refused,
# or always the field, or always what the name means for every numpy scalar.
#
# What happens: writing `player.size` changes the field, reading it returns the attribute, 1, so `player.size += 3`
# makes 4 of whatever was there. `player.base` is the whole array. Compiled by numba both are the field: a kernel is
# right when compiled and wrong in plain Python (NUMBA_DISABLE_JIT=1), and nothing is raised. More than sixty names
# are taken. Read `player["size"]`, or choose names that `dir(np.record)` does not have.
#
# numpy 2.4.6, numba 0.68.1; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 numba==0.68.1
"$folder/venv/bin/python" - <<'PYTHON'
import numpy as np
from numba import njit

PLAYER = np.dtype((np.record, [("size", np.int16), ("base", np.int16), ("score", np.int16)]))


@njit
def grow(player):
    player.size += 3
    player.score += 3
    return player.size, player.score


def play(step):
    players = np.zeros(2, PLAYER)
    for _ in range(5):
        seen = step(players[0])
    return [*map(int, seen), int(players["size"][0]), int(players["score"][0])]


compiled, plain = play(grow), play(grow.py_func)
taken = [name for name in dir(np.record) if not name.startswith("_")]
print("size and score after five times += 3, as the kernel and as the array has them:", compiled, "plain:", plain)
print(len(taken), "names are taken, among them base, size, round, take and choose")
assert len(taken) > 60 and {"base", "size", "round", "take", "choose"} <= set(taken)
assert compiled == [15, 15, 15, 15] and plain == [1, 15, 4, 15]
players = np.zeros(2, PLAYER)
players[0].base = 7
assert players["base"][0] == 7 and np.shares_memory(players[0].base, players) and players[0].base.shape == (2,)
PYTHON
