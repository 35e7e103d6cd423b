#!/usr/bin/env bash
# A good guess: `jnp.cumsum` of an int8 mask counts legal actions, as numpy's does and as `jnp.sum` does, which widen
# int8 before they add; and a row of `jax.nn.one_hot` has at most a single 1.
#
# What happens: `cumsum` and `cumprod` keep int8 and go negative after 127, though those of bool and `cumulative_sum`
# widen. So places counted by `cumsum(mask) - 1` go wrong where more than 128 actions are legal. `one_hot` counts
# classes in the dtype of its argument: of 512 classes an int8 or uint8 marks two, 256 apart, and the row adds up to 2.
# Convert to int32 first.
#
# numpy 2.4.6, jax 0.10.2, and jax 0.12.0.1 on Python 3.12; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 jax==0.10.2
JAX_PLATFORMS=cpu "$folder/venv/bin/python" - <<'PYTHON'
import jax
import jax.numpy as jnp
import numpy as np

mask = np.ones(200, np.int8)
counted = int(np.cumsum(mask)[-1]), int(jnp.cumsum(jnp.asarray(mask))[-1]), int(jnp.sum(jnp.asarray(mask)))
marked = {dtype.__name__: jnp.flatnonzero(jax.nn.one_hot(dtype(5), 512)).tolist() for dtype in (jnp.uint8, jnp.int32)}
print("200 legal actions by cumsum of numpy and jax, and by jax' sum:", *counted, "- marked by one_hot of 5:", marked)
assert counted == (200, -56, 200)
assert jnp.cumsum(jnp.asarray(mask, bool))[-1] == jnp.cumulative_sum(jnp.asarray(mask))[-1] == 200
assert jnp.cumprod(jnp.full(3, 100, jnp.int8)).tolist() != np.cumprod(np.full(3, 100, np.int8)).tolist()
assert marked == {"uint8": [5, 261], "int32": [5]}
assert jnp.flatnonzero(jax.nn.one_hot(jnp.int8(5), 512)).tolist() == [5, 261]
PYTHON
