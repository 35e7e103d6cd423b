#!/usr/bin/env bash
# A good guess: in `WeightedParticles` of pomdp_py the probability of a state is the weight of all its particles in that
# of all. `random` draws from the same belief, and `mpe` gives the most probable state.
#
# What happens: `random` draws by the sum of the weights, but the probability and `mpe` are of the mean weight of a
# state, as the docstring says of them. Of nine particles of one state and one of another, with equal weights, the first
# is drawn nine times of ten, has the probability 0.5, and loses to the other in `mpe` if that weighs a third more.
# `condense` makes a belief of the means. After resampling, where all weights are equal, every state that is left is as
# likely as any other. `Particles`, which have no weights, are right. Count them: `Particles` of states that were drawn
# by weight.
#
# numpy 2.4.6, scipy 1.17.1, tqdm 4.70.1, pomdp-py 1.3.5.1; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 scipy==1.17.1 tqdm==4.70.1 pomdp-py==1.3.5.1
"$folder/venv/bin/python" - <<'PYTHON'
import random

from pomdp_py import Particles, WeightedParticles

DRAWS = 10_000

random.seed(0)
belief = WeightedParticles([("castle", 1.0)] * 9 + [("tower", 1.0)])
share = sum(belief.random() == "castle" for _ in range(DRAWS)) / DRAWS
print(f"castle in 9 of 10 particles: drawn {share:.2f}, probability {belief['castle']}, condensed {belief.condense()}")
assert abs(share - 0.9) < 0.02 and belief["castle"] == 0.5

heavier = WeightedParticles([("castle", 0.3)] * 9 + [("tower", 0.4)])
print("most probable with a tower a third heavier:", heavier.mpe(), f"{heavier['tower']:.2f}")
counted = Particles(["castle"] * 9 + ["tower"])
print("without weights:", counted.mpe(), counted["castle"])
assert heavier.mpe() == "tower" and counted.mpe() == "castle" and counted["castle"] == 0.9
PYTHON
