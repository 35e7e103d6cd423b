#!/usr/bin/env bash
# A good guess: `solver.average_policy()` returns the average so far. Kept every few iterations, the policies give a
# learning curve, and can be compared or play each other.
#
# What happens: of `pyspiel.CFRSolver` it is a view, which goes on changing with the solver: policies kept from 20
# and from 220 iterations are equally exploitable. Python's `CFRSolver` returns one object again and again, and
# brings it up to date at each call: a policy stays as it was until `average_policy` is called again. Measure each
# before going on, or copy Python's.
#
# numpy 2.4.6, open_spiel 2.0.2; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 open_spiel==2.0.2
"$folder/venv/bin/python" - <<'PYTHON'
import copy

import pyspiel
from open_spiel.python.algorithms import cfr, exploitability

game = pyspiel.load_game("kuhn_poker")


def observe(solver, measure):
    """Return the exploitability of an early average at once, later, and after another call; and that of a copy."""
    for _ in range(20):
        solver.evaluate_and_update_policy()
    early = solver.average_policy()
    at_once = measure(game, early)
    for _ in range(200):
        solver.evaluate_and_update_policy()
    later = measure(game, early)
    solver.average_policy()
    return [round(float(value), 4) for value in (at_once, later, measure(game, early))]


compiled = observe(pyspiel.CFRSolver(game), pyspiel.nash_conv)
python = observe(cfr.CFRSolver(game), exploitability.nash_conv)
print("one kept policy, at once, 200 iterations later, after another call - C++:", compiled, "Python:", python)
assert compiled[0] > 5 * compiled[1] and compiled[1] == compiled[2]
assert python[0] == python[1] > 5 * python[2]

solver = cfr.CFRSolver(game)
solver.evaluate_and_update_policy()
kept = copy.deepcopy(solver.average_policy())
before = exploitability.nash_conv(game, kept)
for _ in range(50):
    solver.evaluate_and_update_policy()
solver.average_policy()
assert exploitability.nash_conv(game, kept) == before
PYTHON
