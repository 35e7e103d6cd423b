#!/usr/bin/env bash
# A good guess: `TimeLimit` of gxm with `time_limit=7` cuts games off after seven moves, so one that ends after five is
# never truncated, however many follow. `StackObservations` fills its stack with the first position of each game, as
# its setting `padding="reset"` says.
#
# What happens: environments of gxm begin the next game by themselves, and neither wrapper looks whether a game has
# ended. The limit counts on across games, and only a truncation sets it to zero: of games of five moves every second
# one is cut off after two, as the seventh step in a row. And the first positions of a game stand beside the last ones
# of another: its padding is there in the very first game alone. Nothing is said. Wrap once the limit is far above the
# length of a run, or write the limit into the environment.
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
from gxm.wrappers import StackObservations, TimeLimit

WON_BY_THE_FIRST = (0, 3, 1, 4, 2)


def play(env, steps):
    """Return for each step of games of Tic-Tac-Toe that are played alike if it ends one, and the stones it shows."""
    step, key = jax.jit(env.step), jax.random.key(7)
    state, timestep = env.init(key)
    ends, stones, move = [], [], 0
    for key in jax.random.split(key, steps):
        state, timestep = step(key, state, np.int32(WON_BY_THE_FIRST[move]))
        ends.append("cut" if timestep.truncated else "won" if timestep.terminated else "-")
        stones.append(np.array(timestep.next_obs).sum((-3, -2, -1)).astype(int).tolist())
        move = 0 if timestep.done else move + 1
    return ends, stones


ends, _ = play(TimeLimit(make("tic_tac_toe"), time_limit=7), 28)
_, stones = play(StackObservations(make("tic_tac_toe"), 3), 10)
print("ends of games of five moves under a limit of seven:", *ends)
print("stones in a stack of three after the first move of two games:", stones[0], stones[5])
assert ends == (["-"] * 4 + ["won", "-", "cut"]) * 4
assert stones[0] == [0, 0, 1] and stones[5] == [4, 0, 1]
PYTHON
