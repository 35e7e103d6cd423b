#!/usr/bin/env bash
# A good guess: `PerOffPolicyBuffer` of XuanCe is prioritized replay as in the paper: what is drawn more often weighs
# less, `weights` are at most 1, and `beta` from 0 to 1 says how much of the unequal drawing they take back.
#
# What happens: the exponent stands at the size of the buffer alone. So `weights` are the priority over the least one: a
# decision that is drawn 100 times as often weighs 100 times as much instead of a hundredth, and `beta` changes nothing.
# A loss that is multiplied by them counts what surprises most, such as the ends of games, by the square of its
# priority. Use `weights ** -beta`. `PerDQN` itself leaves them out, whatever its `PER_beta0`. And the last row of the
# buffer is never drawn.
#
# numpy 1.26.4, gymnasium 1.2.3, scipy 1.17.1, xuance 1.4.4; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==1.26.4 gymnasium==1.2.3 scipy==1.17.1 PyYAML==6.0.3 tqdm==4.70.1
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check --no-deps \
  xuance==1.4.4
"$folder/venv/bin/python" - 2>"$folder/log" <<'PYTHON' || { cat "$folder/log"; exit 1; }
import random

import numpy as np
from gymnasium.spaces import Box, Discrete
from xuance.common import PerOffPolicyBuffer

random.seed(0)
buffer = PerOffPolicyBuffer(Box(0, 1, (1,)), Discrete(280), None, n_envs=1, buffer_size=4, batch_size=4, alpha=1.0)
for _ in range(4):
    buffer.store(np.zeros((1, 1)), np.zeros(1), np.zeros(1), np.zeros(1), np.zeros((1, 1)))
buffer.update_priorities(np.array([[0, 1, 2, 3]]), np.array([1.0, 10.0, 100.0, 10.0]))
weights = {}
for beta in (0.4, 1.0):
    seen = {}
    for _ in range(1000):
        drawn = buffer.sample(beta)
        seen.update(zip(drawn["step_choices"].ravel().tolist(), drawn["weights"].ravel().round(6).tolist()))
    weights[beta] = dict(sorted(seen.items()))
    right = [round(priority**-beta, 3) for priority in (1, 10, 100)]
    print("beta", beta, "weights of priorities 1, 10, 100:", weights[beta], "as in the paper:", right)
assert weights[0.4] == weights[1.0] == {0: 1.0, 1: 10.0, 2: 100.0}
PYTHON
