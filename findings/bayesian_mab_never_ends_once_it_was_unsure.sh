#!/usr/bin/env bash
# A good guess: `check_for_end` of bayesian-mab may be asked again and again while games are played, and says True once
# the best agent is better than each other one with the probability `winner_prob_threshold`.
#
# What happens: it remembers all answers, and takes the least probability that an agent has ever had. Whoever was below
# the threshold at one look stays below it, so the comparison never ends: after 10,000 games the better of two agents is
# so with a probability of 0.9999, and who has asked every 500 games hears False, at the end as at each look before,
# while who asks then for the first time hears True. The winner is the agent with the greatest mean of all probabilities
# so far. Nothing is said. Clear `finisher.history_tracker.finisher_results` before each look.
#
# numpy 2.4.6, scipy 1.17.1, pandas 3.1.1, pydantic 2.12.5, numba 0.68.1, names 0.3.0, bayesian-mab 0.1.0; November
# 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 scipy==1.17.1 pandas==3.1.1 pydantic==2.12.5 numba==0.68.1 names==0.3.0
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check --no-deps bayesian-mab==0.1.0
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import logging

import numpy as np
from bayesian_mab import BayesianArm, BayesianMAB, BinaryReward

GAMES, WINS, THRESHOLD = 10_000, (0.55, 0.5), 0.95


def compare(every, clear=False):
    """Play in turns, ask every so many games, and return the answers, and the probability at the end."""
    rng, answers = np.random.default_rng(2), []
    comparison = BayesianMAB([BayesianArm(0, "good"), BayesianArm(1, "bad")])
    for game in range(GAMES):
        reward = BinaryReward()
        reward.update_reward(int(rng.random() < WINS[game % 2]))
        comparison.update_arm(game % 2, reward)
        if (game + 1) % every == 0:
            if clear:
                comparison.finisher.history_tracker.finisher_results.clear()
            answers.append(comparison.check_for_end(winner_prob_threshold=THRESHOLD)[0])
    good, bad = comparison.arms
    return answers, comparison.finisher.check_for_end(good.a, good.b, bad.a, bad.b)[0]


logging.disable(logging.CRITICAL)
often, probability = compare(500)
once, _ = compare(GAMES)
cleared, _ = compare(500, clear=True)
print(f"the better agent is so with a probability of {probability:.4f} after {GAMES} games")
print("asked every 500 games:", often.count(True), "times True; asked once:", once)
print("asked every 500 games without what was said before: True from game", 500 * (cleared.index(True) + 1), "on")
assert probability > 0.999 and not any(often) and once == [True] and cleared[-1]
PYTHON
