#!/usr/bin/env bash
# A good guess: on a CPU, the same seed, data and number of threads give the same gradients, bit by bit; only CUDA has
# sums without an order.
#
# What happens: the gradient of `states[numbers]`, where a number stands more than once, as that of a game does for
# each of its actions or that of a node for each of its edges, is added up by all threads at once, in any order. With
# two threads a hundred calls give dozens of gradients, which differ in the last bits, so training with one
# seed ends in other weights. Numbers in ascending order hide it: only those at the border between two threads differ,
# now and then. `index_select` gives one gradient, and so does indexing with one thread, or after
# `torch.use_deterministic_algorithms(True)`.
#
# numpy 2.4.6, torch 2.13.0; December 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 torch==2.13.0
"$folder/venv/bin/python" - <<'PYTHON'
import torch

torch.manual_seed(0)
GAMES, ACTIONS, UNITS = 64, 50, 64
states = torch.rand(GAMES, UNITS, requires_grad=True)
weights = torch.rand(GAMES * ACTIONS, UNITS)
numbers = torch.arange(GAMES).repeat_interleave(ACTIONS)[torch.randperm(GAMES * ACTIONS)]


def count_gradients(take, threads=2):
    """Return how many gradients a hundred calls give."""
    torch.set_num_threads(threads)
    found = {torch.autograd.grad((take() * weights).sum(), states)[0].numpy().tobytes() for _ in range(100)}
    return len(found)


indexed = count_gradients(lambda: states[numbers])
others = [count_gradients(lambda: states[numbers], threads=1), count_gradients(lambda: states.index_select(0, numbers))]
torch.use_deterministic_algorithms(True)
others.append(count_gradients(lambda: states[numbers]))
print(f"gradients of 100 calls of states[numbers]: {indexed}; by one thread, index_select, deterministic: {others}")
assert indexed > 10 and others == [1, 1, 1]
PYTHON
