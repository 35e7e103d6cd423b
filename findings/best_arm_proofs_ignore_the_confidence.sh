#!/usr/bin/env bash
# A good guess: `ChernoffStoppingCondition` of best-arm stops comparing agents once the best is known with the
# `confidence` asked for, the chance of an error. With `mode="theory"` it waits longer than with "practice", as it keeps
# to a threshold that is proven.
#
# What happens: for returns that are normally distributed the threshold of "theory" has no confidence in it. Whether an
# error may happen in one run of two or in one of a million, it stops after the same games: of two agents 0.2 apart
# after some 1640. That is five times as many as "practice" takes for one of two, and half of what it takes for one of a
# million. Nothing is said. For wins and losses the threshold has the confidence in it. Use "practice" for returns.
#
# numpy 1.26.4, best-arm 0.1.1; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check numpy==1.26.4 best-arm==0.1.1
"$folder/venv/bin/python" - <<'PYTHON'
from types import SimpleNamespace

import numpy as np
from best_arm.stopping_conditions import ChernoffStoppingCondition

RUNS, MOST, BETTER = 100, 4000, 0.2


def games_until_sure(mode, confidence, env, draw):
    """Return how many games it takes on average until the better of two agents is held to be known."""
    games = []
    for seed in range(RUNS):
        returns = np.cumsum(draw(np.random.default_rng(seed)), axis=0)
        condition = ChernoffStoppingCondition(mode)
        for turn in range(1, MOST):
            if condition.should_stop(np.array([turn, turn]), returns[turn], env, confidence):
                break
        games.append(2 * turn)
    return round(np.mean(games))


def draw_returns(rng):
    return rng.normal((0, BETTER), size=(MOST, 2))


def draw_wins(rng):
    return rng.random((MOST, 2)) < (0.4, 0.6)


seen = {}
for kind, env, draw in (
    ("returns", SimpleNamespace(sigma=1.0), draw_returns),
    ("wins", SimpleNamespace(), draw_wins),
):
    for mode in ("practice", "theory"):
        seen[kind, mode] = [games_until_sure(mode, chance, env, draw) for chance in (0.5, 0.1, 0.01, 1e-6)]
        print(f"games until sure by {kind}, errors of 1 in 2, 10, 100 and a million, {mode}:", seen[kind, mode])
assert len(set(seen["returns", "theory"])) == 1
assert all(len(set(games)) == 4 for key, games in seen.items() if key != ("returns", "theory"))
assert seen["returns", "practice"][0] < seen["returns", "theory"][0] < seen["returns", "practice"][-1]
PYTHON
