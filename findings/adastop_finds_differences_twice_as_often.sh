#!/usr/bin/env bash
# A good guess: `MultipleAgentsComparator(alpha=0.05)` of AdaStop says of agents that are alike that one is better in at
# most 5 % of all comparisons, which is what the package is for: its description promises to control that rate, and its
# test is two-sided.
#
# What happens: it does so twice as often. The difference of the means is compared without its sign, but with the upper
# 5 % of differences with their signs: what is larger and what is smaller each come to 5 %. Of all 252 ways to split ten
# returns into two agents of five, 24 are called different at 0.05, and 50 at 0.1, with one look. With two looks it is
# as bad. Halve `alpha`.
#
# numpy 2.4.6, adastop 0.1.3; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 adastop==0.1.3
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
from itertools import combinations

import numpy as np
from adastop import MultipleAgentsComparator

RETURNS = np.random.default_rng(0).normal(size=10)


def decide(alpha, looks, *returns):
    """Return what AdaStop says of two agents, of which it looks at equal parts of the returns one after the other."""
    count = len(returns[0]) // looks
    comparator = MultipleAgentsComparator(n=count, K=looks, alpha=alpha, seed=0)
    for look in range(1, looks + 1):
        seen = {name: agent[: look * count] for name, agent in zip(("first", "second"), returns, strict=True)}
        comparator.partial_compare(seen, verbose=False)
        if comparator.is_finished:
            break
    (decision,) = comparator.decisions.values()
    return decision


def split_all(alpha):
    """Return how often AdaStop finds a difference among all splits of ten returns into two agents."""
    splits = [np.isin(np.arange(10), chosen) for chosen in combinations(range(10), 5)]
    decisions = [decide(alpha, 1, RETURNS[split], RETURNS[~split]) for split in splits]
    return {decision: decisions.count(decision) for decision in ("larger", "smaller", "equal")}


once = {alpha: split_all(alpha) for alpha in (0.05, 0.1)}
rng = np.random.default_rng(0)
twice = np.mean([decide(0.1, 2, *rng.normal(size=(2, 6))) != "equal" for _ in range(500)])
print("agents that are alike, by alpha:", once, "share of differences at 0.1 with two looks:", round(float(twice), 3))
assert once[0.05] == {"larger": 12, "smaller": 12, "equal": 228}
assert once[0.1] == {"larger": 25, "smaller": 25, "equal": 202}
assert twice > 0.15
PYTHON
