#!/usr/bin/env bash
# A good guess: `ASHAScheduler` of Ray Tune stops a trial that reports NaN, as after a loss has diverged, or while no
# game has ended yet: NaN is worse than every number, or is taken for no report.
#
# What happens: such a trial is never stopped. NaN is not less than what the better half has reached, so it passes every
# milestone, and runs to the end, while trials with numbers are stopped for being in the worse half. That half is found
# among the numbers alone. So the longer a search goes on, the more of the processors are busy with trials that have
# diverged, and `mode="min"` does the same. Report a number in place of NaN, such as a return of -1.
#
# numpy 2.4.6, ray 2.60.0; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 "ray[tune]==2.60.0"
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import math
from types import SimpleNamespace

from ray.tune.schedulers import ASHAScheduler

RESULTS = {"best": 0.9, "good": 0.8, "diverged": math.nan, "poor": 0.2, "worst": 0.1}
LAST = 16


def run(mode, results):
    """Return the iteration at which each trial is stopped, where each reports the same result all the time."""
    scheduler = ASHAScheduler(metric="result", mode=mode, max_t=LAST, grace_period=1, reduction_factor=2)
    trials = {name: SimpleNamespace(trial_id=name, is_saving=False) for name in results}
    for trial in trials.values():
        scheduler.on_trial_add(None, trial)
    stopped = {}
    for iteration in range(1, LAST + 1):
        for name in [name for name in results if name not in stopped]:
            result = {"training_iteration": iteration, "result": results[name]}
            if scheduler.on_trial_result(None, trials[name], result) == ASHAScheduler.STOP:
                stopped[name] = iteration
    return stopped


greatest = run("max", RESULTS)
least = run("min", {name: -result for name, result in RESULTS.items()})
print("stopped at iteration, of 16:", greatest, "with mode min:", least)
assert greatest == least and greatest["best"] == greatest["diverged"] == LAST
assert greatest["poor"] == greatest["worst"] == 1
PYTHON
