#!/usr/bin/env bash
# A good guess: a function compiled by `torch.compile` returns what it returns uncompiled, at least for whole numbers:
# `board.amin()` of numbers from 3 to 52 is 3.
#
# What happens: on the CPU the least of uint8 or int8 comes out below all of them, as 0 or 1, and the greatest of
# negative int8 above all of them, as lanes of the processor that hold no numbers count too. It is so for `amin`,
# `amax`, `min` and `max`, of the whole tensor and along its last axis, from 16 numbers on; `argmin` and `argmax` are
# wrong as well. int16 and wider and floats are right, and sums of bytes. Convert to int16 first. It is known as
# pytorch/pytorch#191499.
#
# numpy 2.4.6, torch 2.13.0, on x86 with AVX-512 and AVX2, with a C++ compiler; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 torch==2.13.0
TORCHINDUCTOR_CACHE_DIR="$folder/compiled" "$folder/venv/bin/python" -W ignore - <<'PYTHON'
import torch

NUMBERS = torch.arange(100) % 50 + 3


def bounds(*boards):
    """Return the least and the greatest of each board and, for the first, those of each of its rows."""
    rows = boards[0].reshape(2, 50)
    return [board.amin() for board in boards], [board.amax() for board in boards], rows.amin(1), rows.min(1).values


boards = [NUMBERS.to(torch.uint8), NUMBERS.to(torch.int8), (-NUMBERS).to(torch.int8)]
boards += [NUMBERS.to(torch.int16), (-NUMBERS).to(torch.int16), NUMBERS.float()]
least, greatest, *rows = bounds(*boards)
seen_least, seen_greatest, *seen_rows = torch.compile(bounds)(*boards)
names = [f"{board.dtype} {int(low)}..{int(high)}" for board, low, high in zip(boards, least, greatest)]
found = {name: f"{int(low)}..{int(high)}" for name, low, high in zip(names, seen_least, seen_greatest)}
print("numbers, and their compiled bounds:", found)
assert [int(low) for low in least] == [3, 3, -52, 3, -52, 3] and [int(row[0]) for row in rows] == [3, 3]
assert all(int(seen_least[number]) < 3 for number in (0, 1)) and int(seen_greatest[2]) > -3
assert all(int(row[0]) < 3 for row in seen_rows)
assert seen_least[2:] == least[2:] and seen_greatest[:2] == greatest[:2] and seen_greatest[3:] == greatest[3:]
PYTHON
