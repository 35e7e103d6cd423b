#!/usr/bin/env bash
# A good guess: `Minimax` of pyplAI takes a win when it sees one. It subtracts the depth from the score of a position,
# so that an earlier win counts more than a later one.
#
# What happens: a win counts infinity, and infinity minus the depth is infinity. All moves that win some time within the
# horizon are the same to it, and the first of them in the list is played, also if the last of them ends the game. In a
# game that goes on, a player who could win at any move waits a hundred moves, with any horizon but the shortest, which
# only sees its own next move and the answer. Nothing is said. Losses count minus infinity, so a lost player does not
# hold out, either. List the moves so that those which end the game come first.
#
# pyplAI 1.0.3; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check pyplAI==1.0.3
"$folder/venv/bin/python" - <<'PYTHON'
from pyplAI import Minimax

MOVES = 100


class State:
    """A game in which the first player may win at each move, or wait; the other can only wait."""

    def __init__(self):
        self.jugadorActual, self.winner = 1, None


def play_move(state, move):
    if move == "win":
        state.winner = state.jugadorActual
    state.jugadorActual = 3 - state.jugadorActual
    return state


def play(horizon, moves):
    """Return how many moves a game takes, at most a hundred, with these moves of the first player."""
    search = Minimax(
        play_move,
        lambda state: moves if state.jugadorActual == 1 else ["wait"],
        lambda state: state.winner is not None,
        lambda state, player: state.winner == player,
        lambda state, player: 0,
        2,
        horizon,
    )
    state = State()
    for move in range(MOVES):
        state = play_move(state, search.ejecuta(state))
        if state.winner is not None:
            return move + 1
    return MOVES


waits = {horizon: play(horizon, ["wait", "win"]) for horizon in (1, 2, 3, 4)}
print(f"moves of a game that can be won at once, by horizon, {MOVES} at most:", waits)
print("with the winning move first in the list:", play(4, ["win", "wait"]))
assert waits == {1: 1, 2: MOVES, 3: MOVES, 4: MOVES} and play(4, ["win", "wait"]) == 1
PYTHON
