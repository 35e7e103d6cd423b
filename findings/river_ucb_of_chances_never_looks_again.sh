#!/usr/bin/env bash
# A good guess: `bandit.UCB` of River with `reward_obj=proba.Beta()` prefers opponents with few games, and the more so
# the larger `delta` is, as with the mean, which is the default. Its documentation allows a distribution.
#
# What happens: of a distribution only the mode is taken. The addition for few games is left out, and `delta` changes
# nothing. Each arm is played once; those that lose have a mode of 0, and whoever wins first is played for ever, as
# its mode stays above 0: an agent that wins nine games of ten and loses the first is never seen again. With the mean it
# is found. `ThompsonSampling` is made for distributions.
#
# numpy 2.4.6, pandas 3.1.1, scipy 1.17.1, river 0.26.1; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 pandas==3.1.1 scipy==1.17.1 river==0.26.1
"$folder/venv/bin/python" - <<'PYTHON'
import random
from collections import Counter

from river import bandit, proba, stats

CHANCES = {"weak": 0.1, "strong": 0.9}
ROUNDS = 2000


def play(policy):
    """Return how often each arm is pulled after "weak" has won its first game and "strong" has lost it."""
    generator, pulled = random.Random(7), Counter()
    policy.update("weak", True)
    policy.update("strong", False)
    for _ in range(ROUNDS):
        arm = policy.pull(list(CHANCES))
        policy.update(arm, generator.random() < CHANCES[arm])
        pulled[arm] += 1
    return dict(pulled)


mean = play(bandit.UCB(delta=1, reward_obj=stats.Mean(), seed=7))
beta, wide = (play(bandit.UCB(delta=delta, reward_obj=proba.Beta(), seed=7)) for delta in (1, 1000))
thompson = play(bandit.ThompsonSampling(reward_obj=proba.Beta(), seed=7))
print("games with means:", mean, "Beta:", beta, "and delta of 1000:", wide, "Thompson:", thompson)
assert beta == wide == {"weak": ROUNDS}
assert mean["strong"] > ROUNDS * 0.9 and thompson["strong"] > ROUNDS * 0.9
PYTHON
