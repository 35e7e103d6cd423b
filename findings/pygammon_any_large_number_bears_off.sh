#!/usr/bin/env bash
# A good guess: pygammon keeps to the rules of backgammon. With all stones in the home board, a six bears off a stone
# from the six point, and one from a lower point only if none is on a higher one: else a stone has to be moved.
#
# What happens: any number that leads out of the board bears off the stone it is played with, wherever others stand.
# With two stones on the six point and one on the ace point, a six or a five bear off the one from the ace point. In the
# positions of three stones all 756 pairs of a stone and a number are accepted, and by the rules 511 are legal.
# `get_max_move_count` counts them too. Nothing is said. Before a stone is borne off with more than it needs, look for
# others on higher points.
#
# pygammon 0.0.3; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check pygammon==0.0.3
"$folder/venv/bin/python" - <<'PYTHON'
from itertools import combinations_with_replacement

from pygammon.core import Game
from pygammon.exceptions import GameWon, InvalidMove
from pygammon.structures import Point, Side

STONES = 15


def is_accepted(points, source, number):
    """Say whether the first player, with its last stones on these points, may play this number from there."""
    game = Game(Side.FIRST)
    game.board[:] = [Point() for _ in game.board]
    game.board[23] = Point(Side.SECOND, STONES)
    for point in points:
        game.board[point - 1] = Point(Side.FIRST, game.board[point - 1].count + 1)
    game.players[Side.FIRST].borne = STONES - len(points)
    game.dice = (number, number)
    try:
        game.move(0, source - 1)
    except InvalidMove:
        return False
    except GameWon:
        pass
    return True


print("a five from the ace point, with two stones on the six point, is accepted:", is_accepted([1, 6, 6], 1, 5))
accepted, legal = 0, 0
for points in combinations_with_replacement(range(1, 7), 3):
    for source in set(points):
        for number in range(1, 7):
            accepted += is_accepted(points, source, number)
            legal += number <= source or source == max(points)
print(f"moves of all positions of three stones that are accepted: {accepted}, and legal by the rules: {legal}")
assert is_accepted([1, 6, 6], 1, 5) and (accepted, legal) == (756, 511)
PYTHON
