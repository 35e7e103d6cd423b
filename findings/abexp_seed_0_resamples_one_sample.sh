#!/usr/bin/env bash
# A good guess: `FrequentistAnalyzer.bootstrap(data, func, seed=...)` of abexp gives the interval of a mean from 500
# resamples, which differ, and are the same again with the same seed.
#
# What happens: the seed of each resample is `seed` times its number. With 0 all resamples are the same one, and the
# interval is a point, beside the mean: for 100 games it says 0.61 to 0.61, where 0.46 to 0.65 is right. With other
# seeds many resamples are shared: of those of the seeds 1 and 2 a half. Nothing is said. Pass another seed than 0.
#
# Beside it, `permutation_test` doubles a p-value that has two sides already, up to 2. `compare_conv_obs` ignores
# `alpha`, and `compare_mean_stats` gives intervals of a mean that are wider by the root of two than those of
# `compare_mean_obs`.
#
# numpy 1.26.4, scipy 1.17.1, pandas 2.3.3, scikit-learn 1.9.1, statsmodels 0.14.6, abexp 0.0.3; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==1.26.4 scipy==1.17.1 pandas==2.3.3 scikit-learn==1.9.1 statsmodels==0.14.6
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check --no-deps abexp==0.0.3
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import numpy as np
from abexp.core.analysis_frequentist import FrequentistAnalyzer
from abexp.statistics.stats_tests import permutation_test

rng = np.random.default_rng(0)
wins = rng.integers(0, 2, 100)
analyzer = FrequentistAnalyzer()
zero, one = (
    analyzer.bootstrap(wins, lambda sample: sample.mean(axis=0), seed=seed).to_numpy()[0, 1:].astype(float)
    for seed in (0, 1)
)
first, second = rng.normal(0, 1, 200), rng.normal(0, 1, 200)
by_games = np.diff(analyzer.compare_mean_obs(first, second)[1])[0]
by_numbers = np.diff(analyzer.compare_mean_stats(first.mean(), second.mean(), first.std(ddof=1), 200, 200)[1])[0]
levels = [np.diff(analyzer.compare_conv_obs(wins, wins, alpha=alpha)[1])[0] for alpha in (0.05, 0.5)]
print(f"mean {wins.mean():.2f}, seed 0 {zero.tolist()}, seed 1 {one.round(3).tolist()};", end=" ")
print(f"widths {by_games:.3f} and {by_numbers:.3f}, by alpha {np.round(levels, 3).tolist()}")
np.random.seed(0)
same = float(permutation_test(first, second - second.mean() + first.mean()))
print(f"p-value of equal means by permutations {same:.2f}")
assert same > 1.9
assert zero[0] == zero[1] and one[1] - one[0] > 0.15 and abs(by_numbers / by_games - 2**0.5) < 0.05
assert levels[0] == levels[1]
PYTHON
