#!/usr/bin/env bash
# A good guess: `column > 0.1` gives a row the same answer whether the column is short or long. Where numexpr is
# installed pandas may compute long ones by it, which changes the time.
#
# What happens: from 1,000,001 rows on pandas hands arithmetic and comparisons with a number to numexpr, which widens.
# A share of 0.1 in float32 is then above 0.1, and no longer equal to it, and `share * 0.1` is a float64. In int32 the
# score 2**31 - 1, plus 1, no longer wraps. So a rule tried out on a sample of a dataset keeps other rows of the whole
# of it, and a program that has numexpr by chance others than one without. Compare with `np.float32(0.1)`, or call
# `pd.set_option("compute.use_numexpr", False)`.
#
# numpy 2.4.6, pandas 3.1.1, numexpr 2.14.2; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 pandas==3.1.1 numexpr==2.14.2
"$folder/venv/bin/python" - <<'PYTHON'
import numpy as np
import pandas as pd


def ask(rows):
    share, score = pd.Series(np.full(rows, 0.1, np.float32)), pd.Series(np.full(rows, 2**31 - 1, np.int32))
    return [bool((share > 0.1)[0]), bool((share == 0.1)[0]), str((share * 0.1).dtype), int((score + 1)[0])]


short, long = ask(1_000_000), ask(1_000_001)
pd.set_option("compute.use_numexpr", False)
print("of 0.1 in float32, and 2**31 - 1 in int32: above 0.1, equal, dtype of the product, and plus 1")
print("in 1,000,000 rows:", short, "in one more:", long, "without numexpr:", ask(1_000_001))
assert short == ask(1_000_001) == [False, True, "float32", -(2**31)]
assert long == [True, False, "float64", 2**31]
PYTHON
