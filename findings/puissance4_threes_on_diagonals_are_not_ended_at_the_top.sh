#!/usr/bin/env bash
# A good guess: an agent of puissance4 that checks obvious moves, as all its agents do, makes four in a row where it
# can, and else stops the other's four.
#
# What happens: it looks for the upper fourth place of a diagonal in the wrong cell. Of three stones that fall from left
# to right, it drops a stone on top of the highest; of three that rise, one under the fourth place, if that is free.
# So it passes over wins, leaves threats, and lifts the other to the place that wins. Such a move comes before all
# search. Lower ends, gaps, rows and columns are right. In random games it misses one win in fifteen or so. Nothing is
# said. With `check_obvious_plays = False` the search alone decides, but its simulated games use the same check.
#
# numpy 2.4.6, puissance4 0.6.1; December 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check numpy==2.4.6
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check --no-deps puissance4==0.6.1
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import random

from puissance4.agent.ai import AI
from puissance4.env.grille import Grille
from puissance4.env.win_conditions import look_for_obvious_steps


def read_board(*rows):
    """Return the board of its lowest rows."""
    board = Grille()
    board.set_grid([list("." * 7) for _ in range(6 - len(rows))] + [list(row) for row in rows])
    return board


def find_wins(board, stone):
    """Return the columns where this stone makes four in a row."""
    wins = []
    for column in board.look_for_allowed_steps():
        after = Grille(board)
        after.drop(stone, column)
        if after.check_victory():
            wins.append(column)
    return wins


falling = read_board("OX.....", "XOX....", "OOOX...")
rising = read_board(".....X.", "....XOX", "...XOOX")
moves = [AI(stone).play(falling) for stone in "XO"] + [AI("O").play(rising)]
rising.drop("O", moves[2][0])
wins = find_wins(falling, "X"), find_wins(rising, "X")

random.seed(0)
missed = chances = 0
for _ in range(500):
    board, stone, other = Grille(), "X", "O"
    while board.look_for_allowed_steps() and not board.check_victory():
        wanted = find_wins(board, stone)
        chances += bool(wanted)
        missed += bool(wanted) and look_for_obvious_steps(board, stone, other) not in wanted
        board.drop(stone, random.choice(board.look_for_allowed_steps()))
        stone, other = other, stone
print(f"X wins in columns {wins[0]}; moves of X and of O, forced: {moves[:2]};", end=" ")
print(f"against a rising three, O plays {moves[2]}, after which X wins in {wins[1]};", end=" ")
print(f"random games: {missed} of {chances} wins missed")
assert moves == [(1, True), (1, True), (6, True)] and wins == ([0], [6])
assert 0.03 < missed / chances < 0.15
PYTHON
