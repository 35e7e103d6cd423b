#!/usr/bin/env bash
# A good guess: `NeuralNetBinaryClassifier` of skorch, which is a classifier in the manner of scikit-learn, takes any
# two labels: results of -1 and 1 as 0 and 1. Or it refuses them, as `NeuralNetClassifier` does.
#
# What happens: labels of float32 go to the loss as they are. Binary cross-entropy with a target of -1 has no least
# value: the loss is negative and falls without end, and wins are given up for it. Of games that a line divides, it
# calls 28 % won where 51 % are. `classes_` is [0, 1] all the same, `predict` never says -1, and so `score` counts each
# lost game as an error: that is what early stopping and a search over parameters see. Integers and bools are refused,
# which leads to float32. Pass `returns > 0` as float32.
#
# numpy 2.4.6, torch 2.13.0, scikit-learn 1.9.1, skorch 1.4.0; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 torch==2.13.0 scikit-learn==1.9.1 skorch==1.4.0
OMP_NUM_THREADS=1 "$folder/venv/bin/python" -W ignore - <<'PYTHON'
import numpy as np
import torch
from sklearn.linear_model import LogisticRegression
from skorch import NeuralNetBinaryClassifier

GAMES = 400

leads = np.random.default_rng(1).normal(size=(GAMES, 4)).astype(np.float32)
won = leads[:, 0] > 0
results = np.where(won, 1, -1).astype(np.float32)


def learn(labels):
    """Return the score, the last loss, the share of predicted wins, and the labels that are known and predicted."""
    torch.manual_seed(1)
    network = torch.nn.Linear(4, 1)
    net = NeuralNetBinaryClassifier(network, max_epochs=100, lr=0.5, train_split=None, verbose=0).fit(leads, labels)
    predicted = net.predict(leads)
    found = [round(float(number), 2) for number in (net.score(leads, labels), net.history[-1, "train_loss"])]
    return *found, round(float(np.mean(predicted == 1)), 2), net.classes_.tolist(), np.unique(predicted).tolist()


right, wrong = learn(won.astype(np.float32)), learn(results)
by_sklearn = LogisticRegression().fit(leads, results).score(leads, results)
print("score, loss, predicted wins, labels, with 0 and 1:", right, "with -1 and 1:", wrong, "scikit-learn:", by_sklearn)
assert right[0] > 0.95 and by_sklearn > 0.95 and 0 < right[1] < 0.5 and 0.45 < right[2] < 0.55
assert wrong[0] < 0.4 and wrong[1] < -10 and wrong[2] < 0.4 and wrong[3] == wrong[4] == [0, 1]
PYTHON
