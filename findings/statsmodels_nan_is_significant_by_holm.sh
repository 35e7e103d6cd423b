#!/usr/bin/env bash
# A good guess: `multipletests` of statsmodels refuses p-values with a NaN, as of two agents that scored alike in all
# games, or leaves it out: the others are corrected for as many as are left, and the NaN is not significant.
#
# What happens: NaN counts as a test, and as the greatest p-value. By `holm` and `holm-sidak` it is significant if all
# others are, since it does not fail to be. By all methods that go from the greatest down, such as `fdr_bh`, `fdr_by`,
# `hommel` and `simes-hochberg`, all corrected p-values are NaN, although `fdr_bh` still says which are significant.
# `bonferroni` multiplies by one too many. Nothing is raised. Select `p[~np.isnan(p)]` first.
#
# numpy 2.4.6, scipy 1.17.1, pandas 3.1.1, statsmodels 0.15.0; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 scipy==1.17.1 pandas==3.1.1 statsmodels==0.15.0
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import numpy as np
from scipy import stats
from statsmodels.stats.multitest import multipletests

same = stats.ttest_rel([1, 0, 1, 1], [1, 0, 1, 1]).pvalue
chances = np.array([0.01, same, 0.02])
methods = ("holm", "holm-sidak", "bonferroni", "fdr_bh", "fdr_by", "hommel", "simes-hochberg")
found = {method: multipletests(chances, method=method)[:2] for method in methods}
seen = {method: (rejected.tolist(), corrected.round(3).tolist()) for method, (rejected, corrected) in found.items()}
print("which of 0.01, nan and 0.02 are significant, and corrected:", seen)
assert np.isnan(same) and seen["holm"][0] == seen["holm-sidak"][0] == [True, True, True]
assert all(np.isnan(found[method][1]).all() for method in methods[3:])
assert seen["fdr_bh"][0] == [True, False, True] and seen["bonferroni"][1][::2] == [0.03, 0.06]
assert multipletests(chances[::2], method="holm")[1].tolist() == [0.02, 0.02]
PYTHON
