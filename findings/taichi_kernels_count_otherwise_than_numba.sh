#!/usr/bin/env bash
# A good guess: a kernel moved from numba to Taichi computes the same: the sum of two int8 is wide, a counter that
# begins at 0 may become a float, and halves are rounded to the even number, as in Python, numpy and numba.
#
# What happens: sums of int8 and uint8 wrap, though int32 is returned: 100 and 100 are -56, and -100 less 100 is 56.
# A variable keeps the type that it began with: `total = 0`, and 0.5 added four times, is 0. `ti.round` takes 0.5 to 1
# and 2.5 to 3. And a field takes 300 and -1 for a byte as 44 and 255, where numpy raises. Cast with `ti.i32(...)`, and
# begin with 0.0.
#
# numpy 2.4.6, numba 0.68.1, taichi 1.7.4; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 numba==0.68.1 taichi==1.7.4
cat > "$folder/kernels.py" <<'PYTHON'
import numpy as np
import taichi as ti
from numba import njit

ti.init(arch=ti.cpu, log_level=ti.ERROR)
Cells = ti.types.ndarray(dtype=ti.i8, ndim=1)


@ti.kernel
def add(cells: Cells) -> ti.i32:
    return cells[0] + cells[1]


@ti.kernel
def subtract(cells: Cells) -> ti.i32:
    return cells[2] - cells[0]


@ti.kernel
def count(steps: ti.i32) -> ti.f32:
    total = 0
    for _ in range(steps):
        total += 0.5
    return total


@ti.kernel
def round_half(number: ti.f32) -> ti.f32:
    return ti.round(number)


@njit
def compute_by_numba(cells):
    total = 0
    for _ in range(4):
        total += 0.5
    return cells[0] + cells[1], cells[2] - cells[0], total, round(0.5), round(2.5)


cells = np.array([100, 100, -100], np.int8)
by_taichi = add(cells), subtract(cells), count(4), round_half(0.5), round_half(2.5)
by_numba = compute_by_numba(cells)
field = ti.field(ti.u8, shape=2)
field[0], field[1] = 300, -1
print("by Taichi:", by_taichi, "by numba:", by_numba, "a field of 300 and -1:", field.to_numpy().tolist())
assert by_taichi == (-56, 56, 0, 1, 3) and by_numba == (200, -200, 2, 0, 2)
assert field.to_numpy().tolist() == [44, 255]
PYTHON
"$folder/venv/bin/python" -W ignore "$folder/kernels.py"
