#!/usr/bin/env bash
# A good guess: `step` of a maze of mazemdp says that the game has ended, and pays its reward, in the step that
# reaches a terminal state. "The agent is rewarded when it reaches terminal states", and the call tells "whether a
# terminal state was reached".
#
# What happens: both are those of the state that was left. The step that reaches the goal has reward 0 and is not
# terminated. The next one, whatever the move, stays, pays 1 and ends the game. The shortest game through a corridor
# of four cells has four steps, and a limit of three is never paid. A learner that takes the reached state for
# terminal by itself never sees a reward. Nothing is said.
#
# Beside it, `reset(seed=...)` takes a seed and does not use it: the first cell is drawn by NumPy's global generator.
#
# numpy 2.4.6, matplotlib 3.11.2, ipyreact 0.7.0, mazemdp 1.3.1; December 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 matplotlib==3.11.2 ipyreact==0.7.0 mazemdp==1.3.1
"$folder/venv/bin/python" -W ignore - <<'PYTHON' | tail -1
import numpy as np
from mazemdp import build_maze

EAST = 2
corridor = build_maze(4, 1, False, [], [0])[0]
corridor.reset()
steps, ended = [], False
while not ended:
    cell, reward, ended, _, _ = corridor.step(EAST)
    steps.append((int(cell), float(reward), bool(ended)))
square = build_maze(4, 4, False, [], list(range(15)))[0]
np.random.seed(0)
starts = {int(square.reset(seed=1)) for _ in range(100)}
print(f"goal {corridor.terminal_states[0]}; cells, rewards and ends {steps}; {len(starts)} first cells of one seed")
assert steps == [(1, 0, False), (2, 0, False), (3, 0, False), (3, 1, True)] and len(starts) > 10
PYTHON
