#!/usr/bin/env bash
# A good guess: `CLES_2paired(a, b)` of cles is the common language effect size of pairs in percent, 50 where nobody
# is better and 100 where one always is, and the same for (b, a), as `CLES_2independent` has it.
#
# What happens: differences are compared with one zero too few, and divided by the full number. Of ten pairs of games
# in which the second agent always has more points it is 90, with the agents changed over it is 100. Where all ten
# pairs are equal it is 55. Of three pairs it is 67 and 100, and 67 where all are equal. Nothing is said. Take
# `CLES_1samp(b - a)`, which is right.
#
# numpy 2.4.6, cles 0.1.3; December 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check numpy==2.4.6 cles==0.1.3
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import numpy as np
from CLES import CLES_1samp, CLES_2paired


def sizes(count, effect):
    """Return the effect of always more, of the same with both changed over, and of always equal points."""
    less, more = np.arange(count) + 30, np.arange(count) + 31
    return [round(float(effect(*pair)), 1) for pair in ((less, more), (more, less), (less, less))]


ten, three = sizes(10, CLES_2paired), sizes(3, CLES_2paired)
right = sizes(10, lambda a, b: CLES_1samp(b - a))
print(f"always more, changed over, equal: {ten} of ten pairs, {three} of three, {right} by CLES_1samp")
assert ten == [90, 100, 55] and three == [66.7, 100, 66.7] and right == [100, 100, 50]
PYTHON
