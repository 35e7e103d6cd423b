#!/usr/bin/env bash
# A good guess: `Gomoku` of perfect-information-game is over once five stones of a player are in a row, a column or a
# diagonal of the board of 19 x 19.
#
# What happens: diagonals are not looked at, and neither are rows and columns that end at the right or the lower edge.
# Of the 1,020 lines of five 532 count. Games go on after another one, and the winner is whoever makes one of these
# first: of 40 random games 22 are not over when they are won, and 14 are won by the other player. Nothing is said, but
# for a comment in the code. Look for lines yourself.
#
# Beside it, `Chess` takes a king against a king with a bishop or a knight for a draw only where the piece is White's.
#
# numpy 2.4.6, easygui 0.98.3, perfect-information-game 0.0.11; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check numpy==2.4.6 easygui==0.98.3
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check --no-deps perfect-information-game==0.0.11
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import numpy as np
from perfect_information_game.games import Chess, Gomoku

SIZE, GAMES = 19, 40
lines = [
    tuple((row + step * down, column + step * right) for step in range(5))
    for row in range(SIZE)
    for column in range(SIZE)
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))
    if row + 4 * down < SIZE and 0 <= column + 4 * right < SIZE
]
through = {}
for line in lines:
    for cell in line:
        through.setdefault(cell, []).append(line)
seen = 0
for line in lines:
    stones = np.zeros((SIZE, SIZE), np.uint8)
    stones[tuple(zip(*line))] = 1
    seen += bool(Gomoku.check_win(stones))

rng = np.random.default_rng(0)
late = others = 0
for _ in range(GAMES):
    state, winner = np.copy(Gomoku.STARTING_STATE), 0
    for turn, number in enumerate(rng.permutation(SIZE * SIZE)):
        cell = divmod(int(number), SIZE)
        state = Gomoku.null_move(state)
        state[cell][turn % 2] = 1
        won = any(all(state[spot][turn % 2] for spot in line) for line in through[cell])
        if won and not winner:
            winner = 1 if turn % 2 == 0 else -1
            late += not Gomoku.is_over(state)
        if winner and Gomoku.is_over(state):
            others += Gomoku.get_winner(state) != winner
            break
fens = ("8/8/4k3/8/8/8/8/K4B2 w - - 0 1", "8/8/4k3/8/8/8/8/K4b2 w - - 0 1")
draws = [bool(Chess.is_over(Chess.parse_fen(fen))) for fen in fens]
print(f"{seen} of {len(lines)} lines count; of {GAMES} games {late} go on when won, {others} have another winner")
print("king against king and bishop is over, White's and Black's:", draws)
assert (seen, len(lines)) == (532, 1020) and late > 15 and others > 5 and draws == [True, False]
PYTHON
