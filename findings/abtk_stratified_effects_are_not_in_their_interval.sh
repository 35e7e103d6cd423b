#!/usr/bin/env bash
# A good guess: `BootstrapTest(stratify=True)` of abtk compares two agents as if both had played each opening equally
# often. `effect` is the difference that the interval and the p-value are about, so it lies in the interval.
#
# What happens: only the resamples are balanced. `effect`, `value_1` and `value_2` are those of all games as they were
# played. Where the agent that is worse in each opening has played more games of the easy one, `effect` says that it
# wins 14 games of 100 more, and the interval, from 8 to 0 games, that it wins fewer, so that the wrong sign stands
# beside `reject`, which is True. Nothing is said. Take the mean of the differences within the strata.
#
# Beside it, "benjamini-yekutieli" of `adjust_pvalues` leaves out its factor for the greatest p-value, and as none may
# be above that, all are significant where the greatest is below alpha, as without a correction.
#
# numpy 2.4.6, scipy 1.17.1, pandas 3.1.1, statsmodels 0.15.0, abtk 0.4.0; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 scipy==1.17.1 pandas==3.1.1 statsmodels==0.15.0 abtk==0.4.0
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
from dataclasses import replace

import numpy as np
from core.data_types import SampleData
from statsmodels.stats.multitest import multipletests
from tests.nonparametric import BootstrapTest
from utils.corrections import adjust_pvalues

GAMES = 1000
WINS = {"easy": 0.8, "hard": 0.3}


def play(name, share_of_easy, strength):
    """Play games of which a share are of the easy opening."""
    openings = ["easy" if game < GAMES * share_of_easy else "hard" for game in range(GAMES)]
    wins = [float(rng.random() < WINS[opening] + strength) for opening in openings]
    return SampleData(data=wins, strata=openings, name=name)


rng = np.random.default_rng(0)
good, bad = play("good", 0.3, 0), play("bad", 0.7, -0.1)
test = BootstrapTest(test_type="absolute", stratify=True, n_samples=2000, random_seed=0)
result = test.compare([good, bad])[0]
within = [bad.data[bad.strata == name].mean() - good.data[good.strata == name].mean() for name in WINS]
print("differences within the openings", np.round(within, 3), f"effect {result.effect:.3f}", end=" ")
print(f"interval {result.left_bound:.3f} to {result.right_bound:.3f}, reject", result.reject)
assert max(within) < 0 < 0.1 < result.effect and result.right_bound < 0 and result.reject

p_values = [0.01, 0.02, 0.03, 0.04]
adjusted = adjust_pvalues([replace(result, pvalue=p) for p in p_values], method="benjamini-yekutieli")
right = multipletests(p_values, method="fdr_by")[1]
print("p-values", p_values, "adjusted", [round(float(one.pvalue), 3) for one in adjusted], "right", right.round(3))
assert all(one.reject for one in adjusted) and right.min() > 0.08
PYTHON
