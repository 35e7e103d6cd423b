#!/usr/bin/env bash
# A good guess: in `Colley` of penaltyblog "a draw is worth half a win" with a `draw_weight` of 0.5, the default: it is
# half a win and half a loss for both, as in Colley's method, and says that the two are alike. Ratings have a mean of
# one half.
#
# What happens: a win adds 1 to the balance of wins and losses, a loss takes 1 off, and a draw adds 0.5 for both, so it
# is three quarters of a win, and nobody pays for it. Ratings rise with the number of draws, above 1 and without a
# bound: two agents that only ever draw against each other come before one that wins eight of ten. Whoever never wins,
# and draws much, passes one that wins half of its games. With `draw_weight=0` draws are what they should be. Leaving
# them out by `include_draws=False` gives the same ratings, as the games are still counted.
#
# numpy 2.4.6, pandas 3.1.1, scipy 1.17.1, penaltyblog 1.13.1; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 pandas==3.1.1 scipy==1.17.1
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check --no-deps \
  penaltyblog==1.13.1
"$folder/venv/bin/python" - <<'PYTHON'
import sys
from importlib.util import find_spec
from types import ModuleType

# The package imports everything it has, and many others; the ratings need none of these.
package = ModuleType("penaltyblog")
package.__path__ = find_spec("penaltyblog").submodule_search_locations
sys.modules["penaltyblog"] = package

from penaltyblog.ratings import Colley


def rate(games, **options):
    """Return the ratings after games, each given by two agents, their points, and how often it was played."""
    played = [game[:4] for game in games for _ in range(game[4])]
    first, second, points, others = zip(*played, strict=True)
    ratings = Colley(points, others, first, second, **options).get_ratings()
    return {str(team): round(float(rating), 3) for team, rating in zip(ratings["team"], ratings["rating"])}


apart = [("best", "worst", 1, 0, 8), ("best", "worst", 0, 1, 2), ("calm", "quiet", 1, 1, 10)]
mixed = [("best", "steady", 1, 0, 6), ("best", "steady", 0, 1, 4)]
mixed += [(name, "calm", *game) for name in ("best", "steady") for game in ((1, 0, 1), (1, 1, 9))]
table = {"default": rate(mixed), "weight 0": rate(mixed, draw_weight=0), "left out": rate(mixed, include_draws=False)}
print("8 of 10 won, beside 10 draws of two others:", rate(apart))
print("6 of 10 won, and each won one of 10 against calm and drew nine:", table)
assert rate(apart) == {"calm": 1.75, "quiet": 1.75, "best": 0.636, "worst": 0.364}
assert list(table["default"]) == ["best", "calm", "steady"] and min(table["default"].values()) > 1
assert table["weight 0"] == table["left out"] and list(table["weight 0"]) == ["best", "steady", "calm"]
assert abs(sum(table["weight 0"].values()) / 3 - 0.5) < 0.001
PYTHON
