#!/usr/bin/env bash
# A good guess: a draw of two is a contest for Elo-MMR's Python package (elo-mmr-py) in which both share the places 0
# and 1, `[("ours", 0, 1), ("theirs", 0, 1)]`: it brings their ratings together, and makes both surer, as in Elo's,
# Glicko's and TrueSkill's ratings, which it has too.
#
# What happens: a contest in which all are level is passed over by all of its ten systems, without a word. After ten
# won games a hundred draws change neither rating nor deviation, and are not among the contests played. Agents that
# only draw are missing from what is returned. With a third that is behind, two who are level are rated. So of games
# with many draws, decided ones alone count, and a favourite that is held to draws keeps its distance. Rate such games
# by `openskill` or `glicko2`.
#
# elo-mmr-py 2.0.0; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  elo-mmr-py==2.0.0
"$folder/venv/bin/python" - <<'PYTHON'
from elo_mmr_py import SUPPORTED_SYSTEMS, Contest, rate_latest

WIN, DRAW = [("ours", 0, 0), ("theirs", 1, 1)], [("ours", 0, 1), ("theirs", 0, 1)]
AHEAD, ALL_LEVEL = [("ours", 0, 1), ("theirs", 0, 1), ("third", 2, 2)], [(name, 0, 2) for name in "abc"]


def rate(games, system):
    """Return the rating, its deviation and the number of contests of each agent, with a minute for each game."""
    contests = [Contest(game, time_seconds=60 * number) for number, game in enumerate(games)]
    ratings = rate_latest(contests, system)
    return {name: (found.rating, found.rating_sig, found.contests_played) for name, found in sorted(ratings.items())}


won, then_drawn = rate([WIN] * 10, "mmr"), rate([WIN] * 10 + [DRAW] * 100, "mmr")
print("after ten wins:", won, "and a hundred draws:", then_drawn, "draws alone:", rate([DRAW] * 100, "mmr"))
for system in SUPPORTED_SYSTEMS:
    assert rate([WIN] * 10, system) == rate([WIN] * 10 + [DRAW] * 100, system)
    assert rate([DRAW] * 100, system) == rate([ALL_LEVEL] * 100, system) == {}
    assert len(rate([AHEAD] * 3, system)) == 3
assert len(SUPPORTED_SYSTEMS) == 10 and won["ours"][2] == then_drawn["ours"][2] == 10
PYTHON
