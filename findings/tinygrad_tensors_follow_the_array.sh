#!/usr/bin/env bash
# A good guess: `Tensor(array)` of tinygrad copies, as `torch.tensor` and `jnp.asarray` do, so the observations that a
# program keeps stay as they were, though the environment writes the next one into the same array.
#
# What happens: a tensor reads the array when it is first needed, and until then is the array. What is computed from it,
# such as `Tensor(array) / 255`, waits as well. So a list of three observations is three times the last one, if nobody
# has looked at them before. Whoever prints each of them sees the right ones, and thereby fixes them. Call `realize()`
# at once, or copy the array: environments such as those of `copy=False` write into one.
#
# numpy 2.4.6, tinygrad 0.14.0 on its device PYTHON; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 tinygrad==0.14.0
DEV=PYTHON CACHEDB="$folder/cache.db" "$folder/venv/bin/python" - <<'PYTHON'
import numpy as np
from tinygrad import Tensor


def keep(read):
    """Return what is left of three observations of an environment that writes them into one array."""
    observation, kept = np.zeros(2, np.uint8), []
    for step in range(3):
        observation[:] = step
        kept.append(read(observation))
    return [tensor.tolist()[0] for tensor in kept]


def look(array):
    """Return the tensor of an array after printing it into a string."""
    tensor = Tensor(array)
    str(tensor.numpy())
    return tensor


ways = {
    "Tensor": keep(Tensor),
    "computed": keep(lambda array: Tensor(array) + 0),
    "looked at": keep(look),
    "realize": keep(lambda array: Tensor(array).realize()),
}
print("kept of observations 0, 1 and 2:", ways)
assert ways["Tensor"] == ways["computed"] == [2, 2, 2]
assert ways["looked at"] == ways["realize"] == [0, 1, 2]
PYTHON
