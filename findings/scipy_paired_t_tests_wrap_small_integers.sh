#!/usr/bin/env bash
# A good guess: `scipy.stats.ttest_rel(a, b)` of two agents' points in the same deals is `ttest_1samp` of their
# differences, whatever the dtype, for SciPy's tests convert whole numbers to floats first.
#
# What happens: the difference is taken in the dtype of the points, and wraps. As uint8 each deal that the first agent
# lost by 1 point counts as won by 255: of two agents that win in turns by 1 the first is better with p = 0.01 after ten
# deals, and so is the second if they are named the other way round. In int8 and int16 it is so where points lie far
# apart. Nothing is said. `wilcoxon`, `ttest_ind` and `mannwhitneyu` of the same arrays are right. Convert to int64 or
# float first.
#
# numpy 2.4.6, scipy 1.17.1; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 scipy==1.17.1
"$folder/venv/bin/python" - <<'PYTHON'
import numpy as np
from scipy import stats

first = np.array([61, 70, 55, 80, 66, 73, 59, 68, 77, 62], np.uint8)
second = np.array([62, 69, 56, 79, 67, 72, 60, 67, 78, 61], np.uint8)
exact = [array.astype(np.int64) for array in (first, second)]
found, swapped, right = stats.ttest_rel(first, second), stats.ttest_rel(second, first), stats.ttest_rel(*exact)
print(f"statistic and p of equals as uint8: {found.statistic:.2f} {found.pvalue:.3f}, ", end="")
print(f"swapped: {swapped.statistic:.2f} {swapped.pvalue:.3f}, as int64: {right.statistic:.2f} {right.pvalue:.2f}")
assert found.statistic > 2 and swapped.statistic > 2 and max(found.pvalue, swapped.pvalue) < 0.05
assert right.statistic == 0 and right.pvalue == 1
far = np.array([100, 90, 110], np.int8), np.array([-100, -90, -99], np.int8)
assert stats.ttest_rel(*far).statistic < 0 < stats.ttest_rel(*[array.astype(float) for array in far]).statistic
for test in (stats.wilcoxon, stats.ttest_ind, stats.mannwhitneyu):
    assert test(first, second).pvalue == test(*exact).pvalue
PYTHON
