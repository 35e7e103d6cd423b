#!/usr/bin/env bash
# A good guess: `moveSequence` of a `GameHistory` of durakgame yields the moves of a game in the order in which they
# were played, so that a game can be replayed or learned from.
#
# What happens: it takes one move of the first player and one of the second in turn, until either has no more. Whoever
# lets the other take the cards moves twice, once to add cards and once to attack. From there the moves are in another
# order, and those at the end of the longer list are missing. In 20 games by random moves, cut off after 40, none is
# in its order. Nothing is said, and nothing else tells the order. Record moves in `nextMove` of the players.
#
# durakgame 1.0.4; December 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check durakgame==1.0.4
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import random

import durakgame


class Recorded(durakgame.MrRandom):
    """Plays at random, and records each move."""

    def nextMove(self, state, options):
        index = super().nextMove(state, options)
        played.append(options[index])
        return index


alike, lost, example = 0, [], None
for seed in range(20):
    random.seed(seed)
    played = []
    history = durakgame.play(Recorded(), Recorded(), moveLimit=20)
    told = list(history.moveSequence)
    alike += told == played
    lost.append(len(played) - len(told))
    assert len(history.p1Moves) + len(history.p2Moves) == len(played)
    if seed == 0:
        example = [[type(move).__name__.removesuffix("Move") for move in moves[:6]] for moves in (played, told)]
print(f"of 20 games {alike} in the order of play, {sum(lost)} moves missing; played {example[0]},")
print(f"told {example[1]}")
assert alike <= 2 and sum(lost) > 20 and example[0][:3] == example[1][:3] and example[0] != example[1]
PYTHON
