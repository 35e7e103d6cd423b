#!/usr/bin/env bash
# A good guess: a moving mean over the last three games depends on these three alone, as the name and its documentation
# say. Where one of them is infinite, or huge, so is the mean, until it has left the window.
#
# What happens: bottleneck keeps one running sum, to which it adds what comes and from which it subtracts what goes.
# After a single Elo difference of -inf, that of an agent that lost all its games, `move_mean`, `move_sum`, `move_std`
# and `move_var` are NaN to the end. After a float32 of 1e8 the mean of ones is 0, and their sum too: what was added to
# the large number was rounded away. `move_min`, `move_max` and `move_median` are right, and pandas' `rolling`, which
# takes infinite numbers for NaN. Put NaN in place of what is infinite, use float64, or numpy's `sliding_window_view`.
#
# numpy 2.4.6, bottleneck 1.6.0; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 bottleneck==1.6.0
"$folder/venv/bin/python" - <<'PYTHON'
import bottleneck as bn
import numpy as np

lost = np.array([1.0, -np.inf, 1, 1, 1, 1, 1, 1])
ASKED = ("move_mean", "move_sum", "move_std", "move_var", "move_min", "move_max", "move_median")
after = {name: float(getattr(bn, name)(lost, 3)[-1]) for name in ASKED}
print("over three ones, five places after -inf:", after)
assert all(np.isnan(after[name]) for name in ASKED[:4]) and all(after[name] == 1 for name in ASKED[4:])
huge = np.array([1e8, 1, 1, 1, 1, 1], np.float32)
mean, total = bn.move_mean(huge, 3)[-1], bn.move_sum(huge, 3)[-1]
right = np.lib.stride_tricks.sliding_window_view(huge, 3).mean(1)[-1]
print("mean and sum over three ones in float32 after 1e8:", mean, total, "by numpy's windows:", right)
assert mean == total == 0 and right == 1
PYTHON
