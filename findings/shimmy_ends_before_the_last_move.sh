#!/usr/bin/env bash
# A good guess: a game of OpenSpiel in Shimmy's PettingZoo environment ends as others do: the last observations show the
# final position, and the rewards that `last` gives add up to OpenSpiel's returns, 1 and -1 for a game won and lost.
#
# What happens: after the last move the observations are not renewed. In tic-tac-toe both players see at the end a row
# of two: who learns values of final positions, or records them, learns from those before. And who takes the last step
# second is paid twice, -2 for a game lost, as the rewards of the end are added once more when the other one leaves.
# Read `env.game_state.observation_tensor(player)` and `env.game_state.returns()`.
#
# numpy 2.4.6, gymnasium 1.4.0, open-spiel 2.0.2, pettingzoo 1.27.0, shimmy 2.0.1; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 gymnasium==1.4.0 open-spiel==2.0.2 pettingzoo==1.27.0 shimmy==2.0.1
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import numpy as np
from shimmy.openspiel_compatibility import OpenSpielCompatibilityV0

ROW_OF_THREE, CROSSES = (0, 3, 1, 4, 2), 2

env = OpenSpielCompatibilityV0(game_name="tic_tac_toe")
env.reset(seed=1)
paid, seen = {"player_0": 0.0, "player_1": 0.0}, {}
for action in (*ROW_OF_THREE, None, None):
    agent = env.agent_selection
    observation, reward, *_ = env.last()
    paid[agent] += reward
    seen[agent] = observation[CROSSES].astype(int).sum()
    env.step(action)
final = np.array(env.game_state.observation_tensor(0)).reshape(3, 3, 3)[CROSSES].astype(int).sum()
print("crosses that players see at the end:", seen, "on the board:", final)
print("rewards in all:", paid, "returns:", env.game_state.returns())
assert seen == {"player_0": 2, "player_1": 2} and final == 3
assert paid == {"player_0": 1.0, "player_1": -2.0} and env.game_state.returns() == [1.0, -1.0]
PYTHON
