#!/usr/bin/env bash
# A good guess: to draw more actions without replacement than have a probability above 0 is an error: numpy's `choice`
# says `Fewer non-zero entries in p than size`, and PyTorch's documentation of `multinomial` asks for enough of them.
#
# What happens: PyTorch's `multinomial` and `WeightedRandomSampler`, and JAX's `choice` and `categorical` with
# `replace=False`, fill up with actions of probability 0, without a word. A search that draws three candidates where a
# single move is legal gets two illegal ones, though never before all legal ones are drawn. Draws with
# replacement are right. Look at each drawn action's mask.
#
# numpy 2.4.6, torch 2.13.0, jax 0.10.2, and jax 0.12.0.1 on Python 3.12; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 torch==2.13.0 jax==0.10.2
JAX_PLATFORMS=cpu "$folder/venv/bin/python" - <<'PYTHON'
import jax
import jax.numpy as jnp
import numpy as np
import torch
from torch.utils.data import WeightedRandomSampler

CHANCES = np.array([0.0, 1.0, 0.0, 0.0, 0.0])  # a single legal action, 1
key, logits = jax.random.key(0), jnp.log(jnp.asarray(CHANCES))
drawn = {
    "multinomial": torch.multinomial(torch.from_numpy(CHANCES), 3).tolist(),
    "WeightedRandomSampler": list(WeightedRandomSampler(CHANCES, 3, replacement=False)),
    "jax choice": jax.random.choice(key, 5, (3,), replace=False, p=jnp.asarray(CHANCES)).tolist(),
    "jax categorical": jax.random.categorical(key, logits, shape=(3,), replace=False).tolist(),
}
try:
    np.random.default_rng(0).choice(5, 3, replace=False, p=CHANCES)
    refusal = None
except ValueError as error:
    refusal = str(error)
print("three draws where only action 1 has a probability:", drawn, "- numpy:", refusal)
assert refusal == "Fewer non-zero entries in p than size"
assert all(actions[0] == 1 and len(set(actions)) == 3 for actions in drawn.values())
assert torch.multinomial(torch.from_numpy(CHANCES), 3, replacement=True).tolist() == [1, 1, 1]
PYTHON
