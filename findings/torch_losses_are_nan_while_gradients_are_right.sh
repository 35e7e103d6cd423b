#!/usr/bin/env bash
# A good guess: `cross_entropy` of shares of visits with logits that are -inf where an action is illegal is either right
# or NaN, and where the loss is NaN, so are the gradients: an update would destroy the network.
#
# What happens: the loss is NaN, for 0 * -inf, and the gradient of every logit is right, so the network learns from
# a loss of NaN. `kl_div` does so too, and `softmax_cross_entropy` of optax. Who looks at the loss to leave out bad
# updates leaves out all of them, and an average of losses is lost. With `torch.finfo(dtype).min` in place of -inf both
# are right, and with `safe_softmax_cross_entropy` of optax.
#
# numpy 2.4.6, torch 2.13.0, jax 0.10.2, and jax 0.12.0.1 on Python 3.12, optax 0.2.8; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 torch==2.13.0 jax==0.10.2 optax==0.2.8
JAX_PLATFORMS=cpu "$folder/venv/bin/python" -W ignore - <<'PYTHON'
import jax
import jax.numpy as jnp
import numpy as np
import optax
import torch
from torch.nn.functional import cross_entropy, kl_div

LOGITS, LEGAL, VISITS = [1.0, 2.0, 3.0], [True, True, False], [0.25, 0.75, 0.0]


def learn_torch(loss, fill):
    """Return the value of a loss and its gradient by the logits."""
    logits = torch.tensor(LOGITS, requires_grad=True)
    value = loss(logits.masked_fill(~torch.tensor(LEGAL), fill), torch.tensor(VISITS))
    value.backward()
    return round(value.item(), 4), logits.grad.numpy()


def learn_optax(loss):
    def measure(logits):
        return loss(jnp.where(jnp.array(LEGAL), logits, -jnp.inf), jnp.array(VISITS))

    value, gradient = jax.value_and_grad(measure)(jnp.array(LOGITS))
    return round(float(value), 4), np.asarray(gradient)


def kl(logits, visits):
    return kl_div(logits.log_softmax(0), visits, reduction="sum")


shares = np.exp(LOGITS[:2]) / np.exp(LOGITS[:2]).sum()
right = np.append(shares - VISITS[:2], 0)
seen = {
    "cross_entropy": learn_torch(cross_entropy, -torch.inf),
    "kl_div": learn_torch(kl, -torch.inf),
    "optax": learn_optax(optax.softmax_cross_entropy),
    "finite fill": learn_torch(cross_entropy, torch.finfo(torch.float32).min),
    "safe": learn_optax(optax.losses.safe_softmax_cross_entropy),
}
shown = {name: (value, [round(float(item), 3) for item in gradient]) for name, (value, gradient) in seen.items()}
print("losses and gradients:", shown)
assert all(np.allclose(gradient, right, atol=1e-6) for _, gradient in seen.values())
assert [name for name, (value, _) in seen.items() if np.isnan(value)] == ["cross_entropy", "kl_div", "optax"]
assert seen["finite fill"][0] == seen["safe"][0] == 0.5633
PYTHON
