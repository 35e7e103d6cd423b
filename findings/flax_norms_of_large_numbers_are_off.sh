#!/usr/bin/env bash
# A good guess: `LayerNorm`, `GroupNorm` and `BatchNorm` of Flax subtract the mean and divide by the deviation: 3,000
# and 3,001 become -1 and 1, as in PyTorch, Haiku and Equinox, or, with numbers as large as that, nearly so.
#
# What happens: the variance is the mean of squares less the square of the mean, in float32. What is left of it is
# rounding, and where that is 0 or less, the deviation counts as 0.001: 3,000 and 3,001 become -500 and 500. A batch of
# ratings around 2,000 with a deviation of 1 gets one of 1.5. So it is in `linen` and in `nnx`. Numbers of steps, of
# nodes, and ratings are that large, and those of cells are not. Pass `use_fast_variance=False`, or scale before.
#
# numpy 2.4.6, jax 0.10.2, flax 0.12.8, equinox 0.13.8; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 jax==0.10.2 flax==0.12.8 equinox==0.13.8
JAX_PLATFORMS=cpu "$folder/venv/bin/python" - <<'PYTHON'
import equinox
import flax.linen
import jax
import jax.numpy as jnp
from flax import nnx

steps = jnp.array([[3_000.0, 3_001.0]])


def see(layer, values=steps):
    return layer.init_with_output(jax.random.key(0), values)[0]


fast = {
    "LayerNorm": see(flax.linen.LayerNorm()),
    "GroupNorm": see(flax.linen.GroupNorm(1)),
    "nnx.LayerNorm": nnx.LayerNorm(2, rngs=nnx.Rngs(0))(steps),
}
right = [see(flax.linen.LayerNorm(use_fast_variance=False)), equinox.nn.LayerNorm(2)(steps[0])[None]]
print("3,000 and 3,001:", {name: values[0].tolist() for name, values in fast.items()}, "in Equinox:", right[1][0])
assert all(abs(values[0, 1]) > 100 for values in fast.values())
assert all(abs(values[0, 1] - 1) < 0.01 for values in right)
ratings = 2_000 + jax.random.normal(jax.random.key(1), (256, 1))
spread = [
    float(see(flax.linen.BatchNorm(use_running_average=False, use_fast_variance=fast), ratings).std())
    for fast in (True, False)
]
print("the deviation of 256 ratings after BatchNorm:", spread[0], "without the fast variance:", spread[1])
assert spread[0] > 1.3 and abs(spread[1] - 1) < 0.01
PYTHON
