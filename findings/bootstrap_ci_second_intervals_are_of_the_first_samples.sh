#!/usr/bin/env bash
# A good guess: `ci(..., nr_bootstrap_samples=..., seed=...)` of a `Bootstrap` of bootstrap-ci samples anew, as a
# comment in it says, and the same seed gives the same interval.
#
# What happens: the statistics of the first samples are kept, and new samples are drawn and not looked at. An interval
# by 10,000 samples that is asked for after one by 10 is the one by 10, whatever the seed. With a new object each time
# it is right. But the default, `method="double"`, and "studentized" draw by numba, whose generator `seed` does not
# set: from 500 samples on, two processes and two calls with one seed give other intervals. Nothing is said. Make a
# new object for each interval, and take `method="bca"` or `scipy.stats.bootstrap`.
#
# numpy 2.4.6, scipy 1.17.1, numba 0.68.1, matplotlib 3.11.2, bootstrap-ci 0.0.1; December 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 scipy==1.17.1 numba==0.68.1 matplotlib==3.11.2 bootstrap-ci==0.0.1
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import numpy as np
from bootstrap_ci import Bootstrap

RETURNS = np.random.default_rng(0).normal(size=30)


def interval(samples, seed, method, bootstrap=None):
    """Return an interval of 95%, by a new object if none is given."""
    bootstrap = bootstrap or Bootstrap(RETURNS, np.mean)
    ends = bootstrap.ci(0.95, side="two", method=method, nr_bootstrap_samples=samples, seed=seed)
    return [round(float(end), 4) for end in ends]


one = Bootstrap(RETURNS, np.mean)
first, second = interval(10, 1, "percentile", one), interval(10_000, 2, "percentile", one)
new = interval(10_000, 2, "percentile")
doubles = [interval(1000, 1, "double") for _ in range(3)]
others = [interval(1000, 1, "bca") for _ in range(3)]
print(f"by 10 samples {first}, by 10,000 then {second}, by a new object {new};", end=" ")
print(f"three of one seed: double {doubles}, bca {others}")
assert first == second != new and len({tuple(ends) for ends in doubles}) == 3 and others[0] == others[1] == others[2]
PYTHON
