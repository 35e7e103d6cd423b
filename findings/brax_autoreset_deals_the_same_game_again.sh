#!/usr/bin/env bash
# A good guess: brax's `wrap`, the stack of wrappers for training, begins another game when one has ended, with a deal
# of its own, and all that `step` then returns is of that game.
#
# What happens: `AutoResetWrapper` goes back to the state in which the game began: each of the parallel games has one
# deal for ever, and 32 of them learn from 32 deals. It puts back `obs` and `pipeline_state` alone. `info` goes on: a
# random key and counters, and the masks in it, which are those of the ended game while `obs` shows the new one. With
# `action_repeat` `EpisodeWrapper` plays on after the end, and adds what that pays. Reset by hand, in the environment's
# `step`, and keep masks in `obs`.
#
# numpy 2.4.6, jax 0.10.2, brax 0.14.2; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 jax==0.10.2 jaxlib==0.10.2 brax==0.14.2
JAX_PLATFORMS=cpu "$folder/venv/bin/python" -W ignore - <<'PYTHON'
import contextlib
import io

with contextlib.redirect_stdout(io.StringIO()):
    from brax.envs.base import Env, State
    from brax.envs.wrappers import training
import jax
import jax.numpy as jnp


class Deals(Env):
    """A game of three moves. Its observation is its deal; with each move one action less is legal."""

    observation_size, action_size, backend = 1, 3, "none"

    def reset(self, rng):
        deal = jax.random.randint(rng, (1,), 0, 1_000_000)
        zero = jnp.zeros(())
        return State(deal, deal, zero, zero, info={"action_mask": jnp.ones(3), "moves": jnp.zeros(())})

    def step(self, state, action):
        moves = state.info["moves"] + 1
        info = state.info | {"action_mask": (jnp.arange(3) >= moves) * 1.0, "moves": moves}
        return state.replace(reward=jnp.ones(()), done=(moves % 3 == 0) * 1.0, info=info)


games = training.wrap(Deals(), episode_length=1000)
state = games.reset(jax.random.split(jax.random.PRNGKey(0), 2))
dealt, ends = [state.obs[:, 0].tolist()], 0
for _ in range(12):
    state = games.step(state, jnp.zeros(2, int))
    if state.done[0]:
        ends += 1
        dealt.append(state.obs[:, 0].tolist())
        assert state.info["action_mask"].sum() == 0 and state.info["moves"][0] == 3 * ends
print("deals of two parallel games, five times:", dealt, "legal actions as a new game begins:", 0)
assert ends == 4 and all(deals == dealt[0] for deals in dealt) and dealt[0][0] != dealt[0][1]
repeated = training.EpisodeWrapper(Deals(), episode_length=1000, action_repeat=5)
state = repeated.step(repeated.reset(jax.random.PRNGKey(0)), jnp.zeros((), int))
print("a game of 3 moves that pay 1 each, with action_repeat=5, pays", float(state.reward), "done:", float(state.done))
assert state.reward == 5 and state.done == 0
PYTHON
