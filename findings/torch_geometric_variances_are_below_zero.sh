#!/usr/bin/env bash
# A good guess: `VarAggregation` of PyTorch Geometric is `torch.var` of each group, without the correction by one: never
# negative, and for points of 10,002 and 10,003 it is 0.25. `StdAggregation` is its root, 0.5.
#
# What happens: it is the mean of the squares less the square of the mean, in float32. Of those two it is -8, of 10,000
# and 10,001 it is 0, and the deviation of both is 0, as if all cells of a graph were equal. Subtract a typical value
# first, or use float64.
#
# numpy 2.4.6, torch 2.13.0, torch-geometric 2.8.1; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 torch==2.13.0 torch-geometric==2.8.1
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import torch
from torch_geometric.nn import StdAggregation, VarAggregation

points, graphs = torch.tensor([[10000.0], [10001.0], [10002.0], [10003.0]]), torch.tensor([0, 0, 1, 1])


def spread(offset, dtype=torch.float32):
    moved = points.to(dtype) - offset
    return [aggregation(moved, graphs).flatten().tolist() for aggregation in (VarAggregation(), StdAggregation())]


right = [[torch.var(points[group], correction=0).item() for group in (slice(2), slice(2, 4))]]
right.append([variance**0.5 for variance in right[0]])
seen = spread(0)
print("variances and deviations of 10000 and 10001, 10002 and 10003:", seen, "by torch:", right)
assert right == [[0.25, 0.25], [0.5, 0.5]] and min(seen[0]) < 0 and seen[1] == [0, 0]
for shown in (spread(10000), spread(0, torch.float64)):
    assert torch.allclose(torch.tensor(shown), torch.tensor(right), atol=1e-3)
PYTHON
