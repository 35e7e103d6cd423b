#!/usr/bin/env bash
# A good guess: TorchRL's rewards to go of integers are as those of floats. Its other estimators take returns of -1, 0
# and 1 in any dtype, also bool: `generalized_advantage_estimate`, `vec_td1_return_estimate` and their like.
#
# What happens: `reward2go` and `Reward2GoTransform` cut the powers of the discount to the dtype of the rewards. Of
# int64 with 0.99 only the power 0 is not zero: each step has its own reward, and with a single one at the end all steps
# but the last have 0. With a discount of 1 it is right, so a test with whole returns passes. Smaller integers raise.
# Convert the rewards to floats before they go into a buffer.
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
from tensordict import TensorDict
from torchrl.envs.transforms import Reward2GoTransform
from torchrl.objectives.value.functional import reward2go, vec_td1_return_estimate

STEPS = 5


def estimate(dtype, discount):
    """Return the rewards to go of a game that pays 1 in its last step, in three ways."""
    done = torch.arange(STEPS)[:, None] == STEPS - 1
    reward = done.to(dtype)
    game = TensorDict({"next": {"done": done, "reward": reward}}, [STEPS])
    ways = (
        reward2go(reward, done, discount),
        Reward2GoTransform(discount, out_keys=["to_go"]).inv(game)["to_go"],
        vec_td1_return_estimate(discount, torch.zeros(STEPS, 1), reward, done),
    )
    return [[round(float(value), 2) for value in way.flatten()] for way in ways]


floats, integers, undiscounted = estimate(torch.float32, 0.9), estimate(torch.int64, 0.9), estimate(torch.int64, 1.0)
print("rewards to go with 0.9, of floats:", floats[0], "of int64:", integers[0], "by TD(1):", integers[2])
right = [0.66, 0.73, 0.81, 0.9, 1]
assert floats == [right] * 3 and integers == [[0, 0, 0, 0, 1]] * 2 + [right] and undiscounted == [[1] * STEPS] * 3
PYTHON
