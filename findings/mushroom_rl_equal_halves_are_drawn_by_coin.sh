#!/usr/bin/env bash
# A good guess: `PrioritizedReplayMemory` of MushroomRL draws each decision in proportion to its priority, as its source
# has it from the paper: of priorities 1, 3, 2 and 2 the second in three cases of eight.
#
# What happens: wherever both halves of a part of its tree have the same sum, a coin decides, and the number that was
# drawn for all eight is then looked up in four. It lies beyond most of what is there, and falls to the last one: the
# first is drawn half as often as it should be. Sums are the same where errors take few values, as with wins and losses:
# of fourteen ones and two nines, the nines are drawn in 78 % of cases, and not in 56 %. Weights are computed from
# priorities, so they do not correct it. Priorities that are all the same, or all different, are drawn right.
#
# numpy 2.4.6, torch 2.13.0, mushroom-rl 1.10.2 (which asks for numpy 1.24.4 and torch 2.5.1); November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 torch==2.13.0 scikit-learn==1.9.1 opencv-python-headless==5.0.0.93 pygame==2.6.1 tqdm==4.70.1
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check --no-deps mushroom-rl==1.10.2
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import numpy as np
from mushroom_rl.utils.replay_memory import PrioritizedReplayMemory

DRAWN = 2000, 8


def draw(priorities):
    """Return the shares of draws of each decision, and what is wrong with them once the weights are counted in."""
    np.random.seed(1)
    priorities = np.array(priorities, float)
    memory = PrioritizedReplayMemory(0, len(priorities), alpha=1.0, beta=1.0, epsilon=0.0)
    steps = [(np.array([number]), np.array([0]), 0.0, np.array([0]), False, False) for number in range(len(priorities))]
    memory.add(steps, priorities)
    numbers = np.concatenate([memory.get(DRAWN[1])[0].ravel() for _ in range(DRAWN[0])])
    shares = np.bincount(numbers, minlength=len(priorities)) / numbers.size
    return shares.round(3), (shares / priorities * priorities.sum()).round(2)


shares, errors = draw([1, 3, 2, 2])
print("priorities 1, 3, 2, 2: shares", shares, "times what they should be:", errors)
assert 0.45 < errors[0] < 0.55 and 1.1 < errors[1] < 1.25
shares, errors = draw([1, 1, 1, 1, 1, 1, 1, 9] * 2)
print("fourteen ones and two nines: share of the nines", (shares[7] + shares[15]).round(3))
assert 0.75 < shares[7] + shares[15] < 0.81
for right in ([1, 3, 2.1, 2.2], [1] * 16):
    assert np.all(np.abs(draw(right)[1] - 1) < 0.1), draw(right)
PYTHON
