#!/usr/bin/env bash
# A good guess: `Game` of pypgn reads the moves of a PGN file. The standard wants lines of less than 80 characters, and
# most programs break them there, so games go over many lines. `move_range(start, end)` lists the moves between, and all
# up to the last one where no end is given.
#
# What happens: only the line that begins with "1. " is read. Of games of 60 moves a side, which python-chess writes as
# usual, it has 8 left, and `move_count` says so, too. Where that line ends within a move it raises an IndexError, for
# every second game; the others are cut, and nothing is said. `move_range` leaves out the last move without an end, and
# where White has it, the result stands in the place of Black's answer. Join the lines of moves before, or read with
# `chess.pgn`.
#
# chess 1.11.2, pypgn 0.5.1; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check chess==1.11.2 pypgn==0.5.1
"$folder/venv/bin/python" - "$folder/game.pgn" <<'PYTHON'
import random
import sys

import chess
import chess.pgn
from pypgn import Game

GAMES, MOVES, PATH = 200, 60, sys.argv[1]


def count_moves(board, columns):
    """Return how many moves pypgn finds in a game that python-chess wrote in lines of so many columns."""
    with open(PATH, "w") as file:
        chess.pgn.Game.from_board(board).accept(chess.pgn.FileExporter(file, columns=columns))
    return Game(PATH).move_count()


random.seed(0)
found, refused = [], 0
while len(found) + refused < GAMES:
    board = chess.Board()
    while len(board.move_stack) < 2 * MOVES and (moves := list(board.legal_moves)):
        board.push(random.choice(moves))
    if len(board.move_stack) == 2 * MOVES:
        assert count_moves(board, None) == MOVES
        try:
            found.append(count_moves(board, 80))
        except IndexError:
            refused += 1
with open(PATH, "w") as file:
    file.write('[Result "1-0"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n')
mate = Game(PATH)
print(f"of {GAMES} games of {MOVES} moves {refused} raise an error, the others have {min(found)} to {max(found)} moves")
print("moves without an end:", len(mate.move_range()), "of", mate.move_count(), "the last of Black:", mate.ply(4, "b"))
assert 0 < len(found) and max(found) < 15 and len(mate.move_range()) == 3 and mate.ply(4, "b") == "1-0"
PYTHON
