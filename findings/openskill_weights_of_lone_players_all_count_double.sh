#!/usr/bin/env bash
# A good guess: `rate(..., weights=...)` of openskill scales what a game changes: equal weights change nothing, and a
# player of weight 3 is moved more than one of weight 1.
#
# What happens: weights are scaled within each team, and the only player of a team gets the upper bound, 2, whatever
# the weight. A gain is multiplied by it and a loss divided by it, so ratings rise with every game: two players who win
# in turns go from 25 to 92 in 100 games, and would stay at 25 without weights. `weight_bounds=None`, documented to
# turn the scaling off, raises TypeError. Pass no weights for games without teams.
#
# openskill 6.2.0; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  openskill==6.2.0
"$folder/venv/bin/python" - <<'PYTHON'
from openskill.models import PlackettLuce

model = PlackettLuce()


def play(games, **options):
    """Return the ratings of two players after games that they win in turns."""
    teams = [[model.rating()], [model.rating()]]
    for game in range(games):
        teams = model.rate(teams, ranks=[1, 2] if game % 2 == 0 else [2, 1], **options)
    return [round(player.mu, 1) for (player,) in teams]


one = {str(weights): play(1, weights=weights) for weights in ([[1], [1]], [[3], [1]], [[1], [9]])}
print("after one game without weights:", play(1), "with them:", one)
print("after 100 games without weights:", play(100), "with weights of 1:", play(100, weights=[[1], [1]]))
assert play(1) == [27.6, 22.4] and all(ratings == [30.3, 23.7] for ratings in one.values())
assert all(24 < mu < 26 for mu in play(100)) and all(mu > 90 for mu in play(100, weights=[[1], [1]]))
try:
    PlackettLuce(weight_bounds=None)
except TypeError:
    pass
else:
    raise AssertionError("weight_bounds=None is accepted")
PYTHON
