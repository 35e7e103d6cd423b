#!/usr/bin/env bash
# A good guess: the sequential tests of splita keep to `alpha`, however often one looks, as their docstrings promise: of
# a hundred comparisons of agents that are alike at most some five find a difference. Of the two methods of `EProcess`
# "universal" is said to be the more robust one.
#
# What happens: `EProcess` computes the evidence of all games so far at each update, and multiplies it with that of the
# updates before, so each game counts again and again; by "universal" it never falls. After 400 updates of 10 games each
# all comparisons of equal agents have found a difference by "universal", and nearly half by "grapa".
# `YEASTSequentialTest` compares the z-score with a fixed bound, which a long enough series passes in any case: 15 % do
# so here. Nothing is said. `EValue` and `mSPRT` keep to 5 %, and all do with a single update.
#
# numpy 2.4.6, scipy 1.17.1, splita 0.1.0; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check numpy==2.4.6 scipy==1.17.1 splita==0.1.0
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import numpy as np
from splita.sequential import EProcess, EValue, YEASTSequentialTest, mSPRT

COMPARISONS, UPDATES, GAMES = 200, 400, 10
TESTS = {
    "EProcess, universal": lambda: EProcess(method="universal"),
    "EProcess, grapa": lambda: EProcess(method="grapa"),
    "YEASTSequentialTest": YEASTSequentialTest,
    "EValue": lambda: EValue(metric="continuous"),
    "mSPRT": lambda: mSPRT(metric="continuous"),
}


def find_difference(make, seed, updates):
    """Say whether a test finds a difference between two agents that score alike."""
    returns = np.random.default_rng(seed).normal(size=(2, updates, UPDATES * GAMES // updates))
    test = make()
    return any(test.update(ours, theirs).should_stop for ours, theirs in zip(*returns, strict=True))


found = {}
for name, make in TESTS.items():
    found[name] = np.mean([find_difference(make, seed, UPDATES) for seed in range(COMPARISONS)])
    once = np.mean([find_difference(make, seed, 1) for seed in range(COMPARISONS)])
    print(f"{name}: differences found in {UPDATES} updates {found[name]:.1%}, in one {once:.1%}")
assert found["EProcess, universal"] == 1 and found["EProcess, grapa"] > 0.3
assert 0.08 < found["YEASTSequentialTest"] and max(found["EValue"], found["mSPRT"]) < 0.07
PYTHON
