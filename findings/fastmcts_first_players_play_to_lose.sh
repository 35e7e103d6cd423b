#!/usr/bin/env bash
# A good guess: in fastmcts's own Tic-Tac-Toe and Connect Four the players are 1 and -1, `next_to_move` is 1, as in its
# README, and the search finds the best move of whoever is to move: it completes three in a row.
#
# What happens: the nodes of its search take 0 for the first player, and any other number for the second. In its games
# nobody is 0, so both players are taken for the second: -1 plays to win, and 1 plays to let -1 win, at the root and at
# all nodes below. It does not complete three in a row, and of ten games of Tic-Tac-Toe between two that search, which
# are drawn when played well, -1 wins all ten, though 1 begins. Nothing is said. Around a state whose `next_to_move` is
# 0 or 1, with results of 1 and -1, the search is right.
#
# numpy 2.4.6, fastmcts 0.3.0; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check --no-deps \
  fastmcts==0.3.0
"$folder/venv/bin/python" - <<'PYTHON'
import random

import numpy as np
from fastmcts.games.tictactoe import TicTacToeGameState
from fastmcts.tree.nodes import TwoPlayersGameMonteCarloTreeSearchNode
from fastmcts.tree.search import MonteCarloTreeSearch

random.seed(7)
X_TO_WIN = np.array([[1, 1, 0], [-1, -1, 0], [0, 0, 0]])


class Numbered:
    """A state whose player 1 is number 0 to the search, and whose player -1 is number 1."""

    def __init__(self, state):
        self.state, self.next_to_move, self.game_result = state, int(state.next_to_move == -1), state.game_result
        self.is_game_over, self.get_legal_actions = state.is_game_over, state.get_legal_actions

    def move(self, action):
        return Numbered(self.state.move(action))


def search(state, simulations):
    """Return the state after the best move."""
    root = TwoPlayersGameMonteCarloTreeSearchNode(state=state)
    return MonteCarloTreeSearch(root).best_action(simulations_number=simulations).state


def play(state):
    """Return the result of a game of two players that search."""
    while not state.is_game_over():
        state = search(state, 300)
    return int(state.game_result)


def wins_at_once(player, wrap):
    """Return if the search completes the row of a player who is to move."""
    return search(wrap(TicTacToeGameState(X_TO_WIN * player, next_to_move=player)), 2000).game_result == player


empty = TicTacToeGameState(np.zeros((3, 3)), next_to_move=1)
own, numbered = [play(empty) for _ in range(10)], [play(Numbered(empty)) for _ in range(10)]
completes = [[wins_at_once(player, wrap) for player in (1, -1)] for wrap in (lambda state: state, Numbered)]
print("players 1 and -1 complete three in a row:", completes[0], "results of ten games:", own)
print("as numbers 0 and 1:", completes[1], "results:", numbered)
assert completes == [[False, True], [True, True]]
assert own.count(-1) >= 8 and numbered.count(-1) <= 3
PYTHON
