#!/usr/bin/env bash
# A good guess: in fanorona-aec, Fanorona for PettingZoo, "player_0" has White's stones, and "player_1" Black's. Whoever
# captures may capture on with the same stone, so the same player is asked again. The docstring says that a draw pays 0.
# Planes 7 and 8 show White's stones and Black's.
#
# What happens: the players take turns after each single action, also where the side to move stays. So after a capture
# the opponent is asked whether White captures on, and then "player_0" moves Black's stones. In 50 random games each
# player makes about half of its decisions for either side, though +1 goes to "player_0" where White wins, and -1 where
# Black does. Games that reach the limit of moves are draws, and pay Black's win. Both planes are 1 where the stone is
# missing. Nothing is said. `board_state.turn_to_play` knows the side; `FanoronaState` can be played without players.
#
# numpy 1.26.4, gymnasium 0.29.1, pettingzoo 1.24.3, fanorona-aec 3.0.2; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==1.26.4 gymnasium==0.29.1 pettingzoo==1.24.3 fanorona-aec==3.0.2
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import random
from collections import Counter

import numpy as np
from env.fanorona_env import env as make_env
from env.utils import Piece

GAMES = 50

random.seed(0)
env = make_env(render_mode="fen")
decisions, results = Counter(), Counter()
for _ in range(GAMES):
    env.reset()
    while env.agents:
        observation, _, terminated, _, _ = env.last()
        if terminated:
            env.step(None)
            continue
        board_state = env.unwrapped.board_state
        decisions[env.agent_selection, str(board_state.turn_to_play)] += 1
        env.step(random.choice(np.flatnonzero(observation["action_mask"])))
        if all(env.terminations.values()):
            results[str(board_state.winner), tuple(env.rewards.values())] += 1
env.reset()
planes, board = env.observe("player_0")["observation"], env.unwrapped.board_state.board
inverted = [np.array_equal(planes[..., 6 + i], board != piece) for i, piece in enumerate((Piece.WHITE, Piece.BLACK))]
print("decisions of players for White and Black:", dict(decisions))
print(f"winners and rewards of {GAMES} games:", dict(results), "planes that show where a stone is missing:", inverted)
shares = [decisions[player, "W"] / sum(decisions[player, side] for side in "WB") for player in ("player_0", "player_1")]
assert all(0.4 < share < 0.6 for share in shares)
assert set(results) == {("W", (1, -1)), ("B", (-1, 1)), ("None", (-1, 1))} and all(inverted)
PYTHON
