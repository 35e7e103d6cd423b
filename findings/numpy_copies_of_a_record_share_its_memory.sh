#!/usr/bin/env bash
# A good guess: `np.array(states[3])` and `np.copy(states[3])` copy one record of a structured array, as they copy
# `states[3:4]` and everything else, so a search can keep them and play on.
#
# What happens: they return an array without axes that shares the record's memory, also with `copy=True`: what is
# played later is in the "copy" too, and writing to it changes the game. With `dtype=states.dtype`, though it is the
# dtype that it has, the same call copies. So do `states[3].copy()`, `copy.copy` and `np.array([states[3]])`.
#
# numpy 2.4.6, and 1.26.4; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6
"$folder/venv/bin/python" - <<'PYTHON'
import copy

import numpy as np

states = np.zeros(4, [("board", np.int8, (3, 3)), ("turn", np.int8)])
ways = {
    "np.array": np.array,
    "np.array, copy=True": lambda state: np.array(state, copy=True),
    "np.copy": np.copy,
    "np.array, dtype=": lambda state: np.array(state, dtype=states.dtype),
    "np.array of a list": lambda state: np.array([state]),
    "copy.copy": copy.copy,
    ".copy()": lambda state: state.copy(),
    "np.copy of a slice": lambda state: np.copy(states[3:4]),
}
kept = {name: way(states[3]) for name, way in ways.items()}
kept |= {f"{name}, np.record": way(states.view(np.recarray)[3]) for name, way in list(ways.items())[:3]}
states[3]["turn"] = 9
shared = [name for name, state in kept.items() if np.all(state["turn"] == 9)]
print("copies of a record that see what is written later:", "; ".join(shared))
assert shared == [*list(ways)[:3], *list(kept)[-3:]]
kept["np.copy"]["turn"] = 5
assert states[3]["turn"] == 5
PYTHON
