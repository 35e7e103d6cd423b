#!/usr/bin/env bash
# A good guess: `MORecordEpisodeStatistics` of MO-Gymnasium says at the end of each game of a vector environment the sum
# of its rewards, `r`, and the discounted one, `dr`. With `gamma=1`, as by default, both are the same.
#
# What happens: `r` begins anew with each game, and `dr` does not: it is the sum over all games that this environment
# has played since `reset` of the vector environment. Five games of one move that pays 0.7 have 0.7, 1.4, 2.1, 2.8 and
# 3.5. The wrapper of a single environment with the same name is right. Nothing is said. Take the difference from the
# last `dr` of the same environment, or discount the rewards yourself.
#
# numpy 2.4.6, gymnasium 1.4.0, pygame 2.6.1, scipy 1.17.1, mo-gymnasium 1.3.2; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 gymnasium==1.4.0 pygame==2.6.1 scipy==1.17.1 mo-gymnasium==1.3.2
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import mo_gymnasium
import numpy as np
from mo_gymnasium.wrappers import MORecordEpisodeStatistics
from mo_gymnasium.wrappers.vector import MORecordEpisodeStatistics as VectorMORecordEpisodeStatistics
from mo_gymnasium.wrappers.vector import MOSyncVectorEnv

GAMES, DOWN = 5, 1


def make():
    """Return a game whose first move down pays 0.7 and ends it."""
    return mo_gymnasium.make("deep-sea-treasure-v0")


envs = VectorMORecordEpisodeStatistics(MOSyncVectorEnv([make]))
envs.reset(seed=0)
together = []
while len(together) < GAMES:
    *_, terminated, _, infos = envs.step(np.array([DOWN]))
    if terminated[0]:
        together.append([round(float(infos["episode"][key][0, 0]), 2) for key in ("r", "dr")])
env = MORecordEpisodeStatistics(make())
alone = []
for _ in range(GAMES):
    env.reset(seed=0)
    info = env.step(DOWN)[-1]["episode"]
    alone.append([round(float(info[key][0]), 2) for key in ("r", "dr")])
print("sums and discounted sums, gamma 1, of five games in a vector environment", together, "and alone", alone)
assert alone == [[0.7, 0.7]] * GAMES and together == [[0.7, round(0.7 * game, 2)] for game in range(1, GAMES + 1)]
PYTHON
