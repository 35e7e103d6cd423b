#!/usr/bin/env bash
# A good guess: `aec_to_gymnasium` of qwertyenv makes a Gymnasium environment of a game of PettingZoo for one player,
# and plays the moves of the others by a function. `step` returns the observation and the reward of that one player, so
# that a win pays 1.
#
# What happens: `step` returns what `last()` says of whoever is next, and after a move that ends the game this is the
# other player. So a win comes with the observation of the loser, and with its reward. In TicTacToe it pays -1, exactly
# as a loss does, and a draw, which pays 0, is the most that can be had: who learns from it learns not to win. Nothing
# is said. Keep the game, and read `rewards[agent]` and `observe(agent)` of it once `step` says that it is over.
#
# numpy 1.26.4, gymnasium 0.28.1, pettingzoo 1.22.3, qwertyenv 0.1.1; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==1.26.4 gymnasium==0.28.1 pettingzoo==1.22.3 qwertyenv==0.1.1
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import random
from collections import Counter

from pettingzoo.classic import tictactoe_v3
from qwertyenv.pz_to_gymnasium_wrappers import aec_to_gymnasium

GAMES = 200


def play_randomly(agent, observation):
    return random.choice([action for action, legal in enumerate(observation["action_mask"]) if legal])


random.seed(0)
seen = {}
for number, player in enumerate(("player_1", "player_2"), start=1):
    seen[player] = Counter()
    for _ in range(GAMES):
        game = tictactoe_v3.env()
        env = aec_to_gymnasium(game, player, play_randomly)
        observation, _ = env.reset()
        terminated = False
        while not terminated:
            observation, reward, terminated, *_ = env.step(play_randomly(player, observation))
        winner = game.unwrapped.board.check_for_winner()
        seen[player]["draw" if winner == -1 else "won" if winner == number else "lost", reward] += 1
    print(f"results and rewards of {GAMES} games of {player}:", dict(sorted(seen[player].items())))
for counts in seen.values():
    assert set(counts) == {("won", -1), ("lost", -1), ("draw", 0)} and min(counts.values()) > 5
PYTHON
