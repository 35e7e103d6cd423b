#!/usr/bin/env bash
# A good guess: `Batch.from_data_list` of PyTorch Geometric numbers the nodes in `edge_index` on from graph to graph,
# and leaves other attributes of a game as they are: which player is to decide, or the number of a minibatch.
#
# What happens: whatever has `index` anywhere in its name is counted up by the number of nodes, and whatever has `batch`
# in it by its greatest value plus one: of two games in which player 1 is to decide `player_index` is 1 and 10, and
# `minibatch` 2 and 5. With `index` two-dimensional ones are also joined along the other axis. `batch[1]` returns what
# was put in, so a test by reading back finds nothing. Call it `player`, or write `__inc__`.
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
from torch_geometric.data import Batch, Data

CELLS = 9
game = {
    "x": torch.zeros(CELLS, 2),
    "edge_index": torch.tensor([[0], [1]]),
    "player": torch.tensor([1]),
    "player_index": torch.tensor([1]),
    "minibatch": torch.tensor([2]),
    "legal_indexes": torch.tensor([[3, 5]]),
}
batch = Batch.from_data_list([Data(**game), Data(**game)])
names = [name for name in game if name not in ("x", "edge_index")]
seen = {name: getattr(batch, name).tolist() for name in names}
back = {name: getattr(batch[1], name).tolist() for name in names}
print("two games with the same numbers:", seen, "the second read back:", back)
assert seen["player"] == [1, 1] and seen["player_index"] == [1, 1 + CELLS] and seen["minibatch"] == [2, 5]
assert seen["legal_indexes"] == [[3, 5, 3 + CELLS, 5 + CELLS]]
assert all((getattr(batch[1], name) == game[name]).all() for name in names)
PYTHON
