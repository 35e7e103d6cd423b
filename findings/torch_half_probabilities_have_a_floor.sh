#!/usr/bin/env bash
# A good guess: `Categorical(probs=...)` of a network in bfloat16 has the logarithms of its probabilities, rounded.
#
# What happens: probabilities are first raised to the dtype's epsilon, 1/128 in bfloat16 and 1/1024 in float16. With 512
# equal actions each has a log_prob of -4.84 and no gradient, so a policy gradient stands still, and the entropy is 4.84
# instead of 6.24. An action without any probability counts as 0.8 %. What is drawn is right. With `logits=` it is right
# too, and for float32 the floor is 1e-7. Pass logits, or convert to float32 first.
#
# numpy 2.4.6, torch 2.13.0; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 torch==2.13.0
"$folder/venv/bin/python" - <<'PYTHON'
import math

import torch
from torch.distributions import Categorical

ACTION = torch.tensor(5)


def measure(dtype, takes_logits):
    """Return log_prob and entropy of 512 equal actions, and the largest gradient of that log_prob."""
    logits = torch.zeros(512, dtype=dtype, requires_grad=True)
    policy = Categorical(logits=logits) if takes_logits else Categorical(probs=logits.softmax(0))
    log_prob = policy.log_prob(ACTION)
    log_prob.backward()
    return [round(value.item(), 2) for value in (log_prob, policy.entropy(), logits.grad.abs().max())]


by_probs = {str(dtype): measure(dtype, False) for dtype in (torch.float32, torch.float16, torch.bfloat16)}
by_logits = measure(torch.bfloat16, True)
never = Categorical(probs=torch.tensor([0.5, 0.5, 0.0], dtype=torch.bfloat16)).log_prob(torch.tensor(2)).exp().item()
print("log_prob, entropy and gradient of one of 512 actions:", by_probs, "by logits in bfloat16:", by_logits)
print("an action without probability counts as", round(never, 4))
assert by_probs["torch.float32"] == [-6.24, 6.24, 1.0] and abs(math.log(512) - 6.24) < 0.01
assert by_probs["torch.bfloat16"] == [-4.84, 4.84, 0.0] and abs(by_logits[0] + 6.24) < 0.05 and by_logits[2] > 0.9
assert 0.007 < never < 0.009
PYTHON
