#!/usr/bin/env bash
# A good guess: `SignTest.probs` of baycomp gives the probabilities that one agent wins more games than the other. Draws
# say nothing about that and change nothing, or bring the two nearer to one half, as `SignedRankTest` does.
#
# What happens: of the drawn shares of wins, draws and losses it counts which is the greatest, and without a region of
# equivalence it leaves out where the draws are. The more draws, the surer it is: of 60 wins and 40 losses one has 0.978
# without draws, 0.992 with 60 and 1 with 100 of them. From about twice as many on there is nothing left to count, and
# both are NaN (a RuntimeWarning). With `rope` the draws win: 0.999 for equal at 100. Leave draws out, or compare the
# first and the last column of `SignTest.sample`.
#
# numpy 2.4.6, scipy 1.17.1, baycomp 1.0.3; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 scipy==1.17.1 baycomp==1.0.3
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import numpy as np
from baycomp import SignedRankTest, SignTest

WINS, LOSSES = 60, 40


def compare(draws):
    """Return the chance that the agent wins more by both tests, by the sample, and that they are equal by a region."""
    theirs = np.zeros(WINS + draws + LOSSES)
    ours = np.repeat([1.0, 0.0, -1.0], [WINS, draws, LOSSES])
    sample = SignTest.sample(theirs, ours, random_state=1)
    return (
        SignTest.probs(theirs, ours, random_state=1)[1],
        SignedRankTest.probs(theirs, ours, nsamples=2000, random_state=1)[1],
        (sample[:, 2] > sample[:, 0]).mean(),
        SignTest.probs(theirs, ours, rope=0.5, random_state=1)[1],
    )


chances = np.array([compare(draws) for draws in (0, 60, 100, 200)])
print("0, 60, 100, 200 draws beside 60 wins and 40 losses; sign test:", chances[:, 0].round(3))
print("signed ranks:", chances[:, 1].round(3), "sample:", chances[:, 2].round(3), "equal:", chances[:, 3].round(3))
assert np.allclose(chances[:3, 0], [0.978, 0.992, 1.0], atol=0.005) and np.isnan(chances[3, 0])
assert (abs(chances[:, 1:3] - 0.978) < 0.02).all()
assert chances[0, 3] < 0.01 and (chances[2:, 3] > 0.99).all()
PYTHON
