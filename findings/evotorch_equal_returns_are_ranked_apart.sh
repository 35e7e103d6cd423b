#!/usr/bin/env bash
# A good guess: evolution strategies of EvoTorch, which rank the returns of a population, give equal returns equal
# weights. So where all play alike, such as while every agent loses, the centre stays where it is.
#
# What happens: all its rankings but "raw" and "normalized" number what `argsort` returns, and equal returns get the
# ranks of their places. Where 100 agents lose alike one has -0.5 and another 0.5: PGPE, SNES and CEM walk at random, at
# full speed, and nothing in the returns shows it. With wins and losses alone most of a gradient is such noise. NaN is
# ranked above all returns where more is better. "normalized" is NaN where all are equal. Give games a return with few
# ties, such as the points, or the mean of many games.
#
# numpy 2.4.6, torch 2.13.0, evotorch 0.6.1; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check numpy==2.4.6 torch==2.13.0 evotorch==0.6.1
OMP_NUM_THREADS=1 "$folder/venv/bin/python" -W ignore - <<'PYTHON'
import logging

logging.disable(logging.WARNING)

import torch
from evotorch import Problem
from evotorch.algorithms import CEM, PGPE, SNES
from evotorch.tools.ranking import rank

LENGTH = 10
OPTIONS = {
    PGPE: {"center_learning_rate": 0.1, "stdev_learning_rate": 0.1},
    SNES: {},
    CEM: {"parenthood_ratio": 0.5},
}


class AllLose(Problem):
    """Every agent loses."""

    def __init__(self):
        super().__init__("max", solution_length=LENGTH, initial_bounds=(-1, 1), seed=1)

    def _evaluate_batch(self, batch):
        batch.set_evals(torch.full((len(batch),), -1.0))


def walk(algorithm):
    """Return how far the centre went in twenty generations, in initial standard deviations."""
    origin = torch.zeros(LENGTH)
    search = algorithm(AllLose(), popsize=100, stdev_init=0.5, center_init=origin, **OPTIONS[algorithm])
    search.run(20)
    return round(float(torch.as_tensor(search.status["center"]).norm()) / 0.5, 1)


def weigh(returns, method="centered"):
    return rank(torch.tensor(returns), method, higher_is_better=True)


walks, equal = {algorithm.__name__: walk(algorithm) for algorithm in OPTIONS}, weigh([-1.0] * 5).tolist()
print("weights of five equal returns:", equal, "ways of the centre, in standard deviations:", walks)
assert sorted(equal) == [-0.5, -0.25, 0, 0.25, 0.5] and min(walks.values()) > 1
assert all(len(weigh([-1.0] * 100, method).unique()) > 10 for method in ("centered", "linear", "nes"))
assert weigh([1.0, torch.nan, 3.0]).argmax() == 1 and weigh([-1.0] * 5, "normalized").isnan().all()
PYTHON
