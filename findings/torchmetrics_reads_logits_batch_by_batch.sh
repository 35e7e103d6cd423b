#!/usr/bin/env bash
# A good guess: binary metrics of torchmetrics that are updated batch by batch return what they return for all batches
# at once. They take probabilities or logits, and tell them apart by whether a value lies outside of 0 to 1.
#
# What happens: each batch is looked at by itself. Where all logits of a batch lie between 0 and 1 they count as
# probabilities: a logit of 0.4, a win with 60 %, counts as 40 %, a loss. So the accuracy of a head that predicts wins
# depends on how large the batches are, and on their order. So it is for `F1Score`, `AUROC` and the others; logits that
# all lie between 0 and 1 are rare in large batches, and common in those of one. Call `sigmoid` before.
#
# numpy 2.4.6, torch 2.13.0, torchmetrics 1.9.0; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 torch==2.13.0 torchmetrics==1.9.0
"$folder/venv/bin/python" - <<'PYTHON'
import torch
from torchmetrics import AUROC, Accuracy, F1Score

logits, won = torch.tensor([0.9, 2.0, -2.0, 0.4]), torch.tensor([0, 1, 0, 1])


def score(metric, size, values=logits):
    made = metric("binary")
    for first in range(0, len(values), size):
        made.update(values[first : first + size], won[first : first + size])
    return round(float(made.compute()), 3)


METRICS = (Accuracy, F1Score, AUROC)
seen = {metric.__name__: [score(metric, size) for size in (4, 2, 1)] for metric in METRICS}
sure = {metric.__name__: [score(metric, size, logits.sigmoid()) for size in (4, 2, 1)] for metric in METRICS}
print("in batches of 4, 2 and 1:", seen, "after sigmoid:", sure)
assert sure == {"Accuracy": [0.75] * 3, "F1Score": [0.8] * 3, "AUROC": [0.75] * 3}
assert seen == {"Accuracy": [0.75, 0.75, 0.5], "F1Score": [0.8, 0.8, 0.5], "AUROC": [0.75, 0.75, 0.5]}
PYTHON
