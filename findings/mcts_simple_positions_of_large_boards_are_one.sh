#!/usr/bin/env bash
# A good guess: the trees of mcts-simple know positions that are reached by different moves (`allow_transpositions`, by
# default) by the player and the state that `get_state` returns, which may be an array: different boards are different
# nodes.
#
# What happens: a node is found by `str` of the state. Of an array of more than 1,000 numbers numpy writes only the
# three first and last of each axis, so boards that differ elsewhere are one node, and nothing is said: 12 planes of
# 9 by 10 are enough. The moves of a player share their wins and visits, and the search cannot tell a win from a loss:
# however long it runs, it plays the move that comes first. With fewer numbers it finds the win in a few games. Return
# `state.tobytes()`, or pass `allow_transpositions=False`.
#
# numpy 2.4.6, mcts-simple 1.1.0; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 mcts-simple==1.1.0
"$folder/venv/bin/python" - 2>"$folder/log" <<'PYTHON' || { cat "$folder/log"; exit 1; }
import numpy as np
from mcts_simple import UCT, Game

CELLS, WINNING = 3, 2


class LastCellWins(Game):
    """Has one move, to one of three cells in the middle of a plane, one of which wins."""

    def __init__(self, shape, to_bytes=False):
        self.board, self.mover, self.to_bytes = np.zeros(shape, np.int8), 0, to_bytes

    def render(self):
        pass

    def get_state(self):
        return self.board.tobytes() if self.to_bytes else self.board

    def number_of_players(self):
        return 2

    def current_player(self):
        return self.mover

    def possible_actions(self):
        return list(range(CELLS))

    def take_action(self, action):
        self.board[4, 4, 3 + action] = 1
        self.mover = 1

    def has_outcome(self):
        return bool(self.board.any())

    def winner(self):
        return [0 if self.board[4, 4, 3 + WINNING] else 1]


def search(shape, to_bytes=False, **options):
    """Return how many nodes the moves have, and the best one after 300 games."""
    tree = UCT(LastCellWins(shape, to_bytes), seed=7, **options)
    tree.self_play(300)
    return len({id(node) for node in tree.root.children.values()}), tree.root.choose_best_action(training=False)


small, large = search((11, 9, 10)), search((12, 9, 10))
apart, by_bytes = search((12, 9, 10), allow_transpositions=False), search((12, 9, 10), to_bytes=True)
print("nodes of three moves and the best of them, of 990 numbers:", small, "of 1,080:", large)
print("without transpositions:", apart, "by bytes:", by_bytes)
assert small == apart == by_bytes == (CELLS, WINNING)
assert large == (1, 0)
PYTHON
