#!/usr/bin/env bash
# A good guess: `UCB1` of MABWiser tries each arm once first, as the algorithm has it and as its formula divides by the
# number of trials: an opponent without a game has no bound above. So a new checkpoint that `add_arm` adds to the pool
# is played next.
#
# What happens: an arm without a trial has the expectation 0, which is below the bounds of all that were ever rewarded:
# with rewards of 0 and 1 it is never played, whatever `alpha` is, however good it is, and nothing is said. Of arms that
# were there from the beginning, the first one to win alone is played from then on. With rewards of -1 and 1 it is tried
# as soon as all others are below 0. Thompson sampling tries it. Play each new arm once, and pass that to `partial_fit`.
#
# numpy 2.4.6, pandas 3.1.1, scipy 1.17.1, scikit-learn 1.9.1, mabwiser 2.7.4; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 pandas==3.1.1 scipy==1.17.1 scikit-learn==1.9.1 mabwiser==2.7.4
(cd "$folder" && "$folder/venv/bin/python" -W ignore) <<'PYTHON'
import numpy as np
from mabwiser.mab import MAB, LearningPolicy

CHANCES = {"old": 0.4, "older": 0.3, "new": 0.9}
ROUNDS = 500


def play(policy, by_hand=False):
    """Return how often each arm is played after "new" is added to two arms of ten games each."""
    generator = np.random.default_rng(7)
    bandit = MAB(["old", "older"], policy, seed=7)
    bandit.fit(["old"] * 10 + ["older"] * 10, [1] * 4 + [0] * 6 + [1] * 3 + [0] * 7)
    bandit.add_arm("new")
    if by_hand:
        bandit.partial_fit(["new"], [1])
    played = dict.fromkeys(CHANCES, 0)
    for _ in range(ROUNDS):
        arm = bandit.predict()
        played[arm] += 1
        bandit.partial_fit([arm], [int(generator.random() < CHANCES[arm])])
    return played


ucb, wide = play(LearningPolicy.UCB1(alpha=1)), play(LearningPolicy.UCB1(alpha=100))
by_hand, thompson = play(LearningPolicy.UCB1(alpha=1), by_hand=True), play(LearningPolicy.ThompsonSampling())
begun = MAB(list(CHANCES), LearningPolicy.UCB1(alpha=1), seed=7)
begun.fit(["older"], [1])
for _ in range(ROUNDS):
    begun.partial_fit([begun.predict()], [0])
first = {str(arm) for arm in begun.arms if begun._imp.arm_to_count[arm]}
print("games of UCB1:", ucb, "with alpha of 100:", wide, "after one game by hand:", by_hand, "Thompson:", thompson)
print("played at all, where one arm won first:", first)
assert ucb["new"] == wide["new"] == 0 and sum(ucb.values()) == ROUNDS
assert by_hand["new"] > ROUNDS * 0.9 and thompson["new"] > ROUNDS * 0.9
assert first == {"older"}
PYTHON
