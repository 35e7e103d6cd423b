#!/usr/bin/env bash
# A good guess: `pop` of pydraughts takes back the last move of a `Board`, with all that belongs to it, so a search may
# push each move, look, and pop it. The counters behind draws have histories of their own, which `pop` shortens.
#
# What happens: the histories are shortened, and the counters stay as they are. Each king's move that was only looked at
# counts to the moves without a capture, of which five by both sides make a draw of two kings against one. So after ten
# looks `winner` says 0, a draw, in a position in which nobody has moved; `move_stack` is empty. A man's move or a
# capture that was looked at sets the counters to 0 instead, and a game that is drawn goes on. Nothing is said. Besides,
# `null` adds its position twice: after `pop` the board has the right turn, and `fen` the other one. Push on a copy by
# `copy()`.
#
# pydraughts 0.6.7; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check pydraughts==0.6.7
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import random

from draughts import WHITE, Board, Move


def look(board, moves):
    """Push moves and pop them at once."""
    for move in moves:
        board.push(move)
        board.pop()


def play(board, looks):
    """Play moves of kings at random, of which there may be ten, and return the winner after each."""
    random.seed(0)
    winners = []
    for _ in range(10):
        if looks:
            look(board, [move for move in board.legal_moves() if move.pdn_move.startswith("11-")])
        kings = sorted(move.pdn_move for move in board.legal_moves() if not move.pdn_move.startswith("11-"))
        board.push(Move(board, pdn_move=random.choice(kings)))
        winners.append(board.winner())
    return winners


board = Board("standard", "W:WK1,K5:BK50")
moves = board.legal_moves()
look(board, moves[:9])
before = board.winner()
look(board, moves[9:10])
print("winner after 9 and 10 moves were looked at (0 is a draw):", before, board.winner(), "moves:", board.move_stack)
assert before is None and board.winner() == 0 and not board.move_stack and len(moves) > 10

played, searched = (play(Board("standard", "W:WK46:BK50,11"), looks) for looks in (False, True))
print("winner after ten moves of kings:", played[-1], "where moves of the man were looked at:", searched[-1])
assert played == [None] * 9 + [0] and searched == [None] * 10

board = Board("standard")
board.null()
board.pop()
print("turn after a null move is popped:", "BW"[board.turn == WHITE], "in its position:", board.fen[0])
assert board.turn == WHITE and board.fen[0] == "B"
PYTHON
