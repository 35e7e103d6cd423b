#!/usr/bin/env bash
# A good guess: `compute_stats(bootstrap(...))` of aind-hierarchical-bootstrap says how likely two groups differ by
# chance. The p-value is the same whichever group stands first, and two groups of equal results have a large one.
#
# What happens: p is the share of samples with a difference of 0 or more, or one minus that where it is above one half.
# Ties count with those that are above. So an agent that has won one of 20 games is better than one that has won none
# with a p-value of 0, and with 0.49 if the other one stands first in the table. Two agents that have lost all games
# differ with a p-value of 0 as well. Nothing is said. Count ties as halves, and double p, which is one-sided.
#
# numpy 2.4.6, scipy 1.17.1, pandas 3.1.1, matplotlib 3.11.2, tqdm 4.70.1, aind-hierarchical-bootstrap 0.0.8; November
# 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 scipy==1.17.1 pandas==3.1.1 matplotlib==3.11.2 tqdm==4.70.1
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check --no-deps aind-hierarchical-bootstrap==0.0.8
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import numpy as np
import pandas as pd
from aind_hierarchical_bootstrap.bootstrap import bootstrap
from aind_hierarchical_bootstrap.stats import compute_stats

np.random.seed(0)


def compare(first, second):
    """Return the p-value of two agents that have played 20 games, five of each opening."""
    games = [
        (agent, number // 5, int(number < wins)) for agent, wins in enumerate((first, second)) for number in range(20)
    ]
    table = pd.DataFrame(games, columns=["agent", "opening", "won"]).astype({"agent": str})
    samples = bootstrap(table, metric="won", top_level="agent", levels=["opening"], nboots=2000)
    return float(compute_stats(samples)["p"].iloc[0])


one_and_none, none_and_one, none_and_none = compare(1, 0), compare(0, 1), compare(0, 0)
print(f"one win and none: p {one_and_none:.3f}, none and one {none_and_one:.3f}, none and none {none_and_none:.3f}")
assert one_and_none == none_and_none == 0 and none_and_one > 0.25
PYTHON
