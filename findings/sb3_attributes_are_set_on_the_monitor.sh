#!/usr/bin/env bash
# A good guess: `set_attr` of Stable-Baselines3's vector environments changes an attribute of the games, for example who
# the opponent is, also where they are wrapped: `get_attr` finds it through the wrappers, and returns the new value
# then.
#
# What happens: `get_attr` looks through the wrappers, but `set_attr` sets the outermost one. `make_vec_env` puts each
# game into a `Monitor`, so the monitor gets the attribute and the game keeps the old one. From then on `get_attr` finds
# the monitor's first and confirms what no game knows. `SubprocVecEnv` does the same. `set_attr` of Gymnasium's own
# vector environments reaches the game. Call `env_method("set_wrapper_attr", "opponent", 5)`.
#
# numpy 2.4.6, torch 2.13.0, gymnasium 1.4.0, stable-baselines3 2.9.2; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 torch==2.13.0 gymnasium==1.4.0 stable-baselines3==2.9.2
cat > "$folder/games.py" <<'PYTHON'
import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete
from gymnasium.vector import SyncVectorEnv
from gymnasium.wrappers import RecordEpisodeStatistics
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.vec_env import DummyVecEnv, SubprocVecEnv


class Game(gymnasium.Env):
    """Shows the number of its opponent."""

    observation_space, action_space = Box(0, 9, (1,), np.float32), Discrete(2)

    def __init__(self):
        self.opponent = 1

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        return np.full(1, self.opponent, np.float32), {}

    def step(self, action):
        return np.full(1, self.opponent, np.float32), 0.0, False, False, {}


def play(envs, change):
    """Return the opponent by `get_attr`, and the one that the games play against, after a change to number 5."""
    envs.reset()
    envs.get_attr("opponent")
    change(envs)
    seen = list(envs.get_attr("opponent")), envs.step(np.zeros(2, int))[0].ravel().tolist()
    envs.close()
    return seen


def set_attribute(envs):
    envs.set_attr("opponent", 5)


if __name__ == "__main__":
    kinds = {
        kind.__name__: play(make_vec_env(Game, 2, vec_env_cls=kind), set_attribute)
        for kind in (DummyVecEnv, SubprocVecEnv)
    }
    games = [lambda: RecordEpisodeStatistics(Game())] * 2
    gymnasiums = play(SyncVectorEnv(games), set_attribute)
    by_method = play(make_vec_env(Game, 2), lambda envs: envs.env_method("set_wrapper_attr", "opponent", 5))
    print("opponent 5 by get_attr and in the games:", kinds, "SyncVectorEnv:", gymnasiums, "env_method:", by_method)
    assert all(seen == ([5, 5], [1, 1]) for seen in kinds.values())
    assert gymnasiums == by_method == ([5, 5], [5, 5])
PYTHON
OMP_NUM_THREADS=1 "$folder/venv/bin/python" "$folder/games.py"
