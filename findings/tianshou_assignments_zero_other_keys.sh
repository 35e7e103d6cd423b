#!/usr/bin/env bash
# A good guess: `batch[1] = Batch(reward=9)` of Tianshou changes the reward of the second item and leaves its other
# keys, or raises as the keys differ: a key that the batch does not have is refused. TorchRL's `TensorDict` leaves them.
#
# What happens: all other keys of that item are set to 0, nested ones and masks too, and those that are objects to None.
# So a corrected reward erases the observation it was paid for, and a policy then learns from an empty board. A dict
# instead of a batch does the same. Assign `batch.reward[1] = 9`.
#
# numpy 2.4.6, torch 2.13.0, gymnasium 1.4.0, tianshou 2.0.1, tensordict 0.14.3; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 torch==2.13.0 gymnasium==1.4.0 tianshou==2.0.1 tensordict==0.14.3
(cd "$folder" && "$folder/venv/bin/python" -W ignore) <<'PYTHON'
import numpy as np
import torch
from tensordict import TensorDict
from tianshou.data import Batch


def make():
    names = np.array(["a", "b", "c"], object)
    return Batch(reward=np.ones(3), act=np.full(3, 5), obs=Batch(board=np.ones(3), mask=np.ones(3, bool)), name=names)


batch, by_dict, refuses, single = make(), make(), make(), make()
batch[1] = Batch(reward=9.0)
by_dict[1] = {"reward": 9.0}
single.reward[1] = 9.0
try:
    refuses[1] = Batch(points=9.0)
except ValueError as error:
    refusal = type(error).__name__
others = TensorDict(reward=torch.ones(3), act=torch.full((3,), 5), batch_size=[3])
others[1] = TensorDict(reward=torch.tensor(9.0))
seen = {"reward": batch.reward, "act": batch.act, "board": batch.obs.board, "mask": batch.obs.mask, "name": batch.name}
seen = {key: values.tolist() for key, values in seen.items()}
print("Tianshou's batch:", seen, "a key that is not there:", refusal, "TensorDict:", others["act"].tolist())
assert seen["reward"] == [1, 9, 1] and seen["act"] == [5, 0, 5] and seen["board"] == [1, 0, 1]
assert seen["mask"] == [True, False, True] and seen["name"] == ["a", None, "c"]
assert by_dict.act.tolist() == [5, 0, 5] and single.act.tolist() == others["act"].tolist() == [5, 5, 5]
PYTHON
