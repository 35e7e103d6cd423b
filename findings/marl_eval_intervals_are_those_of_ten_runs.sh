#!/usr/bin/env bash
# A good guess: the 95% intervals that marl-eval (`id-marl-eval`) draws by `plot_single_task` around the mean of
# independent runs are those of as many runs as there are: 1.96 times their deviation by the root of their number.
#
# What happens: it is the root of ten, however many runs the data hold. With 40 runs the interval is twice as wide as
# it should be, with three it is little more than half as wide: of agents with three seeds, as is usual, the "95%"
# intervals hold the true share of wins in about half of all cases. Nothing is said. Compute them from the values of
# the runs; those of the aggregated plots come from rliable's bootstrap.
#
# numpy 2.4.6, colorama 0.4.6, id-marl-eval 0.0.4; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 colorama==0.4.6 setuptools==80.9.0
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check --no-deps \
  id-marl-eval==0.0.4
"$folder/venv/bin/python" - <<'PYTHON'
import numpy as np
from marl_eval.utils.data_processing_utils import data_process_pipeline, get_and_aggregate_data_single_task


def make_runs(wins):
    """Return one run each of an agent that has won so many of 100 games."""
    results = [[1.0] * int(count) + [0.0] * (100 - int(count)) for count in wins]
    return {
        f"run_{number}": {
            "step_1": {"step_count": 1000, "win": result},
            "absolute_metrics": {"win": result},
        }
        for number, result in enumerate(results)
    }


def measure(wins):
    """Return the half of the interval that is drawn, and what it is by its formula with the number of runs."""
    raw = {"games": {"duel": {"ours": make_runs(wins)}}}
    data = data_process_pipeline(raw, metrics_to_normalize=["win"])
    drawn = get_and_aggregate_data_single_task(data, "win", ["win"], "duel", "games")["ours"]["ci"][0]
    return round(float(drawn), 4), round(float(1.96 * np.std(wins) / 100 / np.sqrt(len(wins))), 4)


rng = np.random.default_rng(7)
measured = {runs: measure(rng.binomial(100, 0.5, size=runs)) for runs in (3, 10, 40)}
samples = rng.binomial(100, 0.5, size=(300, 3))
share = np.mean([abs(wins.mean() / 100 - 0.5) <= measure(wins)[0] for wins in samples]).round(2).item()
print("half of the interval of 3, 10 and 40 runs, as drawn and by its formula:", measured)
print("share of 95% intervals of three runs that hold the true share of wins:", share)
assert all(np.isclose(drawn / own, np.sqrt(runs / 10), rtol=0.01) for runs, (drawn, own) in measured.items())
assert 0.4 < share < 0.65
PYTHON
