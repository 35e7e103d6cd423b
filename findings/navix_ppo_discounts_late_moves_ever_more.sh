#!/usr/bin/env bash
# A good guess: the PPO of Navix discounts by `gamma` of the environment, 0.99, at each step: a reward of 1 at the end
# of a game of 60 moves is worth 0.99 ** 59, or 0.55, at its first.
#
# What happens: the step number t is discounted by `gamma ** t`. So the first move is not discounted at all, the 58th
# by 0.56 at once, and all of these are multiplied: at the first move the same reward is worth 0.00000003, and thirty
# moves before the end 0.000003. Long games are learned from the next few rewards alone, the fewer the later in the
# game, and nobody learns to open well. Nothing is said. With `env.replace(gamma=1.0)` it is right, and with no other.
# Navix 4.0.0, which wants Python 3.12, does the same; its PQN discounts by `gamma`.
#
# numpy 2.4.6, jax 0.10.2, flax 0.12.8, rlax 0.1.9, distrax 0.1.9, optax 0.2.8, navix 0.7.4; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 jax==0.10.2 flax==0.12.8 rlax==0.1.9 distrax==0.1.9 optax==0.2.8 wandb==0.31.0
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check --no-deps \
  pillow==13.0.0 navix==0.7.4
JAX_PLATFORMS=cpu "$folder/venv/bin/python" -W ignore - <<'PYTHON'
from types import SimpleNamespace

import jax.numpy as jnp
import navix
import numpy as np
from navix.agents import PPO, ActorCritic, PPOHparams
from navix.agents.ppo import Buffer

MOVES = 60
LAST = (jnp.arange(MOVES) == MOVES - 1).astype(float)[:, None]
GAME = Buffer(
    done=LAST,
    action=None,
    reward=LAST,
    log_prob=None,
    obs=jnp.zeros((MOVES, 1, 1)),
    info={},
    t=jnp.arange(MOVES)[:, None],
    state=None,
)
UNTRAINED = SimpleNamespace(params=None, value_fn=lambda params, observations: jnp.zeros(len(observations)))


def value(gamma):
    """Return by move what the reward at the end of a game is worth to PPO, with a critic that knows nothing."""
    env = navix.make("Navix-Empty-5x5-v0").replace(gamma=gamma)
    agent = PPO(hparams=PPOHparams(gae_lambda=1.0), network=ActorCritic(action_dim=3), env=env)
    return np.array(agent.evaluate_experience(UNTRAINED, GAME, jnp.zeros(1))[2])[:, 0]


worth, usual = value(0.99), 0.99 ** np.arange(MOVES - 1, -1, -1)
for move in (0, 30, 58):
    print(f"reward of the last move to PPO at move {move} of {MOVES}: {worth[move]:.8f}, by 0.99: {usual[move]:.2f}")
print("with a gamma of 1:", np.unique(value(1.0)).tolist())
assert worth[0] < 1e-7 and worth[30] < 1e-5 and np.isclose(worth[58], 0.99**58)
assert (value(1.0) == 1).all()
PYTHON
