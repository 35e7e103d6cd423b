#!/usr/bin/env bash
# A good guess: `Box(0, 2**64 - 1, (12,), np.uint64)`, bitboards or hashes, samples whole numbers spread over the range,
# at worst without their lowest bits, as a float64 has 53.
#
# What happens: the upper bound is cast to int64 and 1 is added, which makes 0 of it. All samples are 0: checks, tests
# and warm-ups with sampled observations see empty boards only. Over all of int64 each sample is the least number. Where
# the upper bound is 2**63 - 1 and the lower one 0, sampling raises ValueError. Up to `2**63 - 2` it is as guessed, and
# `contains` is right. So for 64 bits sample by `space.np_random.integers(2**64, size=space.shape, dtype=np.uint64)`.
#
# numpy 2.4.6, gymnasium 1.4.0; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 gymnasium==1.4.0
"$folder/venv/bin/python" - <<'PYTHON'
import warnings

import numpy as np
from gymnasium.spaces import Box, Dict
from gymnasium.vector.utils import batch_space

warnings.simplefilter("error")


def see(low, high, dtype):
    """Return how many different numbers are among 1,000 samples, and the least and the greatest of them."""
    found = [int(number) for number in Box(low, high, (1000,), dtype, seed=1).sample()]
    return len(set(found)), min(found), max(found)


least, most = np.iinfo(np.int64).min, np.iinfo(np.int64).max
unsigned, signed = see(0, 2**64 - 1, np.uint64), see(least, most, np.int64)
try:
    see(0, most, np.int64)
except ValueError as error:
    refusal = type(error).__name__
print("different samples of 1,000, least, greatest, of uint64:", unsigned, "int64:", signed, "int64 from 0:", refusal)
assert unsigned == (1, 0, 0) and signed[0] == 1 and least <= signed[1] <= least + 2
boards = Box(0, 2**64 - 1, (12,), np.uint64)
assert boards.contains(np.full(12, 2**64 - 1, np.uint64)) and boards.is_bounded()
nested = batch_space(Dict(boards=boards), 3)
nested.seed(1)
assert not nested.sample()["boards"].any()
for high in (most - 1, 2**62, 2**53):
    assert see(0, high, np.int64)[0] > 990 and see(0, high, np.uint64)[0] > 990
drawn = boards.np_random.integers(2**64, size=boards.shape, dtype=np.uint64)
assert boards.contains(drawn) and len(set(drawn.tolist())) == 12
PYTHON
