#!/usr/bin/env bash
# A good guess: `SMOTE` of imbalanced-learn makes new positions between two that are alike. Of boards of uint8 with the
# cells 0, 1 and 2 it makes boards of 0, 1 and 2, as it keeps the dtype, and rounds down what lies between.
#
# What happens: the difference of two boards is taken in uint8: 0 − 1 is 255, a share of which is added. About a fifth
# of the cells of new boards are above 2, up to 254. `ADASYN`, `BorderlineSMOTE` and `SVMSMOTE` do so too, and int8
# wraps where two cells lie more than 127 apart. There is no warning. Convert to floats or int16 first, or take
# `RandomOverSampler` or `SMOTEN`.
#
# numpy 2.4.6, scikit-learn 1.9.1, imbalanced-learn 0.14.2; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 scikit-learn==1.9.1 imbalanced-learn==0.14.2
"$folder/venv/bin/python" - <<'PYTHON'
import numpy as np
from imblearn.over_sampling import ADASYN, SMOTE, SMOTEN, SVMSMOTE, BorderlineSMOTE, RandomOverSampler

GAMES, WINS = 400, 80
boards = np.random.default_rng(0).integers(0, 3, (GAMES, 9))
won = np.arange(GAMES) < WINS


def measure(kind, boards):
    """Return the share of cells above 2 in the boards that were made, the greatest cell, and the dtype."""
    made = kind(random_state=0).fit_resample(boards, won)[0][GAMES:]
    return round(float((made > 2).mean()), 2), int(made.max()), made.dtype.name


small = boards.astype(np.uint8)
of_bytes = {kind.__name__: measure(kind, small) for kind in (SMOTE, ADASYN, BorderlineSMOTE, SVMSMOTE)}
others = {kind.__name__: measure(kind, small) for kind in (RandomOverSampler, SMOTEN)}
of_floats = measure(SMOTE, boards.astype(np.float32))
print("share of cells above 2, and the greatest:", of_bytes, "others:", others, "of floats:", of_floats)
assert all(share > 0.1 and greatest > 200 and dtype == "uint8" for share, greatest, dtype in of_bytes.values())
assert all(share == 0 for share, _, _ in others.values()) and of_floats == (0, 2, "float32")
PYTHON
