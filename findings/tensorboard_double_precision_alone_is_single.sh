#!/usr/bin/env bash
# A good guess: `SummaryWriter.add_scalar(..., double_precision=True)` of PyTorch stores the number as a float64.
#
# What happens: without `new_style=True` the argument does nothing, and the number is stored as a float32: a count of
# 16,777,217 games is read as 16,777,216. With both it is exact, and is read by `Tensors` instead of `Scalars`. Steps
# are whole numbers of 64 bits: log counts as steps.
#
# numpy 2.4.6, torch 2.13.0, tensorboard 2.21.0; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 torch==2.13.0 tensorboard==2.21.0
(cd "$folder" && "$folder/venv/bin/python" -W ignore) <<'PYTHON'
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
from tensorboard.util.tensor_util import make_ndarray
from torch.utils.tensorboard import SummaryWriter

GAMES = 2**24 + 1
with SummaryWriter("log") as writer:
    writer.add_scalar("plain", GAMES, GAMES)
    writer.add_scalar("double", GAMES, GAMES, double_precision=True)
    writer.add_scalar("both", GAMES, GAMES, double_precision=True, new_style=True)
events = EventAccumulator("log")
events.Reload()
read = {tag: (event.step, int(event.value)) for tag in events.Tags()["scalars"] for event in events.Scalars(tag)}
(both,) = events.Tensors("both")
read["both"] = both.step, int(make_ndarray(both.tensor_proto))
print("step and value read of", GAMES, "games:", read)
assert read == {"plain": (GAMES, GAMES - 1), "double": (GAMES, GAMES - 1), "both": (GAMES, GAMES)}
PYTHON
