#!/usr/bin/env bash
# A good guess: `fwer_minp(pvalues, distr)` of permute adjusts the p-values of several agents for their number. The
# adjusted ones are in the order of the agents, and none is below its own p-value.
#
# What happens: the p-values are sorted, adjusted, and put back by the permutation that sorted them, and not by its
# inverse. That is right for two agents, and wrong for most orders of more. Of four agents the second beats the others
# with a p-value of 0.0005, and the adjusted one that belongs to it is given to the fourth, which has 0.36 of its own.
# The second is then not significant. Nothing is said. Sort the agents by their p-values before, and take the answers in
# that order.
#
# Beside it, `stratified_two_sample` and `sim_corr` take one minus the p-value of "greater" for that of "less", so that
# what is as extreme as the data counts for neither: if all games pay the same, "less" and "two-sided" are 0. With
# "less" equal agents differ in wins at the level of 0.05 twice as often as they should.
#
# numpy 2.4.6, scipy 1.17.1, cryptorandom 0.4, permute 0.2; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 scipy==1.17.1 cryptorandom==0.4 permute==0.2
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import numpy as np
from permute.core import one_sample
from permute.npc import fwer_minp
from permute.stratified import stratified_two_sample

rng = np.random.default_rng(1)
own, samples = [], []
for seed, gain in enumerate((0.0, 0.9, 0.25, 0.45)):
    value, _, sample = one_sample(rng.normal(gain, 1.5, 40), reps=2000, keep_dist=True, seed=seed)
    own.append(value)
    samples.append(sample)
own, samples = np.array(own), np.array(samples).T
adjusted = fwer_minp(own, samples, combine="tippett")
order = own.argsort()
right = np.empty(4)
right[order] = fwer_minp(own[order], samples[:, order], combine="tippett")

opening, agent = np.repeat([0, 1], 20), np.tile([0, 1], 20)
sides = ("greater", "less", "two-sided")


def compare(wins, side):
    """Return the p-value of two agents in games of two openings."""
    return float(stratified_two_sample(opening, agent, wins, alternative=side, reps=200, seed=1)[0])


draws = {side: compare(np.zeros(40), side) for side in sides}
found = np.mean([compare(rng.integers(0, 2, 40).astype(float), "less") <= 0.05 for _ in range(300)])
print("p-values", own.round(4), "adjusted", adjusted.round(4), "right", right.round(4))
print("all draws:", draws, f"equal agents that differ by 'less' at 0.05: {found:.1%}")
assert (right >= own).all() and right.argmin() == own.argmin() == 1 and adjusted.argmin() == 3
assert adjusted[3] < own[3] and adjusted[1] > 0.3
assert draws == {"greater": 1, "less": 0, "two-sided": 0} and found > 0.08
PYTHON
