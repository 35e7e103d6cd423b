#!/usr/bin/env bash
# A good guess: `step` of gymnasium-connect-four returns a new observation, and leaves the one before as it was. So a
# loop may store observation, action and reward after the step, as replay buffers are filled. `reset(seed=...)` decides
# who begins.
#
# What happens: the observation is the board itself, and `step` puts the player's stone on it, before it hands out a new
# board for the next one. What was stored after the step shows the stone in the column that was chosen: a network that
# learns actions from it reads the answer off, and values are learned for a position that the player did not have. Of
# 1,000 decisions all are so. Nothing is said. Store `observation.copy()` before the step; vector environments copy. Who
# begins is drawn from `np.random`, and the seed does nothing.
#
# numpy 2.4.6, gymnasium 1.4.0, pygame 2.6.1, gymnasium-connect-four 1.3.5; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check numpy==2.4.6 gymnasium==1.4.0 pygame==2.6.1
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check --no-deps gymnasium-connect-four==1.3.5
export PYGAME_HIDE_SUPPORT_PROMPT=1
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import numpy as np
from connect_four_gymnasium.ConnectFourEnv import ConnectFourEnv

DECISIONS = 1000


class RandomOpponent:
    def play(self, observation):
        return np.random.choice(np.flatnonzero(observation[0] == 0))


np.random.seed(0)
env, stored, terminated = ConnectFourEnv(opponent=RandomOpponent()), [], True
while len(stored) < DECISIONS:
    if terminated:
        observation, _ = env.reset()
    decided_on = observation.copy()
    action = np.random.choice(np.flatnonzero(observation[0] == 0))
    next_observation, _, terminated, _, _ = env.step(action)
    stored.append((decided_on, observation, action))
    observation = next_observation
columns = [np.flatnonzero((after != before).any(axis=0)).tolist() for before, after, _ in stored]
shown = sum(changed == [action] for changed, (_, _, action) in zip(columns, stored, strict=True))
print(f"of {DECISIONS} observations {shown} show the stone that was played on them")

empty = [not np.any(env.reset(seed=0)[0]) for _ in range(100)]
print(f"of 100 games with seed 0 the agent begins {sum(empty)}")
assert shown == DECISIONS and 30 < sum(empty) < 70
PYTHON
