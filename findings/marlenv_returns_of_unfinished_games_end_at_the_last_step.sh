#!/usr/bin/env bash
# A good guess: `Episode.compute_returns(gamma, next_value)` of marlenv needs the value of the last position where a
# game was cut off, raises without it, and adds it, discounted, to all returns.
#
# What happens: it asks for the value, and leaves it out. The return of the last step is the last reward, whatever is
# passed: of five rewards of 1 with `gamma=0.5` the returns are 1.94, 1.88, 1.75, 1.5 and 1 with a value of 0 as with
# 1000, where the last one should be 501. So games that reach a limit of steps are learned from as if they ended there.
# Nothing is said. Add `gamma ** (len(episode) - t) * next_value` to the return of step t.
#
# Beside it, `set_state(get_state())` of the wrapper `TimeLimit` reads the clock from a share in float32, and rounds it
# down: of 100 steps it turns the clock back after the 53rd and the 59th.
#
# numpy 2.4.6, opencv-python-headless 5.0.0.93, deprecated 1.3.1, multi-agent-rlenv 4.4.0; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 opencv-python-headless==5.0.0.93 deprecated==1.3.1 typing-extensions==4.16.0
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check --no-deps multi-agent-rlenv==4.4.0
"$folder/venv/bin/python" - <<'PYTHON'
import numpy as np
from marlenv import Episode
from marlenv.catalog.mock_env import DiscreteMockEnv
from marlenv.wrappers import TimeLimit

LIMIT, GAMMA = 5, 0.5

env = TimeLimit(DiscreteMockEnv(n_agents=1), step_limit=LIMIT, add_extra=False)
episode = Episode.new(*env.reset())
while not episode.is_finished:
    episode.add(env.step(env.sample_action()))
seen = {value: episode.compute_returns(GAMMA, next_value=value).ravel().tolist() for value in (0, 1000)}
right = [sum(GAMMA**i for i in range(LIMIT - t)) + GAMMA ** (LIMIT - t) * 1000 for t in range(LIMIT)]
print("returns with a last value of 0 and of 1000", list(seen.values()), "right", right)
assert episode.is_truncated and not episode.is_done and seen[0] == seen[1000]
assert np.allclose(np.add(seen[0], [GAMMA ** (LIMIT - t) * 1000 for t in range(LIMIT)]), right)

env = TimeLimit(DiscreteMockEnv(n_agents=1, end_game=1000), step_limit=100)
env.reset()
turned_back = {}
for step in range(1, 100):
    state = env.step(env.sample_action()).state
    copy = TimeLimit(DiscreteMockEnv(n_agents=1, end_game=1000), step_limit=100)
    copy.reset()
    copy.set_state(state)
    left = 0
    while not copy.step(copy.sample_action()).truncated:
        left += 1
    if left + 1 != 100 - step:
        turned_back[step] = left + 1
print("steps that a game has left once it is restored, where it should be fewer:", turned_back)
assert turned_back == {53: 48, 59: 42}
PYTHON
