#!/usr/bin/env bash
# A good guess: `need_weights` of `MultiheadAttention` says whether the weights are returned too, and leaves the output
# alone. For a game whose keys are all padding, an empty board, the output is NaN either way, as softmax of -inf is.
#
# What happens: with `need_weights=True`, the default, the output of that game is NaN. With False it is what attention
# to nothing brings, the bias of the last layer. In training the difference is larger: with the weights all gradients
# are NaN, also where the loss is of the other games alone, or takes that game times 0: one empty board destroys the
# network. Without them they are right. So it is on the CPU. Pass `need_weights=False`, or a key that is never padding.
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

torch.manual_seed(1)
tiles = torch.randn(2, 3, 4)
padding = torch.tensor([[False, False, True], [True, True, True]])
seen = {}
for need_weights in (True, False):
    layer = torch.nn.MultiheadAttention(4, 1, batch_first=True)
    output, _ = layer(tiles, tiles, tiles, key_padding_mask=padding, need_weights=need_weights)
    output[0].sum().backward()
    empty = output[1].isnan().all().item() or (output[1] == layer.out_proj.bias).all().item() * "its bias"
    seen[need_weights] = empty, bool(layer.in_proj_weight.grad.isnan().all()), bool(output[0].isfinite().all())
print("need_weights: whether the empty game is NaN, all gradients of the other game are, and its output is finite")
print(seen)
assert seen == {True: (True, True, True), False: ("its bias", False, True)}
PYTHON
