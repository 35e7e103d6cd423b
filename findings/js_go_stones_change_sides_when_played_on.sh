#!/usr/bin/env bash
# A good guess: `play_move` of js-go, the game of Go with its rules, ignores a move that is illegal and lets the same
# player try again, as it does with suicide, a ko, and points outside of the board. A point that is taken is illegal
# too.
#
# What happens: nobody looks whether the point is free. A stone played on one of the opponent takes its place: it
# changes its colour, captures what has no liberties then, and the move counts. Only a move on one's own stone is
# ignored, as it changes nothing. So of random moves on 9 x 9 points in 20 games about a third repaint a stone. After
# `go_to_previous_move` the point of the ko is that of the move that was taken back. Nothing is said. Look at
# `board[y][x]` before.
#
# js-go 0.1.4; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check js-go==0.1.4
"$folder/venv/bin/python" - <<'PYTHON'
import random

from js_go import Go_game

SIZE, GAMES, MOVES = 9, 20, 150

game = Go_game(5)
game.play_move(2, 2)
game.play_move(2, 2)
print("stone b played on by the opponent is", game.board[2][2], "and to move is", game.color)
assert (game.board[2][2], game.color) == ("w", "b")

random.seed(0)
moves, repainted = 0, 0
for _ in range(GAMES):
    game = Go_game(SIZE)
    for _ in range(MOVES):
        y, x = random.randrange(SIZE), random.randrange(SIZE)
        before, mover = game.board[y][x], game.color
        game.play_move(y, x)
        moves += game.color != mover
        repainted += game.color != mover and before != "."
print(f"of {moves} random moves that counted, {repainted} were played on a stone of the opponent")
assert repainted > 0.2 * moves > 0

ko = Go_game(5)
for y, x in ((0, 1), (0, 2), (1, 0), (1, 3), (2, 1), (2, 2), (1, 2), (1, 1)):
    ko.play_move(y, x)
taken = ko.ko_spot
ko.go_to_previous_move()
print("ko after a capture", taken, "and after it is taken back", ko.ko_spot)
assert taken == ko.ko_spot == (1, 2)
PYTHON
