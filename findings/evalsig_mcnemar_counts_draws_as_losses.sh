#!/usr/bin/env bash
# A good guess: `mcnemar_test(a, b)` of evalsig refuses results that are not 0 or 1, as its error message says. Draws
# of 0.5 raise, or count for neither.
#
# What happens: results are made integers before they are checked, so a draw is a loss, and any 0.5 to 0.99 too. One
# agent draws 60 games against a third, and the other wins 20 and loses 40: it is worse by 0.17 a game, p 0.009 by the
# paired t-test of the same package. By `mcnemar_test` it is better by 0.33, p 0.000002. Nothing is said. `compare`
# with `method="auto"` takes another test for draws, and with `method="mcnemar"` this one. Take `paired_t_test`.
#
# numpy 2.4.6, scipy 1.17.1, evalsig 0.1.2; December 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check numpy==2.4.6 scipy==1.17.1 evalsig==0.1.2
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import numpy as np
from evalsig.inference.mcnemar import mcnemar_test
from evalsig.inference.paired import paired_t_test

drawing = np.full(60, 0.5)
losing = np.array([1.0] * 20 + [0.0] * 40)
right, said = paired_t_test(drawing, losing), mcnemar_test(drawing, losing)
try:
    mcnemar_test(2 * drawing + 1, losing)
except ValueError as error:
    refused = str(error)
print(f"difference {right.delta:.2f} with p {right.p_value:.3f}; by mcnemar_test {said.delta:.2f} with", end=" ")
print(f"p {said.p_value:.6f}; of twos: {refused}")
assert right.delta < 0 and right.p_value < 0.01 and said.delta > 0.3 and said.p_value < 1e-5 and said.b_wins == 0
PYTHON
