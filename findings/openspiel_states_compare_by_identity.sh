#!/usr/bin/env bash
# A good guess: a state equals its clone, as a game equals the same game loaded again, and states can be keys of a
# transposition table.
#
# What happens: games compare by value, states by identity: `state == state.clone()` is False, and so is a
# comparison with a copy read from a pickle. A table with states as keys never finds one, and nothing is raised. Use
# `str(state)` or `tuple(state.history())`.
#
# numpy 2.4.6, open_spiel 2.0.2; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 open_spiel==2.0.2
"$folder/venv/bin/python" - <<'PYTHON'
import pickle

import pyspiel

game = pyspiel.load_game("tic_tac_toe")
state = game.new_initial_state()
state.apply_action(4)
clone, read = state.clone(), pickle.loads(pickle.dumps(state))
table = {state: 0.5}
print("games are equal:", game == pyspiel.load_game("tic_tac_toe"), "- a state and its clone:", state == clone)
print("a table with the state finds its clone:", clone in table, "- their texts are equal:", str(state) == str(clone))
assert game == pyspiel.load_game("tic_tac_toe") and state == state
assert state != clone and state != read and clone not in table
assert str(state) == str(clone) == str(read) and state.history() == clone.history()
PYTHON
