#!/usr/bin/env bash
# A good guess: with `n_steps_return=3` the replay memories of MushroomRL, and so its Rainbow, hold each decision once:
# with the sum of three rewards, and near the end of a game with the sum of those that are left. Where a game is cut by
# the end of what was collected, the rest follows with the next piece.
#
# What happens: only decisions that have three rewards ahead of them are kept. The last two of each game are dropped,
# which in most board games are those whose results are the clearest, and a game of two decisions is dropped as a whole.
# The same holds for each piece that is handed to `add`: nothing is carried over. `Core.learn` hands over as many steps
# as `n_steps_per_fit` says, so with fewer than n the memory stays empty, and the agent never learns, without an error;
# with four, half of the decisions are lost. Fit by whole games, or with one step.
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
from mushroom_rl.utils.replay_memory import PrioritizedReplayMemory, ReplayMemory

N, LENGTHS = 3, (5, 2, 6)


def play(game, length):
    """Return a game's decisions, which are numbered through, as MushroomRL's `Core` collects them."""
    first = 100 * game
    ends = [step == length - 1 for step in range(length)]
    return [
        (np.array([first + step]), np.array([0]), float(end), np.array([first + step + 1]), end, end)
        for step, end in enumerate(ends)
    ]


def store(piece):
    """Return the decisions that a memory holds after pieces of so many steps, and the rewards that are summed."""
    uniform, prioritized = ReplayMemory(0, 100), PrioritizedReplayMemory(0, 100, alpha=1.0, beta=1.0)
    for at in range(0, len(dataset), piece):
        steps = dataset[at : at + piece]
        uniform.add(steps, n_steps_return=N)
        prioritized.add(steps, np.ones(len(steps)), n_steps_return=N)
    assert prioritized._tree.size == uniform.size
    return [int(state[0]) for state in uniform._states[: uniform.size]], uniform._rewards[: uniform.size]


dataset = [step for game, length in enumerate(LENGTHS) for step in play(game, length)]
whole, rewards = store(len(dataset))
print(f"of games of {LENGTHS} decisions, {N} steps keep", whole, "with rewards", rewards)
print("by pieces of four steps:", store(4), "of two:", store(2), "of one:", store(1))
assert whole == [0, 1, 2, 200, 201, 202, 203] and rewards == [0, 0, 1, 0, 0, 0, 1]
assert store(4)[0] == [0, 1, 201, 202] and sum(store(4)[1]) == 0
assert store(2) == store(1) == ([], [])
PYTHON
