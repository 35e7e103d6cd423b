#!/usr/bin/env bash
# A good guess: Gymnasium's `RecordEpisodeStatistics` for vector environments counts each game right in every mode of
# autoreset, as it asks the environment for its mode, and warns where none is given.
#
# What happens: before 1.4.0 it asks, and then counts as under `NEXT_STEP` whatever the answer. Under `SAME_STEP` it
# takes the first step of each game but the first for a reset, and leaves out its reward: games of 5 steps are recorded
# with 4, and one that pays in its first step with nothing. The first game of each environment is right, so a test of
# one game passes. Programs that pin an older Gymnasium, such as gymnax 1.0.1 and RLlib, have it. Use 1.4.0.
#
# numpy 2.4.6, gymnasium 1.3.0 and 1.4.0; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 gymnasium==1.4.0
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check --no-deps --target "$folder/before" gymnasium==1.3.0
cat > "$folder/games.py" <<'PYTHON'
import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers.vector import RecordEpisodeStatistics


class Game(gymnasium.Env):
    """Pays 10 in its first step and 1 in each of four others."""

    observation_space, action_space = gymnasium.spaces.Box(0, 1, (1,)), gymnasium.spaces.Discrete(2)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.steps = 0
        return np.zeros(1, np.float32), {}

    def step(self, action):
        self.steps += 1
        return np.zeros(1, np.float32), 10.0 if self.steps == 1 else 1.0, self.steps == 5, False, {}


def count(mode):
    envs = RecordEpisodeStatistics(SyncVectorEnv([Game], autoreset_mode=mode))
    envs.reset(seed=1)
    infos = [envs.step(np.zeros(1, int))[4] for _ in range(18)]
    games = [info["episode"] for info in infos if "episode" in info]
    return [(int(game["l"][0]), float(game["r"][0])) for game in games][:3]


seen = {mode.name: count(mode) for mode in (AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP)}
print("gymnasium", gymnasium.__version__, "counts games of 5 steps that pay 14:", seen)
right, short = [(5, 14.0)] * 3, [(5, 14.0), (4, 4.0), (4, 4.0)]
assert seen == {"NEXT_STEP": right, "SAME_STEP": short if gymnasium.__version__ == "1.3.0" else right}
PYTHON
"$folder/venv/bin/python" -W error "$folder/games.py"
PYTHONPATH="$folder/before" "$folder/venv/bin/python" "$folder/games.py"
