#!/usr/bin/env bash
# A good guess: whatever the method, the interval of diff-binom-confint for an agent that wins 99 games of 100 holds
# 0.99, and is that of an agent that wins 1 of 100, mirrored.
#
# What happens: by "modified-wilson" the upper bound of 99 wins is 0.00025, which is the lower bound of 1 win, not
# taken from 1. So it is with one to three losses (with one or two, up to 50 games). By "pratt" the lower bound of two
# losses or more lies too high: 0.963 of 98 wins, where the exact interval begins at 0.930, and the interval of 50 of
# 100 leans upwards. The other methods mirror. Nothing is said.
#
# Beside it, `make_risk_report` takes a method for differences, `diff_method`, and uses `method` for them.
#
# numpy 2.4.6, pandas 3.1.1, scipy 1.17.1, diff-binom-confint 0.1.0; December 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 pandas==3.1.1 scipy==1.17.1 diff-binom-confint==0.1.0
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import pandas as pd
from diff_binom_confint import compute_confidence_interval, make_risk_report

METHODS = [
    "wilson", "wilson-cc", "wald", "wald-cc", "agresti-coull", "jeffreys", "clopper-pearson", "arcsine", "logit",
    "pratt", "mid-p", "lik", "blaker", "modified-wilson", "modified-jeffreys",
]  # fmt: skip


def find_interval(wins, method, games=100):
    """Return the bounds of the chance to win."""
    return tuple(round(float(bound), 5) for bound in compute_confidence_interval(wins, games, 0.95, method).astuple())


def is_mirrored(method):
    """Tell whether wins and losses have one interval, seen from both ends, to the second place."""
    pairs = [(find_interval(wins, method), find_interval(100 - wins, method)) for wins in range(101)]
    return all(abs(a[0] + b[1] - 1) < 0.01 and abs(a[1] + b[0] - 1) < 0.01 for a, b in pairs)


crooked = [method for method in METHODS if not is_mirrored(method)]
near = find_interval(99, "modified-wilson"), find_interval(1, "modified-wilson"), find_interval(99, "clopper-pearson")
pratt = [find_interval(wins, method) for wins in (98, 50) for method in ("pratt", "clopper-pearson")]
games = pd.DataFrame({"agent": ["a"] * 40 + ["b"] * 60, "won": [1] * 30 + [0] * 10 + [1] * 30 + [0] * 30})


def report(diff_method):
    """Return the interval of the difference between the agents."""
    found = make_risk_report(games, "won", 1, diff_method=diff_method, return_type="dict")
    bounds = found["agent"]["a"]["1 won Risk Difference"]["confidence_interval"]
    return [round(float(bound), 4) for bound in bounds]


same = report("wald"), report("wilson")
print(f"99 and 1 wins by modified-wilson {near[0]}, {near[1]}, exact {near[2]}; not mirrored: {crooked};", end=" ")
print(f"98 and 50 wins by pratt and exact {pratt}; differences of a report by wald and wilson {same}")
assert crooked == ["pratt", "modified-wilson"] and near[0][1] == near[1][0] < 0.001 < near[0][0] < 0.99
assert pratt[0][0] > 0.96 > 0.93 > pratt[1][0] and same[0] == same[1]
PYTHON
