#!/usr/bin/env bash
# A good guess: `OneSidedTreatmentLesserTTest` of gbstats tests whether the new agent is worse. Its interval reaches
# from minus infinity to an upper bound above the estimate, which is below 0 where the p-value is below alpha.
#
# What happens: the width is taken off where it had to be added, so the upper bound lies as far below the estimate as it
# should lie above it. No interval holds its own estimate, and of 2,000 comparisons of agents that are equally strong 5
# % and not 95 % hold the difference, 0. An agent that wins one game of 100 more than the other, with a p-value of 0.74,
# has an upper bound below 0, as if it were worse for certain. The p-values are right, and so is all of
# `OneSidedTreatmentGreaterTTest`. Nothing is said. Pass the agents in the other order, and take that one.
#
# numpy 2.4.6, scipy 1.17.1, pandas 3.1.1, pydantic 2.12.5, gbstats 0.8.0; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 scipy==1.17.1 pandas==3.1.1 pydantic==2.12.5
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check --no-deps gbstats==0.8.0
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import numpy as np
from gbstats.frequentist.tests import (
    FrequentistConfig,
    OneSidedTreatmentGreaterTTest,
    OneSidedTreatmentLesserTTest,
)
from gbstats.models.statistics import ProportionStatistic

GAMES, COMPARISONS = 2000, 2000


def compare(test, wins):
    """Compare two agents by their wins, and return the result."""
    old, new = (ProportionStatistic(n=GAMES, sum=int(count)) for count in wins)
    return test(old, new, FrequentistConfig(difference_type="absolute")).compute_result()


rng = np.random.default_rng(0)
held = dict.fromkeys((OneSidedTreatmentGreaterTTest, OneSidedTreatmentLesserTTest), 0)
for _ in range(COMPARISONS):
    wins = rng.binomial(GAMES, 0.5, 2)
    for test in held:
        lower, upper = compare(test, wins).ci
        held[test] += lower <= 0 <= upper
shares = {test.__name__: count / COMPARISONS for test, count in held.items()}
result = compare(OneSidedTreatmentLesserTTest, (1000, 1020))
print(f"difference {result.expected:.3f}, p {result.p_value:.2f}, interval to {result.ci[1]:.3f};", end=" ")
print("intervals of equal agents that hold 0:", shares)
greater, lesser = shares.values()
assert result.ci[1] < 0 < result.expected and result.p_value > 0.6 and greater > 0.93 and lesser < 0.07
PYTHON
