#!/usr/bin/env bash
# A good guess: `CheckpointManager` with `max_to_keep=2` and `best_fn` keeps the two checkpoints that have won most. One
# whose share is NaN, as no game was played, counts as the worst, or is refused.
#
# What happens: checkpoints are sorted by the metric, and nothing comes in order across a NaN: those saved before it
# rank below those after it, whatever they have won. So the best one is deleted from the disk, and `best_step()` names
# a later one: of 0.9, NaN, 0.1 and 0.2 the last two are kept, as with `best_mode="min"`. A last NaN counts as the best.
# Nothing is raised. Checkpoints without any metrics are all kept: pass `metrics=None` where there are none.
#
# numpy 2.4.6, jax 0.10.2, orbax-checkpoint 0.12.8; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 jax==0.10.2 orbax-checkpoint==0.12.8
JAX_PLATFORMS=cpu "$folder/venv/bin/python" -W ignore - "$folder/runs" <<'PYTHON'
import logging
import math
import sys

import numpy as np
import orbax.checkpoint as ocp

logging.disable(logging.WARNING)


def keep(name, *shares, mode="max"):
    """Return the steps that are kept on disk, and the best of them, after one was saved with each share."""
    options = ocp.CheckpointManagerOptions(max_to_keep=2, best_fn=lambda metrics: metrics["won"], best_mode=mode)
    with ocp.CheckpointManager(f"{sys.argv[1]}/{name}", options=options) as manager:
        for step, share in enumerate(shares):
            metrics = None if share is None else {"won": share}
            manager.save(step, args=ocp.args.StandardSave({"weights": np.full(3, step)}), metrics=metrics)
        manager.wait_until_finished()
        return manager.all_steps(), manager.best_step()


whole, broken = keep("whole", 0.9, 0.0, 0.1, 0.2), keep("broken", 0.9, math.nan, 0.1, 0.2)
least, last = keep("least", 0.05, math.nan, 0.1, 0.2, mode="min"), keep("last", 0.9, 0.1, 0.2, math.nan)
print("steps kept and the best of 0.9, 0.0, 0.1, 0.2:", whole, "of 0.9, nan, 0.1, 0.2:", broken, "a last nan:", last)
assert whole == ([0, 3], 0) and broken == ([2, 3], 3)
assert least[0] == [2, 3] and last[1] == 3
assert keep("none", 0.9, None, 0.1, 0.2) == ([0, 1, 3], 0)
PYTHON
