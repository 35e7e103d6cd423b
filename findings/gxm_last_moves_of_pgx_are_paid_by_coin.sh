#!/usr/bin/env bash
# A good guess: gxm plays the games of pgx as single-agent environments, in which the same player moves for both. The
# reward of a step is that of the player who moved, or always that of the player to move next: it has the same sign in
# each game that is played alike.
#
# What happens: it is that of the player to move after the reset. When a game ends, the state is first replaced by that
# of a new game, whose first player pgx draws by coin, and the reward of the old game is read at that place. In a game
# of Tic-Tac-Toe whose fifth move always wins, that move is paid 1 in half of the games, and -1 in the others, so the
# value of each position is 0 and nothing can be learned. Nothing is said, and the mask of legal actions is in none of
# its fields. The sum of both rewards is in `state.pgx_state.rewards`, which keeps those of the game that ended.
#
# numpy 2.4.6, jax 0.10.2, pgx 2.6.0, gxm 0.4.0; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 jax==0.10.2 pgx==2.6.0 gxm==0.4.0
JAX_PLATFORMS=cpu "$folder/venv/bin/python" -W ignore - <<'PYTHON'
import jax
import numpy as np
from gxm.adapters.pgx import make

env = make("tic_tac_toe")
init, step = jax.jit(env.init), jax.jit(env.step)
WON_BY_THE_FIRST = (0, 3, 1, 4, 2)


def play(seed):
    """Return the reward of the last move of a game that the first player wins, and that of the winner by pgx."""
    key, first = jax.random.split(jax.random.key(seed))
    state, timestep = init(first)
    winner = state.pgx_state.current_player
    for key, action in zip(jax.random.split(key, 5), WON_BY_THE_FIRST, strict=True):
        state, timestep = step(key, state, np.int32(action))
    assert timestep.terminated
    return float(timestep.reward), float(state.pgx_state.rewards[winner])


rewards = np.array([play(seed) for seed in range(200)])
shares = [(rewards[:, column] == 1).mean().item() for column in range(2)]
print("share of 200 games, all won by their last move, in which it is paid 1:", shares[0])
print("in which the winner has 1 by pgx:", shares[1], "all other rewards:", np.unique(rewards[rewards < 1]))
assert 0.35 < shares[0] < 0.65 and set(rewards[:, 0]) == {-1, 1} and shares[1] == 1
PYTHON
