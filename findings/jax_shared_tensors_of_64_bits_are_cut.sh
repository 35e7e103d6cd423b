#!/usr/bin/env bash
# A good guess: `jax.dlpack.from_dlpack(tensor, copy=False)` shares the tensor's memory, whatever it holds, or raises
# an error where it cannot; so an int64 tensor of deals or seeds arrives as it is, or not at all.
#
# What happens: unless 64 bits are switched on, what arrives is a copy in 32 bits. Nothing is raised and nothing warned
# of: of whole numbers the lower half is left, and a large float64 is infinite. So it is with `jax.numpy.from_dlpack`,
# and on a GPU too (seen with jax 0.11.2). Narrower tensors are shared. Set `jax_enable_x64`, or hand over two int32.
#
# numpy 2.4.6, jax 0.10.2, and jax 0.11.2 on Python 3.12; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 jax==0.10.2
JAX_PLATFORMS=cpu "$folder/venv/bin/python" -W error - <<'PYTHON'
import jax
import numpy as np



def align(values):
    """Return an array that begins at a multiple of 64 bytes, as jax asks for."""
    room = np.zeros(values.nbytes + 64, np.uint8)
    start = -room.ctypes.data % 64
    aligned = room[start : start + values.nbytes].view(values.dtype)
    aligned[:] = values
    return aligned


deals = align(np.array([2**40 + 5, 7]))
points = align(np.array([0.5, 1e300]))
narrow = align(np.zeros(2, np.int32))
for take in (jax.dlpack.from_dlpack, jax.numpy.from_dlpack):
    taken, measured = take(deals, copy=False), take(points, copy=False)
    print(f"{deals.tolist()} taken without a copy: {taken.tolist()} {taken.dtype}; {points.tolist()}: {measured.tolist()}")
    assert taken.dtype == np.int32 and taken.tolist() == [5, 7]
    assert measured.dtype == np.float32 and measured.tolist() == [0.5, np.inf]
    assert take(narrow, copy=False).unsafe_buffer_pointer() == narrow.ctypes.data
with jax.enable_x64(True):
    assert jax.dlpack.from_dlpack(deals, copy=False).tolist() == deals.tolist()
PYTHON
