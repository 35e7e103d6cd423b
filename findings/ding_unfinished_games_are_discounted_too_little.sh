#!/usr/bin/env bash
# A good guess: `get_nstep_return_data` of DI-engine, which its value-based policies call, sums rewards up to the end of
# what was collected. What follows k rewards is discounted by gamma to the power of k: `value_gamma` says so where fewer
# than n are left.
#
# What happens: for the last n decisions `value_gamma` has the power k - 1. Where the game ended, it is multiplied by 0.
# Where it goes on, as at the end of each piece that a collector cuts, the value of the next position counts too much:
# after the last decision it is not discounted at all, and even a sum of all n rewards is followed by a value that is
# one decision too near. With gamma 0.9 it is 11 % too high. Where a piece is not longer than n, it is so for each
# decision. Multiply `value_gamma` by gamma for the last n, or pass whole games.
#
# numpy 1.26.4, torch 2.13.0, DI-engine 0.5.3; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==1.26.4 torch==2.13.0 DI-treetensor==0.5.0 DI-toolkit==0.3.0 easydict==1.14 enum-tools==0.13.0 \
  tabulate==0.10.0 tensorboardX==2.6.5 URLObject==3.0.0 graphviz==0.21 flask==3.1.3 cloudpickle==3.1.3 PyYAML==6.0.3 \
  requests==2.34.2 tqdm==4.70.1 scipy==1.17.1 matplotlib==3.10.7 pandas==2.3.3 \
  setuptools==80.9.0 wheel==0.45.1
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check --no-deps --no-build-isolation \
  gym==0.25.1 gym-notices==0.1.0 DI-engine==0.5.3
"$folder/venv/bin/python" -W ignore - 2>"$folder/log" <<'PYTHON' || { cat "$folder/log"; exit 1; }
from math import log

import torch
from ding.rl_utils.adder import get_nstep_return_data


def powers(decisions, n=3, gamma=0.9):
    """Return by decision of an unfinished piece how many rewards are summed, and the power of gamma after them."""
    piece = [
        {
            "obs": torch.tensor([float(at)]),
            "next_obs": torch.tensor([at + 1.0]),
            "reward": torch.ones(1),
            "done": False,
        }
        for at in range(decisions)
    ]
    summed = get_nstep_return_data(piece, n, gamma=gamma)
    counts = [int(row["reward"].sum()) for row in summed]
    assert [int(row["next_obs"] - row["obs"]) for row in summed] == counts
    return counts, [round(log(row["value_gamma"]) / log(gamma)) for row in summed], [row["done"] for row in summed]


counts, power, done = powers(6)
print("rewards that are summed:", counts, "powers of gamma:", power, "done:", done)
assert counts == [3, 3, 3, 3, 2, 1] and not any(done)
assert power == [3, 3, 3, 2, 1, 0]
counts, power, done = powers(2)
print("of a piece of two decisions:", counts, "powers of gamma:", power)
assert (counts, power) == ([2, 1], [1, 0])
PYTHON
