#!/usr/bin/env bash
# A good guess: softmax of whole numbers, such as points or visits in int8 or uint8, converts them to floats first, as
# JAX's `logsumexp` does, or raises, as PyTorch's softmax does.
#
# What happens: the largest is subtracted first, in the dtype that the numbers have, and that wraps. In uint8 all but
# the largest are NaN, already for 3, 1, 2. In int8, where numbers lie more than 127 apart, JAX gives all probability to
# the smallest: softmax of 100, -100, 0 is 0, 1, 0, and a `Categorical` of distrax with such logits plays the worst
# move; SciPy's is NaN. In int32 all are right. Convert to float32 first.
#
# numpy 2.4.6, scipy 1.17.1, distrax 0.1.9, jax 0.10.2, and jax 0.12.0.1 on Python 3.12; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 scipy==1.17.1 jax==0.10.2 distrax==0.1.9
JAX_PLATFORMS=cpu "$folder/venv/bin/python" - <<'PYTHON'
import warnings

import distrax
import jax
import jax.numpy as jnp
import numpy as np
from scipy import special

warnings.simplefilter("ignore")
far, near = np.array([100, -100, 0], np.int8), np.array([3, 1, 2], np.uint8)


def softmax(values):
    return {"jax": jax.nn.softmax(jnp.asarray(values)).tolist(), "scipy": special.softmax(values).tolist()}


of_far, of_near = softmax(far), softmax(near)
print("softmax of 100, -100, 0 as int8:", of_far, "- of 3, 1, 2 as uint8:", of_near)
assert np.argmax(of_far["jax"]) == 1 and max(of_far["jax"]) > 0.99
assert distrax.Categorical(logits=jnp.asarray(far)).mode() == 1
assert np.isnan(of_far["scipy"]).any()
assert np.isnan(of_near["jax"]).sum() == np.isnan(of_near["scipy"]).sum() == 2
assert softmax(far.astype(np.int32))["jax"][0] > 0.99 and softmax(far.astype(np.int32))["scipy"][0] > 0.99
assert jax.nn.logsumexp(jnp.asarray(far)) == 100
PYTHON
