#!/usr/bin/env bash
# A good guess: bottleneck, once installed, makes some reductions of pandas faster, which return the same numbers but
# for the last digits. pandas does not use it for sums and means, as bottleneck adds float32 up in float32.
#
# What happens: pandas does use it for `std` and `var`, where it adds float32 up in float32 as well. Of 100,000 ratings
# in float32 that are 1,500 or 1,501 in turns the deviation is 1.8 and not 0.5, of such numbers around 10,000 it is 3.7,
# and of 20 million ones 0.16 and not 0. So it is in `describe` and for data frames. `mean` and `sem` are right, and so
# are short columns, and float64. Convert to float64, or call `pd.set_option("compute.use_bottleneck", False)`.
#
# numpy 2.4.6, pandas 3.1.1, bottleneck 1.6.0; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 pandas==3.1.1 bottleneck==1.6.0
"$folder/venv/bin/python" - <<'PYTHON'
import numpy as np
import pandas as pd


def ask(base, rows=100_000):
    ratings = pd.Series((base + np.arange(rows) % 2).astype(np.float32))
    assert abs(ratings.describe()["std"] - ratings.std()) < 1e-6 and abs(ratings.mean() - base - 0.5) < 0.01
    return round(float(ratings.std()), 2)


def ask_ones():
    return round(float(pd.Series(np.ones(20_000_000, np.float32)).std()), 2)


short, with_it = ask(1_500, 1_000), (ask(1_500), ask(10_000), ask_ones())
pd.set_option("compute.use_bottleneck", False)
without = ask(1_500), ask(10_000), ask_ones()
print("std of ratings around 1,500 and 10,000, and of ones:", with_it, "without bottleneck:", without, "short:", short)
assert short == 0.5 and without == (0.5, 0.5, 0.0)
assert with_it[0] > 1 and with_it[1] > 3 and with_it[2] > 0.1
PYTHON
