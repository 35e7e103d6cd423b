#!/usr/bin/env bash
# A good guess: `SliceSampler` of TorchRL draws its slices as a buffer draws its steps, all with the same chance, so a
# game of two steps among a hundred fills two hundredths of a batch, and a batch of 16 has 16 steps.
#
# What happens: it draws a game first, all with the same chance, and then a slice of it. Where there are a game of 98
# steps and one of 2, half of all slices are the short one, and one of its steps is drawn about 50 times as often as one
# of the other. Games that end early, by a mistake or by an illegal move, fill the batches. With `strict_length=False`
# short games are not filled up either: a batch of 16 has 16 steps only if both slices are whole. `truncated` is set at
# the end of each slice, where the game has ended by itself too: read `terminated`. Learn from single steps, or cut all
# games to windows of one length before they go into the buffer.
#
# numpy 2.4.6, torch 2.13.0, tensordict 0.14.3, torchrl 0.14.1; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 torch==2.13.0 tensordict==0.14.3 torchrl==0.14.1
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import logging

logging.disable(logging.INFO)

import torch
from tensordict import TensorDict
from torchrl.data import LazyTensorStorage, SliceSampler, TensorDictReplayBuffer

SHORT, STEPS, BATCH, DRAWS = 2, 100, 16, 300


def draw(**options):
    """Return the share of the short game's steps in what is drawn, the mean size of a batch, and its flags at ends."""
    number = torch.arange(STEPS)
    is_last = ((number == SHORT - 1) | (number == STEPS - 1))[:, None]
    flags = {"done": is_last, "terminated": is_last.clone(), "truncated": torch.zeros_like(is_last)}
    sampler = SliceSampler(end_key=("next", "done"), **options)
    buffer = TensorDictReplayBuffer(storage=LazyTensorStorage(STEPS), sampler=sampler, batch_size=BATCH)
    buffer.extend(TensorDict({"number": number, "next": flags}, [STEPS]))
    batches = torch.cat([buffer.sample() for _ in range(DRAWS)])
    ended = batches["next", "truncated"][batches["next", "terminated"]]
    share = (batches["number"] < SHORT).float().mean().item()
    return round(share, 2), len(batches) / DRAWS, bool(ended.all())


torch.manual_seed(1)
pairs, eights = draw(slice_len=2), draw(slice_len=8, strict_length=False)
print("share of a game with 2 of 100 steps, steps a batch, truncated where terminated:", pairs, "slices of 8:", eights)
assert 0.45 < pairs[0] < 0.55 and pairs[1:] == (BATCH, True)
assert 0.15 < eights[0] < 0.25 and eights[1] < 11 and eights[2]
PYTHON
