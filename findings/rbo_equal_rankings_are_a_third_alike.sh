#!/usr/bin/env bash
# A good guess: `RankingSimilarity(a, b).rbo(p=0.9)` of rbo is 1 for two equal rankings of agents, however few there
# are, as it is without `p`.
#
# What happens: whatever stands behind the last place counts as different. Of four agents in the same order 0.344 is all
# that can be reached, and of ten 0.651; a wrong order of four agents lies close by, at 0.299. So tables of four and of
# ten agents do not compare, and a threshold such as 0.8 is never passed. `rbo_ext(p=0.9)` is 1 for equal rankings.
#
# numpy 2.4.6, tqdm 4.70.1, rbo 0.1.3; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 tqdm==4.70.1
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check --no-deps \
  rbo==0.1.3
"$folder/venv/bin/python" - <<'PYTHON'
from rbo import RankingSimilarity

four, exchanged, ten = list("abcd"), list("acbd"), list("abcdefghij")


def compare(first, second):
    similarity = RankingSimilarity(first, second)
    return [round(float(value), 3) for value in (similarity.rbo(), similarity.rbo(p=0.9), similarity.rbo_ext(p=0.9))]


seen = {"four, equal": compare(four, four), "ten, equal": compare(ten, ten), "four": compare(four, exchanged)}
print("rbo without p, with p=0.9, and rbo_ext:", seen)
assert seen["four, equal"] == [1, 0.344, 1] and seen["ten, equal"] == [1, 0.651, 1] and seen["four"][1] == 0.299
PYTHON
