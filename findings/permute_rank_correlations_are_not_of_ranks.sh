#!/usr/bin/env bash
# A good guess: `spearman_corr(x, y)` of permute is the rank correlation of Spearman, as `spearmanr` of SciPy, with a
# p-value by permutations. It tells whether two tournaments put agents in the same order.
#
# What happens: it correlates `argsort(x)` with `argsort(y)`. These are not the ranks: `argsort` says where the smallest
# value is, then the next one. Of eight agents it is off by 0.5 on average, and has the wrong sign in three of ten pairs
# of tournaments. Where two of five agents that are one place apart change places, it says -0.6, and 0.9 is right. Equal
# values have the order in which they stand. The p-value is that of the wrong number. Nothing is said. Pass
# `scipy.stats.rankdata(x)` and that of y to `corr`.
#
# numpy 2.4.6, scipy 1.17.1, cryptorandom 0.4, permute 0.2; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 scipy==1.17.1 cryptorandom==0.4 permute==0.2
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import numpy as np
from permute.core import corr, spearman_corr
from scipy.stats import rankdata, spearmanr

rng = np.random.default_rng(0)
right, said, by_ranks = [], [], []
for _ in range(2000):
    first = rng.normal(size=8)
    second = first + rng.normal(size=8)
    right.append(spearmanr(first, second)[0])
    said.append(spearman_corr(first, second, reps=1, seed=1)[0])
    by_ranks.append(corr(rankdata(first), rankdata(second), reps=1, seed=1)[0])
right, said = np.array(right), np.array(said)
off, signs = abs(right - said).mean(), (right * said < 0).mean()
first, second = (1, 3, 4, 5, 2), (2, 3, 4, 5, 1)
true, wrong = spearmanr(first, second)[0], spearman_corr(first, second, reps=100, seed=1)[0]
print(f"off by {off:.2f}, wrong sign {signs:.1%}; of five agents {wrong:.1f}, where {true:.1f} is right")
assert np.allclose(right, by_ranks) and off > 0.4 and signs > 0.25 and true > 0.85 and wrong < -0.5
PYTHON
