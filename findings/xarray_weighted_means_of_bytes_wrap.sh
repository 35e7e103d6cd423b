#!/usr/bin/env bash
# A good guess: `rewards.weighted(valid).mean()` of 300 rewards of 1, all of them valid, is 1, as `rewards.mean()` is:
# xarray adds small integers in int64, and returns means as floats.
#
# What happens: values times weights are added in the dtype that both share. Of int8 rewards and a mask of bools that is
# int8: the sum of 300 is 44, and divided by the number of weights, which is right, the mean is 0.15. Of bools by bools
# the sum is True, and the share of games won 1 in 300. Weights in int8 wrap as well, and so does `xarray.dot`; the mean
# may lie below the least of the values. No warning is given. Convert to float first.
#
# numpy 2.4.6, xarray 2026.9.0; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 xarray==2026.9.0
"$folder/venv/bin/python" -W error - <<'PYTHON'
import numpy as np
import xarray


def weigh(values, weights):
    weighted = xarray.DataArray(values, dims="game").weighted(xarray.DataArray(weights, dims="game"))
    return weighted.sum().item(), weighted.mean().item()


ones, valid = np.ones(300, np.int8), np.ones(300, bool)
seen = {
    "int8 by bool": weigh(ones, valid),
    "bool by bool": weigh(valid, valid),
    "float by bool": weigh(ones.astype(float), valid),
    "int8 by float": weigh(ones, valid.astype(float)),
}
scores, games = np.full(3, 100, np.int8), np.full(3, 2, np.int8)
narrow, wide = weigh(scores, games), weigh(scores.astype(int), games.astype(int))
print("sum and mean of 300 ones, weighed by 300 ones:", seen)
print("of 100, 100, 100, weighed by 2, 2, 2, in int8:", narrow, "in int64:", wide)
assert seen["int8 by bool"] == (44, 44 / 300) and seen["bool by bool"] == (True, 1 / 300)
assert seen["float by bool"] == seen["int8 by float"] == (300, 1)
assert narrow[0] == 88 and narrow[1] < 15 and wide == (600, 100)
plain = xarray.DataArray(ones, dims="game")
assert plain.sum() == 300 and plain.mean() == 1 and xarray.dot(plain, plain) == 44
PYTHON
