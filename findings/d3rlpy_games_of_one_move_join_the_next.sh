#!/usr/bin/env bash
# A good guess: `append` and `clip_episode(True)` of d3rlpy's `ReplayBuffer` make an episode of whatever was appended
# since the last one ended, also where that is a single decision.
#
# What happens: `clip_episode` does nothing after a single one. It counts transitions before it notes that the episode
# has terminated, and a single decision is none so far. The decision stays, and the next game is added to it: of games
# of 2, 1, 3, 1, 1 and 2 decisions there are four episodes, of 2, 4, 2 and 2. What was the end of a game is a decision
# in the middle, which looks forward to the next deal, and the return of an episode is that of two games. A player who
# loses by the opponent's second move has such a game. `fit_online` fills its buffer by the same calls. `MDPDataset`,
# given whole arrays, is right.
#
# numpy 2.4.6, torch 2.13.0, gymnasium 1.0.0, d3rlpy 2.8.1; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 torch==2.13.0 d3rlpy==2.8.1
"$folder/venv/bin/python" -W ignore - 2>"$folder/log" <<'PYTHON' || { cat "$folder/log"; exit 1; }
import logging

import numpy as np
import structlog
from d3rlpy import ActionSpace
from d3rlpy.dataset import InfiniteBuffer, MDPDataset, ReplayBuffer, Signature

structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
LENGTHS = [2, 1, 3, 1, 1, 2]


def signature(dtype, size):
    return Signature(dtype=[np.dtype(dtype)], shape=[(size,)])


def describe(buffer):
    """Return the length and the return of each episode."""
    return [(len(episode), episode.compute_return()) for episode in buffer.episodes]


buffer = ReplayBuffer(
    InfiniteBuffer(),
    observation_signature=signature(np.float32, 2),
    action_signature=signature(np.int64, 1),
    reward_signature=signature(np.float32, 1),
    action_space=ActionSpace.DISCRETE,
    action_size=3,
)
for length in LENGTHS:
    for decision in range(length):
        buffer.append(np.zeros(2, np.float32), 1, float(decision + 1 == length))
    buffer.clip_episode(True)
ends = np.concatenate([np.arange(1, length + 1) == length for length in LENGTHS]).astype(np.float32)
whole = MDPDataset(np.zeros((len(ends), 2), np.float32), np.ones(len(ends), np.int64), ends, ends)
print("lengths and returns of games of", LENGTHS, "appended:", describe(buffer), "as arrays:", describe(whole))
assert describe(buffer) == [(2, 1.0), (4, 2.0), (2, 2.0), (2, 1.0)]
assert describe(whole) == [(length, 1.0) for length in LENGTHS]
PYTHON
