#!/usr/bin/env bash
# A good guess: `sample` of rlberry's `ReplayBuffer` with `sampling_mode="prioritized"` draws transitions by their
# priority: one with all of the priority is in every piece that is drawn, and with `chunk_size=1` it is all of them.
#
# What happens: a piece ends before the transition that was drawn, as if its index were the end of a slice. With
# `chunk_size=1` each draw returns the step before, and `update_priorities` with the indices of the batch rates that
# one: what has surprised most is never seen, and its own priority stays as it is. Longer pieces leave it out, too. Of a
# game whose last move has a large error, learners read the second last one, and of a first move the end of another
# game. Nothing is said, and the weights are those of the transition that is not there. The uniform mode is right.
#
# numpy 2.4.6, pandas 2.3.3, gymnasium 0.29.1, adastop 0.1.3, rlberry 0.7.3; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 pandas==2.3.3 matplotlib==3.10.8 scipy==1.16.3 gymnasium==0.29.1 dill==0.4.0 tqdm==4.67.1 docopt==0.6.2
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check --no-deps \
  rlberry==0.7.3 adastop==0.1.3
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import numpy as np
from rlberry.agents.utils.replay import ReplayBuffer

MOVES, SURPRISE = 100, 50


def draw(chunk_size):
    """Return the pieces among 1,000, where move 50 of 100 has nearly all of the priority."""
    buffer = ReplayBuffer(MOVES, np.random.default_rng(7), enable_prioritized=True, alpha=1.0)
    buffer.setup_entry("move", np.int32)
    for move in range(MOVES):
        buffer.append({"move": move})
    priorities = np.full((1, MOVES), 1e-9)
    priorities[0, SURPRISE] = 1
    buffer.update_priorities(np.arange(MOVES)[None], priorities)
    batch = buffer.sample(1000, chunk_size, sampling_mode="prioritized")
    return np.unique(batch.data["move"], axis=0).tolist(), np.unique(batch.info["indices"]).tolist()


one, four = draw(1), draw(4)
print("drawn a thousand times where move 50 has the priority, moves and their indices:", *one)
print("pieces of four:", four[0])
assert one == ([[SURPRISE - 1]], [SURPRISE - 1])
assert four[0] == [list(range(SURPRISE - 4, SURPRISE))]
PYTHON
