#!/usr/bin/env bash
# A good guess: `gym_to_jax("MountainCar-v0")` of rl2xla plays what `gymnasium.make` of that name plays, which ends
# after 200 steps, and its step says done where the other says terminated or truncated.
#
# What happens: the moves, rewards and terminations agree, and the limit is gone. The compiled step asks whether a
# number of steps has reached the limit, and that number is 0 in each step. A game that does not end by itself never
# ends: MountainCar-v0 and Pendulum-v1 go on after 1000 steps, and `compile_ppo`, which deals a new game when one is
# done, plays one game of Pendulum in each environment for the whole training. Nothing is said.
#
# Beside it, a trainer keeps the settings of its first `train`. After one with a learning rate of 0, one with 0.1
# changes no weight; a new trainer does.
#
# gymnasium 1.4.0, numpy 2.4.6, jax 0.10.2, flax 0.12.8, optax 0.2.8, matplotlib 3.11.2, rl2xla 0.1.0; December 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  gymnasium==1.4.0 numpy==2.4.6 jax==0.10.2 jaxlib==0.10.2 flax==0.12.8 optax==0.2.8 matplotlib==3.11.2
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check --no-deps rl2xla==0.1.0
"$folder/venv/bin/python" -W ignore - <<'PYTHON' | tail -1
import gymnasium
import jax
import jax.numpy as jnp
import numpy as np
from flax import linen as nn
from rl2xla import PPOConfig, compile_ppo, gym_to_jax


class Network(nn.Module):
    """Mean, deviation and value of one action."""

    @nn.compact
    def __call__(self, observations):
        hidden = nn.tanh(nn.Dense(8)(observations))
        mean, deviation = nn.Dense(1)(hidden), self.param("deviation", nn.initializers.zeros, (1,))
        return mean, jnp.broadcast_to(deviation, mean.shape), nn.Dense(1)(hidden)[..., 0]


def train(trainer, rate):
    """Return the weights after two updates with this learning rate."""
    settings = PPOConfig(num_envs=4, horizon=16, updates=2, minibatch_size=32, lr=rate)
    return np.concatenate([np.ravel(one) for one in jax.tree_util.tree_leaves(trainer.train(settings)["params"])])


def play(name, action):
    """Return the steps of a game by Gymnasium and by rl2xla, up to 1000, with one action."""
    env = gymnasium.make(name)
    env.reset(seed=0)
    steps, ended = 0, False
    while steps < 1000 and not ended:
        _, _, terminated, truncated, _ = env.step(action)
        steps, ended = steps + 1, terminated or truncated
    reset, step = gym_to_jax(name)
    (state, _), step, count, done = reset(jax.random.PRNGKey(0)), jax.jit(step), 0, False
    while count < 1000 and not done:
        state, _, _, done = step(state, jnp.asarray(action))
        count += 1
    return steps, count, bool(done)


ACTIONS = {"MountainCar-v0": 1, "Pendulum-v1": [0.5], "CartPole-v1": 0}
games = {name: play(name, action) for name, action in ACTIONS.items()}
functions = gym_to_jax("Pendulum-v1")
trainer = compile_ppo(*functions, Network())
start, again, anew = train(trainer, 0.0), train(trainer, 0.1), train(compile_ppo(*functions, Network()), 0.1)
changed = [bool((weights != start).any()) for weights in (again, anew)]
print(f"steps by Gymnasium, steps of 1000 by rl2xla, and whether the game was done: {games};", end=" ")
print(f"weights changed by the second rate, and by a new trainer: {changed}")
assert games["MountainCar-v0"] == games["Pendulum-v1"] == (200, 1000, False)
assert games["CartPole-v1"][1] < 20 and games["CartPole-v1"][2] and changed == [False, True]
PYTHON
