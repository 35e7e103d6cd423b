#!/usr/bin/env bash
# A good guess: `pad_sequence` of games in several dtypes finds one for all of them, as `torch.stack`, `torch.cat` and
# the `DataLoader` do, or refuses them.
#
# What happens: it takes the dtype of the first one, and cuts the others to it without a word. Where the first game has
# whole rewards, 0.75 of another is 0; after a first game in int8 300 points are 44, and in bool they are True. With the
# games the other way round it is right. `pack_sequence` does so too, and there the longest game is the first. Convert
# all of them first.
#
# numpy 2.4.6, torch 2.13.0; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 torch==2.13.0
"$folder/venv/bin/python" - <<'PYTHON'
import torch
from torch.nn.utils.rnn import pack_sequence, pad_sequence

rewards = [torch.tensor([1, 0]), torch.tensor([0.75])]
points = [torch.tensor([1, 2], dtype=torch.int8), torch.tensor([300])]
padded = [pad_sequence(games, batch_first=True).tolist() for games in (rewards, points)]
turned = [pad_sequence(games[::-1], batch_first=True).tolist() for games in (rewards, points)]
packed = pack_sequence(rewards).data.tolist()
print("rewards and points:", padded, "the other way round:", turned, "packed:", packed)
assert padded == [[[1, 0], [0, 0]], [[1, 2], [44, 0]]]
assert turned == [[[0.75, 0], [1, 0]], [[300, 0], [1, 2]]]
assert packed == [1, 0, 0]
assert torch.cat(rewards).tolist() == [1, 0, 0.75] and torch.cat(points).tolist() == [1, 2, 300]
PYTHON
