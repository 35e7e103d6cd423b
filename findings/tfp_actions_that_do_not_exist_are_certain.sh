#!/usr/bin/env bash
# A good guess: `Categorical.log_prob` of TensorFlow Probability gives minus infinity or NaN for the action -1, which
# pads a batch, and for a number beyond the last action; or it takes -1 for the last one.
#
# What happens: it gives 0, so `prob` is 1: an action that does not exist is certain, while an illegal one, with a logit
# of minus infinity, has the chance 0. The number is made a row of zeros, and nothing is added up. So whoever numbers
# actions from 1 finds that the last one always has been the right choice, and a ratio of importance for it is 1,
# whatever the policies are. `OneHotCategorical` does the same with a row of zeros. `validate_args=True` refuses them.
# It is so with NumPy, and with JAX in 0.26.0.dev20261027; distrax 0.1.9, rlax 0.1.9 and `cdf` have no such surprise.
#
# numpy 2.4.6, tensorflow-probability 0.25.0 with NumPy; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 tensorflow-probability==0.25.0
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import numpy as np
from tensorflow_probability.substrates import numpy as tfp

LOGITS = np.array([0.0, 1.0, -np.inf, 2.0], np.float32)

policy = tfp.distributions.Categorical(logits=LOGITS)
chances = {action: round(float(policy.prob(action)), 3) for action in (-1, 0, 1, 2, 3, 4, 300)}
one_hot = tfp.distributions.OneHotCategorical(logits=LOGITS)
no_action = float(one_hot.log_prob(np.zeros(4, np.float32)))
print("chances of actions, of which 0, 1 and 3 are legal:", chances, "logarithm of that of no action:", no_action)
assert chances[-1] == chances[4] == chances[300] == 1 and no_action == 0
assert chances[2] == 0 and abs(chances[0] + chances[1] + chances[3] - 1) < 0.01
assert policy.cdf(-1) == 0 and policy.cdf(4) == 1
try:
    tfp.distributions.Categorical(logits=LOGITS, validate_args=True).log_prob(-1)
except ValueError:
    pass
else:
    raise AssertionError("an action of -1 was taken")
PYTHON
