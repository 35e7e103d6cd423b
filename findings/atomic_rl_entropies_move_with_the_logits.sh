#!/usr/bin/env bash
# A good guess: `compute_masked_entropy(logits, probs, mask)` of atomic-rl is the entropy of the policy over the legal
# actions, from 0 to the logarithm of their number, and the same whatever is added to all logits.
#
# What happens: it multiplies the probabilities by the logits as they are, and not by their logarithms. So it is right
# for logits that have been normalized, such as those of `Categorical`, and for those of a network it is minus their
# mean: of four equal logits of 0 it is 0, and of 5 it is -5, where 1.39 is right. As a bonus it pulls all logits down
# and does not keep a policy from becoming certain: its gradient on a policy of equal logits is the same for all.
# Nothing is said. Pass `logits.log_softmax(-1)`.
#
# Beside it, `argmax_selector` breaks ties by adding up to 1e-8, which float32 does not hold from 0.5 on: of values that
# are equal, it takes any at 0, and always the first at 0.5 and above.
#
# numpy 2.4.6, torch 2.13.0, gymnasium 1.4.0, tensordict 0.15.3, matplotlib 3.11.2, wandb 0.31.0, atomic-rl 0.2.0;
# November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 torch==2.13.0 gymnasium==1.4.0 tensordict==0.15.3 matplotlib==3.11.2 wandb==0.31.0 tqdm==4.70.1
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check --no-deps atomic-rl==0.2.0
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import torch
from atomic_rl.action_selection import argmax_selector, compute_masked_entropy
from torch.distributions import Categorical

mask = torch.tensor([True, True, True, True, False])
for logits in (torch.zeros(5), torch.full((5,), 5.0), torch.tensor([1.0, 2.0, 3.0, 4.0, 9.0])):
    masked = torch.where(mask, logits, -1e8)
    seen = compute_masked_entropy(masked, masked.softmax(-1), mask).item()
    normalized = compute_masked_entropy(masked.log_softmax(-1), masked.softmax(-1), mask).item()
    right = Categorical(logits=logits[mask]).entropy().item()
    print(f"entropy of the logits {logits[mask].tolist()}: {seen:.2f}, right {right:.2f}")
    assert abs(seen - right) > 1 and abs(normalized - right) < 1e-5

logits = torch.zeros(4, requires_grad=True)
compute_masked_entropy(logits, logits.softmax(-1), torch.ones(4)).backward()
print("gradient on equal logits", logits.grad.tolist())
assert torch.equal(logits.grad, torch.full((4,), -0.25))

torch.manual_seed(0)
first = {}
for value in (0.0, 0.1, 0.5, 1.0):
    chosen, _ = argmax_selector(torch.full((3000, 3), value))
    first[value] = (chosen == 0).float().mean().item()
print("share of the first of three equal values:", {value: round(share, 2) for value, share in first.items()})
assert 0.3 < first[0.0] < 0.37 and first[0.1] > 0.6 and first[0.5] == first[1.0] == 1
PYTHON
