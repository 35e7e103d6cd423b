#!/usr/bin/env bash
# A good guess: `kl_divergence` of two categorical policies under the same mask, with logits of -inf where an action
# is illegal, is either NaN or right, gradient included: entropy and log_prob of such a policy have right gradients.
#
# What happens: the value is right, and the gradient by the first policy is NaN for every legal action, so one
# update of a penalty or a distillation loss destroys the network. The other direction is fine, and so is a finite
# fill, such as `torch.finfo(dtype).min`.
#
# numpy 2.4.6, torch 2.13.0; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 torch==2.13.0
"$folder/venv/bin/python" - <<'PYTHON'
import torch
from torch.distributions import Categorical, kl_divergence

legal = torch.tensor([True, True, False])


def measure(fill, is_first):
    logits = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    learned = Categorical(logits=logits.masked_fill(~legal, fill))
    fixed = Categorical(logits=torch.tensor([0.5, 0.1, 3.0]).masked_fill(~legal, fill))
    value = kl_divergence(learned, fixed) if is_first else kl_divergence(fixed, learned)
    value.backward()
    return round(value.item(), 4), logits.grad


value, gradient = measure(-torch.inf, True)
finite_value, finite_gradient = measure(torch.finfo(torch.float32).min, True)
print("filled with -inf:", value, gradient.tolist(), "with the least float:", finite_value, finite_gradient.tolist())
assert value == finite_value == 0.2232
assert gradient[:2].isnan().all() and finite_gradient.isfinite().all() and finite_gradient[0] < -0.2
assert measure(-torch.inf, False)[1].isfinite().all()
PYTHON
