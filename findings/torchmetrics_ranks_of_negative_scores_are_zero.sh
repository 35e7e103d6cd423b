#!/usr/bin/env bash
# A good guess: metrics of a ranking depend on the order of the scores alone, so they are the same for probabilities,
# for their logarithms, and for logits, which torchmetrics calls scores as well.
#
# What happens: `RetrievalMRR`, `RetrievalMAP`, `RetrievalPrecision` and `RetrievalRecall` count a move as not found
# where its score is 0 or less. By logarithms of probabilities the best move in the first place is worth 0, by logits it
# depends on what the network adds to all of them, and nothing is said. `RetrievalHitRate` and `RetrievalNormalizedDCG`
# go by the order. Pass probabilities.
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
from torchmetrics import retrieval

probabilities = torch.tensor([0.2, 0.7, 0.1])
best, position = torch.tensor([False, True, False]), torch.zeros(3, dtype=torch.long)
NAMES = ("RetrievalMRR", "RetrievalMAP", "RetrievalPrecision", "RetrievalRecall", "RetrievalHitRate")


def rank(scores):
    names = (*NAMES, "RetrievalNormalizedDCG")
    return {name[9:]: round(float(getattr(retrieval, name)()(scores, best, indexes=position)), 3) for name in names}


given, logarithms, raised = rank(probabilities), rank(probabilities.log()), rank(probabilities.log() + 9)
print("by probabilities:", given)
print("by their logarithms:", logarithms, "by these and 9:", raised)
assert given == raised == {"MRR": 1, "MAP": 1, "Precision": 0.333, "Recall": 1, "HitRate": 1, "NormalizedDCG": 1}
assert logarithms == {"MRR": 0, "MAP": 0, "Precision": 0, "Recall": 0, "HitRate": 1, "NormalizedDCG": 1}
PYTHON
