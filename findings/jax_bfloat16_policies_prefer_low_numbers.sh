#!/usr/bin/env bash
# A good guess: `jax.random.categorical` draws from logits in bfloat16 as from float32, but for the rounding of the
# logits. PyTorch's `Categorical` does.
#
# What happens: the noise is drawn in the dtype of the logits, and has so few values in bfloat16 that many actions tie;
# the first one wins. Of 512 equal actions the lower half is drawn in nine cases of ten, in float16 in six. So it is
# with everything built on it, such as distrax' `Categorical`. `bernoulli` of 0.001 in bfloat16 holds eight times as
# often as it should. Convert logits and chances to float32 before drawing.
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

lower, explores = {}, {}
for dtype in (jnp.float32, jnp.float16, jnp.bfloat16):
    drawn = jax.random.categorical(jax.random.key(1), jnp.zeros((20_000, 512), dtype))
    lower[dtype.__name__] = round(float((drawn < 256).mean()), 2)
    explored = jax.random.bernoulli(jax.random.key(2), dtype(0.001), (1_000_000,))
    explores[dtype.__name__] = round(float(explored.mean()), 4)
print("share of the lower half of 512 equal actions:", lower, "- how often a chance of 0.001 holds:", explores)
assert abs(lower["float32"] - 0.5) < 0.02 and lower["float16"] > 0.55 and lower["bfloat16"] > 0.8
assert abs(explores["float32"] - 0.001) < 0.0002 and explores["bfloat16"] > 0.005
PYTHON
