#!/usr/bin/env bash
# A good guess: an agent that has won all its games has no finite strength in a model of Bradley and Terry, so
# `bradley_terry` of evalica raises, warns, or returns a very large score for it; the others are ranked by their games.
#
# What happens: all scores, of all agents, are 1e-06, after two iterations and without a warning: the strongest, the one
# in the middle and the one that lost everything are equal, and `pairwise_frame` says one half everywhere. `newman` and
# both solvers do so too; `bradley_terry` also where an agent has not won once, such as a random one. `elo` and
# `average_win_rate` rank well. Add a tie of a small weight between each two agents.
#
# numpy 2.4.6, pandas 3.1.1, scipy 1.17.1, evalica 0.4.2; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 pandas==3.1.1 scipy==1.17.1 evalica==0.4.2
"$folder/venv/bin/python" -W error - <<'PYTHON'
from evalica import Winner, average_win_rate, bradley_terry, elo, newman, pairwise_frame

UNBEATEN = [("best", "middle", 10), ("best", "worst", 10), ("middle", "worst", 7), ("worst", "middle", 3)]
WINLESS = [("best", "middle", 7), ("middle", "best", 3), ("best", "worst", 10), ("middle", "worst", 10)]


def rate(rating, results, draws=0.0):
    """Return the result of a rating of games, with draws of a weight between each two agents."""
    pairs = [pair for *pair, count in results for _ in range(count)]
    drawn = [("best", "middle"), ("best", "worst"), ("middle", "worst")]
    winners = [Winner.X] * len(pairs) + [Winner.Draw] * len(drawn)
    weights = [1.0] * len(pairs) + [draws] * len(drawn)
    return rating(*zip(*pairs, *drawn, strict=True), winners, weights=weights)


flat = {rating.__name__: rate(rating, UNBEATEN).scores.to_dict() for rating in (bradley_terry, newman)}
flat["winless"] = rate(bradley_terry, WINLESS).scores.to_dict()
helped = rate(bradley_terry, UNBEATEN, draws=0.1).scores.to_dict()
print("scores:", flat, "with draws of weight 0.1:", {name: round(score, 3) for name, score in helped.items()})
assert all(set(scores.values()) == {1e-06} for scores in flat.values())
assert ((pairwise_frame(rate(bradley_terry, UNBEATEN).scores) - 0.5).abs() < 1e-12).all().all()
for scores in (helped, *(rate(rating, UNBEATEN).scores.to_dict() for rating in (elo, average_win_rate))):
    assert scores["best"] > scores["middle"] > scores["worst"]
PYTHON
