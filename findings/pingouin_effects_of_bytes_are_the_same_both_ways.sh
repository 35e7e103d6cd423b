#!/usr/bin/env bash
# A good guess: where agent A wins more points than B, `pingouin.mwu(a, b)` has a common language effect size, `CLES`,
# above one half, `mwu(b, a)` below it, and they add up to 1; the dtype of the points does not matter.
#
# What happens: the statistic and p are right, `CLES` is not, as differences are taken in the dtype. As uint8 no
# difference is negative: an agent that is one point behind in each deal has `CLES` 1.0 in `mwu` and `wilcoxon`, and the
# other one too, and `RBC` of `wilcoxon` is +1 both ways. `RBC` of `mwu` and `compute_effsize` are right. Convert to
# float.
#
# numpy 2.4.6, pandas 3.1.1, scipy 1.17.1, pingouin 0.7.0; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 pandas==3.1.1 scipy==1.17.1 pingouin==0.7.0
"$folder/venv/bin/python" - <<'PYTHON'
import warnings

import numpy as np

warnings.simplefilter("ignore")
import pingouin  # noqa: E402

points = np.arange(10, 26, 2)


def effects(dtype, name, column):
    lower, higher = points.astype(dtype), (points + 1).astype(dtype)
    compare = getattr(pingouin, name)
    return [float(compare(*pair)[column].iloc[0]) for pair in ((lower, higher), (higher, lower))]


ASKED = (("mwu", "CLES"), ("wilcoxon", "CLES"), ("wilcoxon", "RBC"), ("mwu", "RBC"))
of_bytes = {" ".join(asked): effects(np.uint8, *asked) for asked in ASKED}
of_floats = {" ".join(asked): effects(np.float64, *asked) for asked in ASKED}
print("one point behind in each deal, and ahead, as uint8:", of_bytes, "as float64:", of_floats)
assert of_bytes == {"mwu CLES": [1, 1], "wilcoxon CLES": [1, 1], "wilcoxon RBC": [1, 1], "mwu RBC": [-0.125, 0.125]}
assert of_floats["mwu CLES"] == of_floats["wilcoxon CLES"] == [0.4375, 0.5625]
assert of_floats["wilcoxon RBC"] == [-1, 1] and of_floats["mwu RBC"] == [-0.125, 0.125]
assert effects(np.uint8, "mwu", "p_val") == effects(np.float64, "mwu", "p_val")
PYTHON
