#!/usr/bin/env bash
# A good guess: `Glicko2.update_player(player, matches)` of ranked rates one player and leaves the others as they are.
# Who wins against the same opponent again and again gains each time, and less and less.
#
# What happens: what was computed about a player is kept in a cache that only `update_match` empties. So the first call
# counts, and each later one with the same player starts from the rating before the first, whatever was played: after a
# win at 1500 and ten more the rating is 1588, as after one, and after ten losses it is 1412, as if the win had not
# been. Nothing is said. Set `cache = {}` before each call.
#
# Beside it, `Match.get_ranks()` has more ranks than players where scores are equal: 0, 1, 0, 1, 2 for 5, 5 and 2
# points. And `ChessElo(vol=...)` is always that of 400.
#
# numpy 2.4.6, scipy 1.17.1, ranked 1.0.2; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check numpy==2.4.6 scipy==1.17.1
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check --no-deps ranked==1.0.2
"$folder/venv/bin/python" -W ignore - 2>/dev/null <<'PYTHON'
from ranked.models import Batch, Match
from ranked.models.elochess import ChessElo
from ranked.models.glicko2 import Glicko2


def rate(results, forget):
    """Return the rating of a player after each of some games against the same opponent."""
    ranker = Glicko2()
    player, opponent = ranker.new_player(), ranker.new_player()
    ratings = []
    for result in results:
        if forget:
            ranker.cache = {}
        ranker.update_player(player, Batch(Match((player, result), (opponent, 1 - result))))
        ratings.append(round(player.rating))
    return ratings


wins, losses = [1] * 11, [1] + [0] * 10
said, right = ({name: rate(games, forget) for name, games in (("wins", wins), ("losses", losses))} for forget in (0, 1))
ranks = Match(("a", 5), ("b", 5), ("c", 2)).get_ranks()
wide, narrow = (
    ranker.win(Match((ranker.new_player(1700), 0), (ranker.new_player(1500), 0)))
    for ranker in (ChessElo(vol=4000), ChessElo(vol=40))
)
print("eleven wins:", said["wins"][::5], "right", right["wins"][::5], end="; ")
print("a win and ten losses:", said["losses"][::5], "right", right["losses"][::5], "ranks:", ranks)
assert len(set(said["wins"])) == 1 and right["wins"][-1] > right["wins"][0] + 100
assert len(ranks) == 5 and wide == narrow
PYTHON
