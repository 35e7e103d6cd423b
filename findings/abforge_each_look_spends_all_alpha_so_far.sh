#!/usr/bin/env bash
# A good guess: `SequentialTest` of abforge divides `alpha` among the looks at a comparison by its spending function, so
# agents that are alike are told apart in 5 % of comparisons, however often one looks. `futility_threshold` is the
# conditional power below which it gives up, as the docstring says: with 0.05 later than with 0.2.
#
# What happens: each look tests at all of the alpha that is spent so far, as if nothing had been tested before. With 20
# looks equal agents are told apart in 11 % of comparisons by "obrien_fleming", in 16 % by "linear" and in 19 % by
# "pocock". It gives up below 1 - `futility_threshold`: with a conditional power of 0.22 it stops where the threshold is
# 0.05, and goes on where it is 0.9. Nothing is said. Pass half of alpha with "obrien_fleming", and 1 - power.
#
# numpy 2.4.6, scipy 1.17.1, pandas 3.1.1, plotly 6.9.0, abforge 0.1.0; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 scipy==1.17.1 pandas==3.1.1 plotly==6.9.0 abforge==0.1.0
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import numpy as np
from abforge.sequential import SequentialTest

COMPARISONS, LOOKS, GAMES = 1000, 20, 2000


def tell_apart(test, looks, seed):
    """Say whether two agents that win half of their games each are told apart."""
    wins = (np.random.default_rng(seed).random((2, GAMES)) < 0.5).cumsum(axis=1)
    return any(
        test.evaluate(wins[0, games - 1], games, wins[1, games - 1], games, futility_threshold=None).decision
        == "stop_significant"
        for games in range(GAMES // looks, GAMES + 1, GAMES // looks)
    )


seen = {}
for spending in ("obrien_fleming", "linear", "pocock"):
    test = SequentialTest(max_n=GAMES, alpha=0.05, spending=spending)
    seen[spending] = [np.mean([tell_apart(test, looks, seed) for seed in range(COMPARISONS)]) for looks in (LOOKS, 1)]
    print(f"{spending}: equal agents told apart with {LOOKS} looks and one:", *seen[spending])
assert all(0.03 < once < 0.08 and often > 0.09 for often, once in seen.values())

test, decisions = SequentialTest(max_n=GAMES), {}
power = round(test._conditional_power(2.0, 0.5, 0.05, 0.2), 2)
for threshold in (0.05, 0.9):
    decisions[threshold] = test.evaluate(500, 1000, 545, 1000, futility_threshold=threshold).decision
print(f"with a conditional power of {power}, by threshold:", decisions)
assert power == 0.22 and decisions == {0.05: "stop_futile", 0.9: "continue"}
PYTHON
