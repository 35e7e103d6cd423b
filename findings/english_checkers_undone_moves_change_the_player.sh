#!/usr/bin/env bash
# A good guess: `undo()` of english-checkers "cancels last move and recover previous state and board", so that a search
# may play a move, look further, and take it back. `Game()` is a game on 8 x 8 cells, as `Game(8)`.
#
# What happens: `undo` puts the stones back, and leaves the turn: the player who has not moved is next. After one move
# and `undo` White begins, and a search by `make_move` and `undo` counts 1,948 lines of four moves where there are
# 1,469. The counter of moves without a capture falls by the number of cells that changed, which are two at least. And
# `Game()` is drawn after the first move, as it allows none without a capture. Nothing is said. The moves are right:
# search on copies, and pass the size.
#
# english-checkers 0.0.2; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check english-checkers==0.0.2
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import copy

from checkers.game import Color, Game, GameState


def by_copies(game, depth):
    """Count lines of moves, each played on a copy."""
    if depth == 0:
        return 1
    count = 0
    for move in game.get_all_moves():
        other = copy.deepcopy(game)
        other.make_move(move)
        count += by_copies(other, depth - 1)
    return count


def by_undo(game, depth):
    """Count lines of moves, each taken back."""
    if depth == 0:
        return 1
    count = 0
    for move in game.get_all_moves():
        game.make_move(move)
        count += by_undo(game, depth - 1)
        game.undo()
    return count


right, said = ([count(Game(8), depth) for depth in range(1, 5)] for count in (by_copies, by_undo))
game = Game(8)
game.make_move(game.get_all_moves()[0])
game.undo()
default = Game()
default.make_move(default.get_all_moves()[0])
print(f"lines by copies {right}, by undo {said}, next after a move and undo: {game.turn.name};", end=" ")
print("a default game after one move:", default.state.name)
assert right == [7, 49, 302, 1469] and said != right
assert game.turn == Color.WHITE and default.state == GameState.TIE
PYTHON
