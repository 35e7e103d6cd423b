#!/usr/bin/env bash
# A good guess: `cross_entropy` of numbers of actions and of the same actions written as one-hot shares is the same
# loss, also with `weight=`, which makes rare actions count more: it is a weighted mean, so that only the ratios of the
# weights matter.
#
# What happens: with numbers it is so: the sum is divided by the sum of the weights. With shares it is divided by the
# number of positions: weights ten times as large make the loss, and its gradients, ten times as large, and it depends
# on how many rare actions a batch happens to hold. So who replaces played actions by shares of visits trains at another
# learning rate. With `label_smoothing` it is so too. Rows of shares that are all 0, padding, count in the mean as well,
# while `ignore_index` leaves them out. Divide weights by their mean over the data, or reduce by yourself.
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
from torch.nn.functional import cross_entropy, one_hot

torch.manual_seed(1)
logits, actions = torch.randn(64, 5), torch.arange(64) % 5
weights = torch.tensor([1.0, 1.0, 1.0, 1.0, 20.0])
shares = one_hot(actions, 5).float()
assert torch.isclose(cross_entropy(logits, actions), cross_entropy(logits, shares))
plain = [float(cross_entropy(logits, actions, weight=weights * factor)) for factor in (1, 10)]
mixed = [float(cross_entropy(logits, shares, weight=weights * factor)) for factor in (1, 10)]
print("weights once and ten times as large: of actions", plain, "of one-hot shares", mixed)
assert abs(plain[0] - plain[1]) < 1e-4 and abs(mixed[0] * 10 - mixed[1]) < 1e-3
assert abs(mixed[0] - plain[0] * float(weights[actions].mean())) < 1e-3 and mixed[0] > 4 * plain[0]
padded = actions.clone()
padded[32:] = -100
ignored = float(cross_entropy(logits, padded))
counted = float(cross_entropy(logits, shares * (padded >= 0)[:, None]))
print("half of the rows padded: by ignore_index", ignored, "by shares of 0", counted)
assert abs(counted * 2 - ignored) < 1e-5
PYTHON
