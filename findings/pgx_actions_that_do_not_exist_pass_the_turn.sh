#!/usr/bin/env bash
# A good guess: an action that is not legal ends a game of pgx: who played it gets -1, the other 1. So a game notices
# actions that do not exist as well, such as -1 of a padded row, or the number of actions, which means "none".
#
# What happens: only taken cells end it. -1 plays in the last cell, as an index of numpy would, and 9 or 100 of tic-tac-
# toe lay nothing, and the other player is next: whoever wants to wait can pass the turn. Rewards are 0, nothing ends
# and nothing is raised; connect four does so too. -5 is a taken cell, and ends the game. Compare actions with 0 and
# `env.num_actions` yourself.
#
# numpy 2.4.6, jax 0.10.2, pgx 2.6.0; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 jax==0.10.2 pgx==2.6.0
JAX_PLATFORMS=cpu "$folder/venv/bin/python" -W ignore - <<'PYTHON'
import jax
import numpy as np
import pgx

env = pgx.make("tic_tac_toe")
step = jax.jit(env.step)
first = step(env.init(jax.random.key(0)), 4)
seen = {}
for action in (-1, 9, 100, 4, -5):
    state = step(first, action)
    passes = bool(state.current_player != first.current_player and not state.terminated)
    taken = np.flatnonzero(~np.asarray(state.legal_action_mask)).tolist()
    seen[action] = bool(state.terminated), passes, taken, state.rewards.tolist()
print("after 4 in the middle, of each action: ended, the other's turn, cells taken, rewards:", seen)
assert env.num_actions == 9 and seen[-1] == (False, True, [4, 8], [0, 0])
assert seen[9] == seen[100] == (False, True, [4], [0, 0])
assert seen[4][0] and seen[4] == seen[-5] and sorted(seen[4][3]) == [-1, 1]

env = pgx.make("connect_four")
state = jax.jit(env.step)(env.init(jax.random.key(0)), env.num_actions)
assert not state.terminated and state.rewards.tolist() == [0, 0] and not state.observation.any()
PYTHON
