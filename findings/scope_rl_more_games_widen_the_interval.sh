#!/usr/bin/env bash
# A good guess: the intervals of SCOPE-RL, which `ci` of `estimate_intervals` chooses, hold the mean of the returns with
# the confidence that their names state, and become narrower with more games, as the formulas in their docstrings do.
#
# What happens: `ci="hoeffding"` multiplies by the number of games where its formula divides by it: of 10,000 games the
# interval is ten times as wide as of 100, not a tenth, and of returns of 0 and 1 it reaches from -135 to 136. It takes
# the greatest return for the range, so of returns of -1 and 0 both bounds are the mean, however few the games. And
# `ci="ttest"` cuts the whole of alpha off at each end: what is called a 95% interval is the usual one of 90%, and
# misses the mean twice as often as it says. Nothing is said. Take `ci="bootstrap"`, or half of alpha for the t-test.
#
# numpy 2.4.6, scipy 1.17.1, scikit-learn 1.9.1, gym 0.26.2, scope-rl 0.2.1; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 scipy==1.17.1 scikit-learn==1.9.1 gym==0.26.2
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check --no-deps \
  scope-rl==0.2.1
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
from contextlib import redirect_stderr
from io import StringIO

import numpy as np
from scipy.stats import t

with redirect_stderr(StringIO()):
    import gym  # prints that it is no longer maintained
from scope_rl.utils import estimate_confidence_interval_by_hoeffding, estimate_confidence_interval_by_t_test


def bound(estimate, returns):
    """Return the bounds of the 95% interval of the mean of returns."""
    return tuple(round(float(value), 3) for name, value in estimate(returns).items() if "95" in name)


rng = np.random.default_rng(7)
wins = rng.integers(2, size=10_000).astype(float)
few, many = [bound(estimate_confidence_interval_by_hoeffding, wins[:games]) for games in (100, 10_000)]
of_losses = bound(estimate_confidence_interval_by_hoeffding, np.array([-1.0, 0.0] * 5))
samples = rng.normal(size=(4000, 10))
bounds = [bound(estimate_confidence_interval_by_t_test, sample) for sample in samples]
share = np.mean([lower < 0 < upper for lower, upper in bounds]).round(3).item()
print("95% intervals by Hoeffding of 100 and 10,000 games:", few, many, "of ten that return -1 or 0:", of_losses)
print("share of samples whose 95% interval by the t-test holds the mean:", share)
assert np.isclose((many[1] - many[0]) / (few[1] - few[0]), 10) and of_losses == (-0.5, -0.5)
assert 0.88 < share < 0.92
assert np.allclose(bounds[0], t.interval(0.9, 9, samples[0].mean(), samples[0].std(ddof=1) / np.sqrt(10)), atol=0.001)
PYTHON
