#!/usr/bin/env bash
# A good guess: `hp.uniformint("layers", 1, 3)` of hyperopt draws 1, 2 and 3 alike, as its name says, and so does
# `Optimizer([(1, 3)])` of scikit-optimize, which begins with random points, or by `lhs`, `sobol` or `halton` with
# points that cover all evenly.
#
# What happens: a number between 1 and 3 is drawn and rounded, so that 1 and 3 come half as often as 2: 25 %, 50 % and
# 25 %. Of 0 to 1 nothing is seen. scikit-optimize does so by its default, a Gaussian process, and by `lhs`, `sobol` and
# `halton` in any case, even where `Categorical` lists agents: the first and the last play half as often. In hyperopt
# use `hp.randint("layers", 1, 4)`, in scikit-optimize `Categorical` and random points.
#
# numpy 2.4.6, setuptools 80.9.0, hyperopt 0.3.0, scikit-learn 1.9.1, scikit-optimize 0.10.2; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 setuptools==80.9.0 hyperopt==0.3.0 scikit-learn==1.9.1 scikit-optimize==0.10.2
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import numpy as np
from hyperopt import Trials, fmin, hp, rand
from skopt import Optimizer
from skopt.space import Categorical


def share(layers):
    """Return the shares of 1, 2 and 3 among what was drawn."""
    return [round(float(np.mean(np.ravel(layers) == layer)), 2) for layer in (1, 2, 3)]


def try_all(space, draws=1000):
    """Return the shares that random search of hyperopt tries."""
    trials = Trials()
    settings = {"algo": rand.suggest, "max_evals": draws, "trials": trials, "rstate": np.random.default_rng(1)}
    fmin(lambda layers: 0.0, space, show_progressbar=False, verbose=False, **settings)
    return share(trials.vals["layers"])


def ask(space, draws, **settings):
    """Return the shares among the first points of scikit-optimize."""
    optimizer = Optimizer([space], n_initial_points=draws, random_state=1, **settings)
    asked = []
    for _ in range(draws):
        asked.append(optimizer.ask())
        optimizer.tell(asked[-1], 0.0)
    return share(asked)


by_name = {"uniformint": try_all(hp.uniformint("layers", 1, 3)), "randint": try_all(hp.randint("layers", 1, 4))}
begun = {way: ask((1, 3), 512, base_estimator="RF", initial_point_generator=way) for way in ("lhs", "sobol", "halton")}
begun["process"] = ask((1, 3), 150)
begun["forest"] = ask((1, 3), 512, base_estimator="RF")
begun["sobol of Categorical"] = ask(Categorical([1, 2, 3]), 512, initial_point_generator="sobol", base_estimator="RF")
begun["Categorical"] = ask(Categorical([1, 2, 3]), 150)
print("shares of 1, 2 and 3 by hyperopt:", by_name, "by scikit-optimize:", begun)
ends = "lhs", "sobol", "halton", "process", "sobol of Categorical"
for shares in (by_name["uniformint"], *(begun[way] for way in ends)):
    assert np.allclose(shares, (0.25, 0.5, 0.25), atol=0.07)
for shares in (by_name["randint"], begun["forest"], begun["Categorical"]):
    assert np.allclose(shares, 1 / 3, atol=0.07)
PYTHON
