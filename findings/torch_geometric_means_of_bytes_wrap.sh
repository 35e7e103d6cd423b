#!/usr/bin/env bash
# A good guess: `global_mean_pool` of PyTorch Geometric refuses bytes, as `torch.mean` does, or returns their means: for
# cells of 200 and 100 it is 150.
#
# What happens: it returns floats, of sums that wrap in the dtype of the cells: 22. So do `scatter(..., reduce="mean")`,
# `MeanAggregation`, and `coalesce`. Sums wrap too, where `torch.sum` returns int64, and the softmax of a group of
# bytes is NaN wherever a cell is not its greatest. Convert to float first.
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
from torch_geometric.nn import MeanAggregation, global_add_pool, global_mean_pool
from torch_geometric.utils import coalesce, scatter, softmax

cells = torch.tensor([200, 100, 50, 250], dtype=torch.uint8)
graphs = torch.tensor([0, 0, 1, 1])
edges = torch.tensor([[0, 0, 1, 1], [1, 1, 0, 0]])
means = {
    "global_mean_pool": global_mean_pool(cells[:, None], graphs).flatten().tolist(),
    "scatter": scatter(cells, graphs, reduce="mean").tolist(),
    "MeanAggregation": MeanAggregation()(cells[:, None], graphs).flatten().tolist(),
    "coalesce": coalesce(edges, cells, reduce="mean")[1].tolist(),
}
floats = global_mean_pool(cells[:, None].float(), graphs).flatten().tolist()
added = global_add_pool(cells[:, None], graphs)
print("means of 200 and 100, and of 50 and 250:", means, "of floats:", floats, "sums:", added.flatten().tolist())
assert all(mean == [22, 22] for mean in means.values()) and floats == [150, 150]
assert added.flatten().tolist() == [44, 44] and added.dtype == torch.uint8 and cells[:2].sum() == 300
assert not softmax(cells, graphs).isfinite().all() and softmax(cells.float(), graphs).isfinite().all()
PYTHON
