#!/usr/bin/env bash
# A good guess: `torch.masked.argmax(values, 1, mask=mask)` returns the number of the best legal action as int64, as
# `torch.argmax` does.
#
# What happens: it converts the numbers to the dtype of the values. Of int8 values the action 280 is returned as 24, of
# uint8 as 24 too, which may well be an illegal one; of bfloat16, 281 as 280. Of float32 it returns 280.0, which cannot
# be an index. `argmin` does the same. `dtype=torch.int64` is right, and `torch.where(mask, values, -inf).argmax(1)`.
#
# numpy 2.4.6, torch 2.13.0; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 torch==2.13.0
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import torch

mask = torch.ones(1, 300, dtype=torch.bool)
mask[0, 24] = False
seen = {}
for dtype in torch.int8, torch.uint8, torch.bfloat16, torch.float32, torch.int64:
    values = torch.zeros(1, 300, dtype=dtype)
    values[0, 281] = 5
    found = torch.masked.argmax(values, 1, mask=mask)
    assert found.dtype == dtype and values.argmax(1).tolist() == [281]
    assert torch.masked.argmin(values.neg(), 1, mask=mask).dtype == dtype
    seen[str(dtype)] = found.item()
values = torch.zeros(1, 300, dtype=torch.int8)
values[0, 281] = 5
print("the best of 300 actions is 281, masked.argmax finds:", seen)
assert seen == {
    "torch.int8": 25, "torch.uint8": 25, "torch.bfloat16": 280.0, "torch.float32": 281.0, "torch.int64": 281
}
found = torch.masked.argmax(values, 1, mask=mask, dtype=torch.int64)
assert found.item() == 281 and found.dtype == torch.int64
PYTHON
