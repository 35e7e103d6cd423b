#!/usr/bin/env bash
# A good guess: in Glicko-2 only differences of ratings matter. Agents that all start at 1500, or all at 0, are as far
# apart after the same games, and as certain. The `glicko2` package follows Glickman's paper, whose example comes out.
#
# What happens: `Player` of glicko2 squares the rating where the paper squares the deviation, when it looks for the new
# volatility. So the number 1500, where everybody starts, is special. There the volatility jumps after many games in a
# period; 100 points away, or at 0, it hardly moves. Six agents play ten round robins of 40 games a pair: the weakest,
# which loses most of its first games as a 1500, has a volatility of 0.24 ever after and a deviation of 28, and with the
# same games at 0 instead 0.06 and 17, like all others. Nothing is said. Start all agents at another number, such as 0.
#
# glicko2 2.1.0; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check glicko2==2.1.0
"$folder/venv/bin/python" - <<'PYTHON'
import random
from itertools import permutations

from glicko2 import Player

AGENTS, PERIODS, GAMES = 6, 10, 40


def rate(start):
    """Return differences to the start, deviations and volatilities of agents that are 100 points apart in truth."""
    random.seed(1)
    players = [Player(start) for _ in range(AGENTS)]
    for _ in range(PERIODS):
        wins = {}
        for strong, weak in permutations(range(AGENTS), 2):
            if strong > weak:
                chance = 1 / (1 + 10 ** (weak / 4 - strong / 4))
                wins[strong, weak] = [random.random() < chance for _ in range(GAMES)]
                wins[weak, strong] = [not won for won in wins[strong, weak]]
        before = [(player.rating, player.rd) for player in players]
        for agent, player in enumerate(players):
            others = [other for other in range(AGENTS) if other != agent for _ in range(GAMES)]
            results = [won for other in range(AGENTS) if other != agent for won in wins[agent, other]]
            ratings, deviations = zip(*(before[other] for other in others))
            player.update_player(ratings, deviations, results)
    shown = ((player.rating - start, player.rd, player.vol * 100) for player in players)
    return [list(map(round, numbers)) for numbers in zip(*shown)]


paper = Player(1500, 200)
paper.update_player([1400, 1550, 1700], [30, 100, 300], [1, 0, 0])
seen = {start: rate(start) for start in (1500, 0)}
for start, (ratings, deviations, volatilities) in seen.items():
    print(f"started at {start}: ratings {ratings}, deviations {deviations}, volatilities in hundredths {volatilities}")
assert round(paper.rating) == 1464 and round(paper.rd, 1) == 151.5
assert seen[1500][1][0] > 1.5 * seen[0][1][0] and seen[1500][2][0] > 20 and set(seen[0][2]) == {6}
PYTHON
