#!/usr/bin/env bash
# A good guess: a network that has learned nothing, with equal logits for all of 200 actions, has an accuracy of 1 in
# 200, its top-1 accuracy is the same, and its top-5 accuracy is 5 in 200.
#
# What happens: `TopKCategoricalAccuracy` and `SparseTopKCategoricalAccuracy` of Keras take an action for found where
# less than k logits are larger, so of equal ones all count: each top-k accuracy is 100 %, top-1 too, while
# `SparseCategoricalAccuracy` is 1 in 200. A policy whose last layer begins at 0, as is common, begins with 100 % and
# gets worse, and logits of few bits, with many ties, look better than they are. So it is for `ops.in_top_k`, with JAX
# and with PyTorch below. torchmetrics has 5 in 200.
#
# numpy 2.4.6, jax 0.10.2, torch 2.13.0, keras 3.15.1, torchmetrics 1.9.0; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 jax==0.10.2 torch==2.13.0 keras==3.15.1 torchmetrics==1.9.0
"$folder/venv/bin/python" - <<'PYTHON'
import os
import subprocess
import sys

import torch
from torchmetrics import Accuracy

PROGRAM = """
import keras, numpy
actions, logits = numpy.arange(200), numpy.zeros((200, 200), numpy.float32)
metrics = [keras.metrics.SparseTopKCategoricalAccuracy(k) for k in (1, 5)]
print([round(float(metric(actions, logits)), 4) for metric in (*metrics, keras.metrics.SparseCategoricalAccuracy())])
"""
for backend in ("jax", "torch"):
    environment = {**os.environ, "KERAS_BACKEND": backend, "JAX_PLATFORMS": "cpu"}
    seen = subprocess.check_output([sys.executable, "-W", "ignore", "-c", PROGRAM], env=environment, text=True).strip()
    print("top-1, top-5 and accuracy of equal logits, by Keras with", backend, seen)
    assert seen == "[1.0, 1.0, 0.005]"
top = Accuracy("multiclass", num_classes=200, top_k=5, average="micro")
found = float(top(torch.zeros(200, 200), torch.arange(200)))
print("top-5 of torchmetrics:", round(found, 4))
assert abs(found - 5 / 200) < 1e-6
PYTHON
