#!/usr/bin/env bash
# A good guess: TorchRL's two ways to estimate advantages, step by step and vectorised, return the same, and both take a
# tensor of discounts, one for each step: −1 where the other player of a zero-sum game is to move next, +1 where the
# same player moves again.
#
# What happens: with discounts of 0 and more they agree. The vectorised one takes products of discounts below 1e-7 for
# decayed and leaves them out, and so the negative ones: where the players alternate, all advantages but the last are
# wrong, and nothing is raised. For −1 as a number it raises ValueError. `generalized_advantage_estimate` is right, and
# so are the returns of `vec_td_lambda_return_estimate`, from which the values can be subtracted.
#
# numpy 2.4.6, torch 2.13.0, tensordict 0.14.3, torchrl 0.14.1; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 torch==2.13.0 tensordict==0.14.3 torchrl==0.14.1
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import torch
from torchrl.objectives.value.functional import (
    generalized_advantage_estimate,
    vec_generalized_advantage_estimate,
    vec_td_lambda_return_estimate,
)

STEPS, LAMBDA = 8, 0.9
torch.manual_seed(1)
values, rewards = torch.rand(2, 1, STEPS, 1)
next_values = values.roll(-1, 1)
done = torch.zeros(1, STEPS, 1, dtype=torch.bool)
done[0, -1] = True


def compare(discounts):
    """Return the largest difference of the vectorised advantages, and of those by returns, from those by steps."""
    by_steps = generalized_advantage_estimate(discounts, LAMBDA, values, next_values, rewards, done)[0]
    vectorised = vec_generalized_advantage_estimate(discounts, LAMBDA, values, next_values, rewards, done)[0]
    by_returns = vec_td_lambda_return_estimate(discounts, LAMBDA, next_values, rewards, done) - values
    return [round((other - by_steps).abs().max().item(), 2) for other in (vectorised, by_returns)]


ones = torch.ones(1, STEPS, 1)
same, alternating = compare(ones), compare(-ones)
print("differences of vectorised advantages and those by returns, one player:", same, "two players:", alternating)
assert same == [0, 0] and alternating[0] > 0.3 and alternating[1] == 0
assert compare(torch.rand(1, STEPS, 1)) == [0, 0]
PYTHON
