#!/usr/bin/env bash
# A good guess: a replay buffer takes a later item of another dtype by widening its memory, or raises.
#
# What happens: TorchRL's `LazyTensorStorage` takes the dtype of the first item and cuts all later ones to it without
# a word: after a first reward of `torch.tensor(0)` one of 0.75 is stored as 0, and after a first int8 a score of 300 as
# 44. Tianshou's `ReplayBuffer` does so with observations, actions and `info`; it makes floats of rewards alone. So
# where the first game begins at 0, the points of all games are whole. Convert before adding, with a
# `DTypeCastTransform` or by hand.
#
# numpy 2.4.6, torch 2.13.0, gymnasium 1.4.0, tensordict 0.14.3, torchrl 0.14.1, tianshou 2.0.1; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 torch==2.13.0 gymnasium==1.4.0 tensordict==0.14.3 torchrl==0.14.1 tianshou==2.0.1
(cd "$folder" && RL_LOGGING_LEVEL=ERROR "$folder/venv/bin/python" -W ignore) <<'PYTHON'
import numpy as np
import torch
from tensordict import TensorDict
from tianshou.data import Batch
from tianshou.data import ReplayBuffer as TianshouBuffer
from torchrl.data import LazyTensorStorage, ReplayBuffer


def keep_torchrl(*values):
    buffer = ReplayBuffer(storage=LazyTensorStorage(9))
    for value in values:
        buffer.add(TensorDict(reward=value))
    return buffer[:]["reward"].tolist()


def keep_tianshou(*values):
    buffer = TianshouBuffer(9)
    for value in values:
        state = {"obs": np.zeros(1), "obs_next": np.zeros(1), "terminated": False, "truncated": False}
        buffer.add(Batch(act=0, rew=value, info={"points": value}, **state))
    return buffer.rew[: len(values)].tolist(), buffer.info.points[: len(values)].tolist()


rewards = keep_torchrl(torch.tensor(0), torch.tensor(0.75), torch.tensor(-0.75))
scores = keep_torchrl(torch.tensor(0, dtype=torch.int8), torch.tensor(300))
widens = keep_torchrl(torch.tensor(0.0), torch.tensor(1), torch.tensor(0.75))
paid, points = keep_tianshou(0, 0.75, -0.75)
print("TorchRL keeps of 0, 0.75, -0.75:", rewards, "of an int8 and 300:", scores, "after 0.0:", widens)
print("Tianshou keeps of 0, 0.75, -0.75 as rewards:", paid, "in info:", points)
assert rewards == [0, 0, 0] and scores == [0, 44] and widens == [0, 1, 0.75]
assert paid == [0, 0.75, -0.75] and points == [0, 0, 0]
PYTHON
