#!/usr/bin/env bash
# A good guess: `AutoResetWrapper` of Parallax (`parallax-rl`) begins the next game when one ends, and replaces terminal
# observations by those of the next game, as its README says: the state after a last move has the reward of that move
# and says that the game has ended, as with the wrappers of Brax, Gymnax and pgx.
#
# What happens: the whole state is replaced, with its reward, `termination`, `truncation` and `info`. The reward of the
# last move is that of a reset, 0, and no state ever says that a game has ended. Of a hundred games that pay 1 for their
# last move and nothing before, no reward is seen and no end: returns are 0, advantages run from game to game, and
# nothing is learned of who wins. Rewards before the last are right, so with points on the way nothing looks amiss.
# Around `TimeLimit` it is the same. Use the selective reset of `VmapWrapper`, `reset(state=state, done=state.done)`.
#
# numpy 2.4.6, jax 0.10.2, parallax-rl 0.4.0; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 jax==0.10.2 parallax-rl==0.4.0
JAX_PLATFORMS=cpu "$folder/venv/bin/python" -W ignore - <<'PYTHON'
import jax
import jax.numpy as jnp
from parallax import AutoResetWrapper, State, VmapWrapper, spaces

MOVES, GAMES = 5, 100


class Game:
    """A game of five moves, the last of which is paid 1."""

    action_space, observation_space = spaces.Discrete(2), spaces.Box(0, MOVES, ())

    def show(self, move, key):
        over = move == MOVES
        return State(
            env_state=move,
            observation=move.astype(float),
            reward=over.astype(float),
            termination=over,
            truncation=jnp.bool_(False),
            info={},
            step_count=move,
            key=key,
        )

    def reset(self, *, key):
        return self.show(jnp.int32(0), key)

    def step(self, state, action):
        return self.show(state.env_state + 1, state.key)


def play_restarted(state, _):
    state = restarted.step(state, jnp.int32(0))
    return state, (state.observation, state.reward, state.done)


def play_selective(state, key):
    state = selective.step(state, jnp.zeros(1, jnp.int32))
    shown = state.observation[0], state.reward[0], state.done[0]
    return selective.reset(key=key, state=state, done=state.done), shown


restarted, selective = AutoResetWrapper(Game()), VmapWrapper(Game(), 1)
keys = jax.random.split(jax.random.key(7), MOVES * GAMES)
seen = {}
for name, env, play in (("restarted", restarted, play_restarted), ("selective", selective, play_selective)):
    _, (observations, rewards, ends) = jax.lax.scan(play, env.reset(key=keys[0]), keys)
    seen[name] = observations[:6].astype(int).tolist(), int(rewards.sum()), int(ends.sum())
    print(f"{name}: first observations {seen[name][0]}, rewards and ends of {GAMES} games: {seen[name][1:]}")
assert seen["restarted"] == ([1, 2, 3, 4, 0, 1], 0, 0)
assert seen["selective"] == ([1, 2, 3, 4, 5, 1], GAMES, GAMES)
PYTHON
