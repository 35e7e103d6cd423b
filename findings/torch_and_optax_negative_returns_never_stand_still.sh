#!/usr/bin/env bash
# A good guess: `ReduceLROnPlateau(optimizer, mode="max", patience=1)` of PyTorch lowers the learning rate when the mean
# return has not risen twice, whether it is 0.5 or -0.5; so does `reduce_on_plateau` of optax for a loss.
#
# What happens: with returns below 0 it never does. A new best must exceed the old one times 1.0001, which of a negative
# number is a lower one: a return of -0.5 that stays is a new best each time, and so is each that is lower by less than
# a ten-thousandth. With `threshold=0.1` returns may fall by almost a tenth a step, and each becomes the best one, to be
# compared with. A loss that is negative, as with a bonus for entropy, fares alike with `mode="min"` and in optax.
# Nothing is said. Pass `threshold_mode="abs"`, in optax `rtol=0` and an `atol`, or add a number that makes all above 0.
#
# numpy 2.4.6, torch 2.13.0, jax 0.10.2, optax 0.2.8; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 torch==2.13.0 jax==0.10.2 optax==0.2.8
JAX_PLATFORMS=cpu "$folder/venv/bin/python" -W ignore - <<'PYTHON'
import jax.numpy as jnp
import optax
import torch


def learn(values, **options):
    """Return how often PyTorch halves the learning rate while these values are reported."""
    optimizer = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=1.0)
    scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=1, factor=0.5, **options)
    for value in values:
        scheduler.step(value)
    rate = optimizer.param_groups[0]["lr"]
    return round(-torch.log2(torch.tensor(rate)).item())


def lose(value, **options):
    """Return the scale of optax's steps after the same loss has been reported eight times."""
    plateau = optax.contrib.reduce_on_plateau(factor=0.5, patience=2, **options)
    update = weight = jnp.ones(1)
    state = plateau.init(weight)
    for _ in range(8):
        update, state = plateau.update(jnp.ones(1), state, weight, value=jnp.float32(value))
    return float(update[0])


falling = [-10 * 1.08**step for step in range(8)]
seen = {
    "0.5": learn([0.5] * 8, mode="max"),
    "-0.5": learn([-0.5] * 8, mode="max"),
    "falling": learn(falling, mode="max", threshold=0.1),
    "loss -0.5": learn([-0.5] * 8, mode="min"),
    "abs": learn([-0.5] * 8, mode="max", threshold_mode="abs"),
}
by_optax = {"0.5": lose(0.5), "-0.5": lose(-0.5), "atol": lose(-0.5, rtol=0.0, atol=1e-4)}
print("halvings while a value stands still, or falls to", round(falling[-1], 1), seen, "scale by optax:", by_optax)
assert seen["-0.5"] == seen["falling"] == seen["loss -0.5"] == 0 and seen["0.5"] == seen["abs"] > 1
assert by_optax["-0.5"] == 1 and by_optax["0.5"] == by_optax["atol"] < 1
PYTHON
