#!/usr/bin/env bash
# A good guess: `get_interval_estimates(..., random_state=np.random.RandomState(1))` of rliable returns the same
# interval each time, and leaves NumPy's global generator alone. Its documentation says that this ensures
# reproducibility.
#
# What happens: runs are drawn from the global generator, whatever is passed. Two calls with the same state give two
# intervals, and two states after the same `np.random.seed` give one. What is drawn by `np.random` after the call
# depends on how many repetitions it had. `StratifiedBootstrap` and `StratifiedIndependentBootstrap` do the same, so
# intervals of profiles and of probabilities of improvement move too. Call `np.random.seed` before each estimate.
#
# numpy 2.4.6, pandas 2.3.3, arch 7.2.0, rliable 1.2.0; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 scipy==1.17.1 pandas==2.3.3 statsmodels==0.15.0 arch==7.2.0 rliable==1.2.0
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import numpy as np
from rliable.library import StratifiedIndependentBootstrap, get_interval_estimates
from rliable.metrics import aggregate_iqm

RETURNS = np.random.RandomState(0).normal(size=(5, 3))  # five seeds, three tasks


def estimate(state):
    """Return the interval of the interquartile mean, with a random state of that number."""
    random_state = np.random.RandomState(state)
    options = {"reps": 200, "random_state": random_state}
    aggregate = lambda scores: np.array([aggregate_iqm(scores)])
    _, intervals = get_interval_estimates({"agent": RETURNS}, aggregate, **options)
    return tuple(intervals["agent"].ravel().round(4).tolist())


def resample(state):
    """Return the sums of resampled returns of two agents, with a random state of that number."""
    bootstrap = StratifiedIndependentBootstrap(RETURNS, RETURNS, random_state=np.random.RandomState(state))
    return [float(sum(part.sum() for part in data)) for data, _ in bootstrap.bootstrap(5)]


np.random.seed(0)
same_state = estimate(1), estimate(1)
assert resample(1) != resample(1)
same_seed = []
for state in (1, 2):
    np.random.seed(0)
    same_seed.append(estimate(state))
print("intervals by one random state:", same_state, "by two of them after one global seed:", same_seed)
assert len(set(same_state)) == 2 and len(set(same_seed)) == 1
PYTHON
