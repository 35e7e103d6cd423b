#!/usr/bin/env bash
# A good guess: `max_grad_norm=0.5` of rejax's algorithms scales a gradient down to a norm of 0.5, and keeps where it
# points, as the setting of that name does in Stable-Baselines3, CleanRL, PureJaxRL and others.
#
# What happens: it cuts each number of the gradient to -0.5 and 0.5. A gradient of thousands of numbers below that
# passes as it is, whatever its norm, and one that is cut points elsewhere: 4 and 0.1 become 0.5 and 0.1. So a value
# that helps in other libraries does next to nothing here, and rare large returns are not held back. Pass a much smaller
# one, or replace `tx` of the train state by a chain with `optax.clip_by_global_norm`.
#
# numpy 2.4.6, jax 0.10.2, flax 0.12.8, optax 0.2.8, rejax 0.1.3; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 jax==0.10.2 flax==0.12.8 optax==0.2.8 rejax==0.1.3
JAX_PLATFORMS=cpu "$folder/venv/bin/python" -W ignore - <<'PYTHON'
import jax
import jax.numpy as jnp
import optax
import rejax
from jax.flatten_util import ravel_pytree

LIMIT = 0.5


def is_adam(part):
    return hasattr(part, "mu")


def clip(algorithm, state, numbers):
    """Return what is left of a gradient that repeats some numbers, as the first step of the optimizer sees it."""
    learner = rejax.get_algo(algorithm).create(env="CartPole-v1", max_grad_norm=LIMIT)
    train_state = getattr(learner.init_state(jax.random.PRNGKey(0)), state)
    flat, unravel = ravel_pytree(train_state.params)
    gradient = jnp.resize(jnp.array(numbers, jnp.float32), flat.shape)
    _, moments = train_state.tx.update(unravel(gradient), train_state.opt_state)
    adam = next(part for part in jax.tree.leaves(moments, is_leaf=is_adam) if is_adam(part))
    clipped = ravel_pytree(adam.mu)[0] / 0.1  # Adam keeps a tenth of the first gradient
    before, after = float(optax.global_norm(gradient)), float(optax.global_norm(clipped))
    return before, after, [round(float(number), 3) for number in clipped[: len(numbers)]]


for algorithm, state in (("ppo", "actor_ts"), ("dqn", "q_ts")):
    before, after, _ = clip(algorithm, state, [0.4])
    _, _, changed = clip(algorithm, state, [4.0, 0.1])
    print(f"{algorithm}: a norm of {before:.1f} becomes {after:.1f}, and 4 and 0.1 become {changed}")
    assert before > 10 and abs(after / before - 1) < 1e-3
    assert changed == [LIMIT, 0.1]
PYTHON
