#!/usr/bin/env bash
# A good guess: `keras.ops.clip(planes, 0, 300)` leaves bytes as they are, and `clip(planes, -1, 255)` too, for all of
# them lie within these bounds. So it is in numpy; PyTorch's own `clamp` refuses such bounds.
#
# What happens: the bounds are cut to the dtype of the array first, 300 to 44 and -1 to 255. So 200 clipped to 0 and 300
# is 44, and every byte clipped to -1 and 255 is 255. int8 clipped to 0 and 200 is -56. Nothing is raised, with JAX and
# with PyTorch below Keras, and with TensorFlow, whose own `tf.clip_by_value` does so too. Convert to int32 first.
#
# numpy 2.4.6, jax 0.10.2, torch 2.13.0, keras 3.15.1, and tensorflow 2.21.0; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 jax==0.10.2 torch==2.13.0 keras==3.15.1
"$folder/venv/bin/python" - <<'PYTHON'
import os
import subprocess
import sys

import numpy as np
import torch

PROGRAM = """
from keras import ops
CASES = ([3, 200], "uint8", 0, 300), ([3, 200], "uint8", -1, 255), ([3, 100], "int8", 0, 200)
for values, dtype, least, greatest in CASES:
    clipped = [ops.clip(ops.convert_to_tensor(values, kind), least, greatest) for kind in (dtype, "int32")]
    print(*(ops.convert_to_numpy(of).tolist() for of in clipped), end=", ")
"""
for backend in ("jax", "torch"):
    environment = {**os.environ, "KERAS_BACKEND": backend, "JAX_PLATFORMS": "cpu"}
    seen = subprocess.check_output([sys.executable, "-W", "ignore", "-c", PROGRAM], env=environment, text=True)
    print("uint8 to 0 and 300, to -1 and 255, int8 to 0 and 200, each beside int32, by", backend, "below Keras:", seen)
    assert seen == "[3, 44] [3, 200], [255, 255] [3, 200], [-56, -56] [3, 100], "
assert np.clip(np.array([3, 200], np.uint8), -1, 300).tolist() == [3, 200]
try:
    torch.tensor([3, 200], dtype=torch.uint8).clamp(0, 300)
    raise AssertionError("PyTorch clamps to 300")
except RuntimeError as error:
    print("PyTorch:", type(error).__name__)
PYTHON
