#!/usr/bin/env bash
# A good guess: `add_image` of PyTorch's `SummaryWriter` shows a picture of numbers from 0 to 255 as it is, whichever
# integers they are, since only floats could mean 0 to 1.
#
# What happens: only uint8 is taken as it is. All other integers are multiplied by 255 and cut at 255, so each channel
# that is not 0 is full: a picture of int64, as sums of uint8 arrays and tensors made from lists have, is of eight pure
# colours, mostly white. tensorboardX multiplies too and does not cut: 100 is shown as 156, since 25500 wraps, 128 as
# 128 and 254 as 2. Booleans are right. Call `.to(torch.uint8)` or `.astype(np.uint8)` before.
#
# numpy 2.4.6, pillow 13.0.0, torch 2.13.0, tensorboard 2.21.0, tensorboardX 2.6.5; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 pillow==13.0.0 torch==2.13.0 tensorboard==2.21.0 tensorboardX==2.6.5
"$folder/venv/bin/python" -W ignore - "$folder/runs" <<'PYTHON'
import io
import sys

import numpy as np
import tensorboardX
from PIL import Image
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
from torch.utils import tensorboard

SHADES = [0, 1, 100, 128, 254, 255]


def show(module, dtype):
    """Return the shades that TensorBoard shows of a picture of one row."""
    path = f"{sys.argv[1]}/{module.__name__}/{dtype}"
    with module.SummaryWriter(path) as writer:
        writer.add_image("board", np.array([SHADES], dtype), 0, dataformats="HW")
    events = EventAccumulator(path)
    events.Reload()
    (picture,) = events.Images("board")
    return np.asarray(Image.open(io.BytesIO(picture.encoded_image_string)).convert("L"))[0].tolist()


dtypes = ("uint8", "int16", "uint16", "int32", "int64")
seen = {module.__name__: {dtype: show(module, dtype) for dtype in dtypes} for module in (tensorboard, tensorboardX)}
print("shown of", SHADES, seen)
for module, of_integers in (("torch.utils.tensorboard", [0] + [255] * 5), ("tensorboardX", [0, 255, 156, 128, 2, 1])):
    assert seen[module].pop("uint8") == SHADES
    assert all(shades == of_integers for shades in seen[module].values())
PYTHON
