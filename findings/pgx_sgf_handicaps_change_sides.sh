#!/usr/bin/env bash
# A good guess: `pgx.experimental.go.from_sgf` returns the position at the end of a game of Go, or refuses what it
# cannot read, as the other readers of SGF do.
#
# What happens: it plays the moves one after the other from an empty board, and reads neither who plays a move, nor what
# was placed before: handicap stones (AB), which a good part of the games on servers have, are missing, White's first
# move is Black's, and so are all of that side's later ones, without a word. Two moves of one side in a row change sides
# too, as where a player passed and that was not written down. Komi and the rules of the record are left out. Read such
# games with sgfmill, and place the stones by moves and passes.
#
# numpy 2.4.6, jax 0.10.2, pgx 2.6.0, sgfmill 1.1.1; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 jax==0.10.2 svgwrite==1.4.3 typing-extensions==4.15.0 pgx==2.6.0 sgfmill==1.1.1
JAX_PLATFORMS=cpu "$folder/venv/bin/python" -W ignore - <<'PYTHON'
import numpy as np
from pgx.experimental.go import from_sgf
from sgfmill import sgf, sgf_moves

SIZE, LETTERS = 9, "abcdefghi"


def read_by_pgx(record):
    """Return the colour of each point with a stone."""
    board = np.sign(np.asarray(from_sgf(record)._x.board)).reshape(SIZE, SIZE)
    return {LETTERS[col] + LETTERS[row]: "b" if board[row, col] > 0 else "w" for row, col in np.argwhere(board)}


def read_by_sgfmill(record):
    board, plays = sgf_moves.get_setup_and_moves(sgf.Sgf_game.from_string(record))
    for colour, (row, col) in plays:
        board.play(row, col, colour)
    return {LETTERS[col] + LETTERS[SIZE - 1 - row]: colour for colour, (row, col) in board.list_occupied_points()}


even = "(;GM[1]FF[4]SZ[9];B[ee];W[ce];B[cc])"
handicap = "(;GM[1]FF[4]SZ[9]HA[2]AB[cg][gc];W[ee];B[ce];W[cc])"
in_a_row = "(;GM[1]FF[4]SZ[9];B[ee];B[ce];W[cc])"
print("even game:", read_by_pgx(even))
print("handicap:", read_by_pgx(handicap), "is:", read_by_sgfmill(handicap))
print("two moves of Black:", read_by_pgx(in_a_row), "is:", read_by_sgfmill(in_a_row))
assert read_by_pgx(even) == read_by_sgfmill(even) == {"ee": "b", "ce": "w", "cc": "b"}
assert read_by_pgx(handicap) == {"ee": "b", "ce": "w", "cc": "b"}
assert read_by_sgfmill(handicap) == {"cg": "b", "gc": "b", "ee": "w", "ce": "b", "cc": "w"}
assert read_by_pgx(in_a_row) == {"ee": "b", "ce": "w", "cc": "b"}
assert read_by_sgfmill(in_a_row) == {"ee": "b", "ce": "b", "cc": "w"}
PYTHON
