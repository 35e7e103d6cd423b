#!/usr/bin/env bash
# A good guess: the games of Ludax are descriptions, and a board of another size is another number in them: Hex on 13
# by 13, which tournaments play, ends as that on 11 by 11, which comes with it, once a chain joins two sides.
#
# What happens: cells are numbered in int8. On boards of more than 127 cells, as from 12 by 12, neighbours beyond the
# 127th become negative, and are taken for the edge of the board: what lies there is never joined to anything. A
# column of 13 stones of one colour from edge to edge is no win, and the game ends neither then nor on a full board,
# on which one of both has always won: no action is legal, no reward is paid, and `terminated` is False. Nothing is
# raised. Learners see games without a result, and play on. Stay at 127 cells, or take Hex from OpenSpiel;
# `BOARD_DTYPE` of int16 in Ludax's `config.py` is refused by JAX.
#
# numpy 2.4.6, jax 0.10.2, lark 1.3.1, ludax 1.0.0; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 jax==0.10.2 lark==1.3.1 typing-extensions==4.15.0
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check --no-deps \
  ludax==1.0.0
JAX_PLATFORMS=cpu "$folder/venv/bin/python" -W ignore - <<'PYTHON'
from importlib.resources import files

import jax
import numpy as np
from ludax import LudaxEnvironment

HEX = files("ludax").joinpath("games/hex.ldx").read_text()


def play(size):
    """Return after how many stones of the first player's column the game ends, and how the whole game does.

    Both players fill a column of their own, of which the first player's joins its two edges, and all cells after that.
    """
    env = LudaxEnvironment(game_str=HEX.replace("11 11", f"{size} {size}"))
    step, state = jax.jit(env.step), env.init(jax.random.key(7))
    columns = [row * size + place for row in range(size) for place in (0, size - 1)]
    rest = np.setdiff1d(np.arange(size * size), columns)
    ended_after = None
    for number, cell in enumerate([*columns, *np.random.default_rng(7).permutation(rest)]):
        state = step(state, np.int16(cell))
        if state.terminated:
            ended_after = number // 2 + 1
            break
    return ended_after, bool(state.legal_action_mask.any()), state.rewards.tolist()


built_in, larger = play(11), play(13)
print("Hex on 11 by 11 ends after so many stones of a column, a legal action, rewards:", *built_in)
print("on 13 by 13, whose column has 13 stones, and which is full at last:", *larger)
assert built_in == (11, True, [1, -1])
assert larger == (None, False, [0, 0])
PYTHON
