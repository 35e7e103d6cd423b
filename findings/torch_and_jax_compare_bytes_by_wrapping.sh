#!/usr/bin/env bash
# A good guess: `board > -1` holds for every uint8, and `board == 256` for none, as in numpy. At most it raises, as
# PyTorch does for `torch.tensor([256], dtype=torch.uint8)`, and numpy for `np.uint8(256)`.
#
# What happens: PyTorch and JAX first convert the number to the dtype of the array. Of uint8 none is above -1, 255
# equals -1, and 0 equals 256; an int8 of -100 is below 200 and one of 0 is not. `maximum(board, -1)` is 255 everywhere.
# So masks such as `owner != -1`, written for wider integers, go wrong where boards are packed into bytes. So it is with
# a tensor or array without axes, made by `torch.tensor(-1)` or `jnp.array(-1)`; one with axes is right, and floats are.
#
# numpy 2.4.6, torch 2.13.0, jax 0.10.2, and jax 0.12.0.1 on Python 3.12; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 torch==2.13.0 jax==0.10.2
JAX_PLATFORMS=cpu "$folder/venv/bin/python" - <<'PYTHON'
import jax.numpy as jnp
import numpy as np
import torch

BYTES, SIGNED = np.array([0, 7, 255], np.uint8), np.array([-100, 0, 100], np.int8)


def compare(make):
    board, scores = make(BYTES), make(SIGNED)
    found = board > -1, board == -1, board == 256, scores < 200
    return ["".join("NY"[bool(item)] for item in row) for row in found]


seen = {"numpy": compare(np.asarray), "torch": compare(torch.from_numpy), "jax": compare(jnp.asarray)}
print("0, 7, 255 > -1, == -1, == 256, and -100, 0, 100 < 200:", seen)
assert seen["numpy"] == ["YYY", "NNN", "NNN", "YYY"]
assert seen["torch"] == seen["jax"] == ["NNN", "NNY", "YNN", "YNN"]
of_torch, of_jax = torch.from_numpy(BYTES), jnp.asarray(BYTES)
assert torch.maximum(of_torch, torch.tensor(-1)).tolist() == jnp.maximum(of_jax, -1).tolist() == [255] * 3
assert not (of_torch > torch.tensor(-1)).any() and not (of_jax > jnp.array(-1)).any()
assert (of_torch > torch.tensor([-1])).all() and (of_jax > jnp.array([-1])).all()
assert (of_torch > -1.0).all() and (of_jax > -1.0).all()
PYTHON
