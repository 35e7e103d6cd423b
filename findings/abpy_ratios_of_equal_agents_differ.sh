#!/usr/bin/env bash
# A good guess: `Experiment(metric="continous", is_ratio=True)` of abpy-toolkit compares two shares, as points by move,
# by the delta method, and of equal agents one pair of twenty differs with `alpha=0.05`.
#
# What happens: the delta method gives the variance of the ratio, and the test divides it by the number of games once
# more. So with 400 games the standard error is a twentieth of what it should be, and 89 of 100 pairs of equal agents
# differ. The interval is as much too narrow. Nothing is said. `apply_delta` itself is right: divide the difference of
# its means by the root of the sum of `corrected_var`.
#
# Beside it, p-values that are adjusted by "holm" and "bh" may fall where the p-values rise: 0.01, 0.011 and 0.4 are
# 0.03, 0.022 and 0.4 by "holm".
#
# numpy 2.4.6, scipy 1.17.1, pandas 3.1.1, abpy-toolkit 0.1.1; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check numpy==2.4.6 scipy==1.17.1 pandas==3.1.1
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check --no-deps abpy-toolkit==0.1.1
cd "$folder"
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import contextlib
import io

import numpy as np
import pandas as pd
from abpy import Experiment
from abpy.corrections.multiple import apply_corrections
from abpy.preprocessing.delta import apply_delta

GAMES, PAIRS = 400, 100
rng = np.random.default_rng(0)
said = right = 0
for _ in range(PAIRS):
    moves = rng.integers(5, 40, 2 * GAMES)
    games = pd.DataFrame({
        "variant": np.repeat(["a", "b"], GAMES), "metric1": rng.binomial(moves, 0.2), "metric2": moves,
    })
    games.to_csv("games.csv", index=False)
    experiment = Experiment(metric="continous", input="csv", is_ratio=True)
    with contextlib.redirect_stdout(io.StringIO()):
        experiment.fit("games.csv")
        result = experiment.results()
    said += result.p_value < 0.05
    first, second = apply_delta(games, "metric1", "metric2").values()
    error = np.sqrt(first["corrected_var"] + second["corrected_var"])
    right += abs(second["mean"] - first["mean"]) > 1.96 * error
adjusted = apply_corrections({value: {"p_value": value} for value in (0.01, 0.011, 0.4)}, "holm")
values = [round(one["p_value_adjusted"], 3) for one in adjusted.values()]
print(f"of {PAIRS} pairs of equal agents {said} differ, by the right error {right}; holm: {values}")
assert said > 80 and right < 12 and values == [0.03, 0.022, 0.4]
PYTHON
