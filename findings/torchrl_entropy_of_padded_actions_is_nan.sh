#!/usr/bin/env bash
# A good guess: TorchRL's `MaskedCategorical`, told the legal actions by `indices` with a `padding_value` for rows that
# have fewer, has the entropy that it has with `mask`. It never draws the padding, and its `log_prob` is the same.
#
# What happens: the entropy of every row with padding is NaN, and with it the loss of PPO, which adds an entropy bonus;
# rows without padding are right. With `mask` the entropy is right. Make a mask of the indices.
#
# numpy 2.4.6, torch 2.13.0, tensordict 0.14.3, torchrl 0.14.1; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 torch==2.13.0 tensordict==0.14.3 torchrl==0.14.1
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import torch
from torchrl.modules import MaskedCategorical

logits = torch.tensor([[1.0, 5.0, 2.0, 0.0]]).expand(2, 4)
listed = torch.tensor([[0, 2, 3], [0, 2, -1]])
legal = torch.tensor([[True, False, True, True], [True, False, True, False]])
by_indices = MaskedCategorical(logits=logits, indices=listed, padding_value=-1)
by_mask = MaskedCategorical(logits=logits, mask=legal)
action = torch.tensor([2, 2])
print("entropy by indices:", by_indices.entropy().tolist(), "by mask:", by_mask.entropy().tolist())
assert by_indices.entropy().isnan().tolist() == [False, True] and by_mask.entropy().isfinite().all()
assert torch.isclose(by_indices.entropy()[0], by_mask.entropy()[0])
assert torch.allclose(by_indices.log_prob(action), by_mask.log_prob(action))
assert set(by_indices.sample((200,))[:, 1].tolist()) == {0, 2}
PYTHON
