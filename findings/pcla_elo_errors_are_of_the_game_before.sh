#!/usr/bin/env bash
# A good guess: the error that `run_elo` of pcla-elo returns compares each score with the chance given to it, and
# `fit_elo` finds the k with which the chances fit best.
#
# What happens: each score is compared with the chance of the row before. Where an agent that always solves its task
# and one that never does take turns, the ratings are right and the error is 0.99 for k = 1, where its chances miss by
# 0.05. So `fit_elo` answers k = 0, with which nothing is learned, all ratings are 0 and the error is 0.5. Sorted by
# agent, the same games give k = 0.99. Nothing is said. Compute the errors from the ratings before each game.
#
# numpy 2.4.6, pandas 3.1.1, pcla-elo 0.0.2; December 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 pandas==3.1.1 pcla-elo==0.0.2
"$folder/venv/bin/python" - <<'PYTHON'
import numpy as np
from elo import fit_elo, run_elo

turns = np.array([("good", "first", 1), ("bad", "second", 0)] * 200, dtype=object)
by_agent = np.concatenate([turns[::2], turns[1::2]])


def measure(rows, k=1.0):
    """Return the error of the chances given before each row."""
    agents, tasks, errors = dict.fromkeys(rows[:, 0], 0.0), dict.fromkeys(rows[:, 1], 0.0), []
    for agent, task, score in rows:
        error = score - 1 / (1 + np.exp(tasks[task] - agents[agent]))
        agents[agent] += k * error
        tasks[task] -= k * error
        errors.append(error**2)
    return round(float(np.mean(errors) ** 0.5), 2)


said, right = round(float(run_elo(turns, 1)[2]), 2), measure(turns)
ratings, _, k, _ = fit_elo(turns)
ratings, other = {name: float(rating) for name, rating in ratings.items()}, round(fit_elo(by_agent)[2], 2)
print(f"error in turns {said}, right {right}; best k {k} with ratings {ratings}; sorted by agent, best k {other}")
assert said > 0.9 and right < 0.1 and k == 0 and set(ratings.values()) == {0} and other > 0.9
PYTHON
