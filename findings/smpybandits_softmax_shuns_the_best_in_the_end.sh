#!/usr/bin/env bash
# A good guess: `SoftMix` of SMPyBandits is softmax exploration whose temperature falls, so that it settles on the
# better agent. `SoftmaxWithHorizon` takes a low temperature for a long horizon.
#
# What happens: at a low temperature exp() of the better mean is infinite, and what is not finite counts as 0.
# `SoftMix` plays an agent that wins nine games of ten nearly always for some 3,000 games, and then never again: all
# games go to one that wins three of ten. `SoftmaxWithHorizon` of 1,000,000 does so from the start. NumPy warns once
# of an overflow. Take `UCB`.
#
# numpy 1.26.4, scipy 1.13.1, pandas 2.2.3, matplotlib 3.9.4, seaborn 0.13.2, scikit-learn 1.5.2, scikit-optimize
# 0.10.2, SMPyBandits 0.9.7; December 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check numpy==1.26.4 scipy==1.13.1 pandas==2.2.3 \
  matplotlib==3.9.4 seaborn==0.13.2 scikit-learn==1.5.2 scikit-optimize==0.10.2 SMPyBandits==0.9.7
"$folder/venv/bin/python" -W ignore - <<'PYTHON' | tail -1
import numpy as np
from SMPyBandits.Policies import UCB, SoftMix, SoftmaxWithHorizon

CHANCES = 0.3, 0.9


def share_of_the_better(policy):
    """Play 10,000 games. Return the share of the better agent in each thousand, to 2 digits."""
    np.random.seed(0)
    policy.startGame()
    picks = np.zeros(10000, np.int64)
    for game in range(picks.size):
        picks[game] = policy.choice()
        policy.getReward(picks[game], float(np.random.random() < CHANCES[picks[game]]))
    return [round(float(share), 2) for share in picks.reshape(10, 1000).mean(axis=1)]


mix = share_of_the_better(SoftMix(2))
horizon = share_of_the_better(SoftmaxWithHorizon(2, horizon=1_000_000))
ucb = share_of_the_better(UCB(2))
assert min(mix[:3]) > 0.95 and max(mix[5:]) < 0.01 and max(horizon) < 0.05 and min(ucb) > 0.9
print(f"share of the better agent in each thousand games: SoftMix {mix}, with a horizon {horizon}, UCB {ucb}")
PYTHON
