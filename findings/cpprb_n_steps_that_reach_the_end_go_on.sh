#!/usr/bin/env bash
# A good guess: with `Nstep` of 3, `ReplayBuffer` of cpprb sums up to three rewards, and `done` is 1 for every sum that
# reaches the end of a game, so that no value of what comes after is added. After a truncation `done` stays 0, and
# `next_obs` is the last position, which is to be valued.
#
# What happens: the sum of exactly three that takes in the last reward has a `done` of 0: the value of the position
# after the end is added to the result, as if the game went on. Only the shorter sums after it have 1. After a
# truncation these shorter sums have 0, and a `next_obs` that was never seen, of ones: what is learned for the last
# decisions is the value of such a board. All with `on_episode_end()` called after each game. Use one step, or sum by
# hand.
#
# numpy 2.4.6, cpprb 11.0.0; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 cpprb==11.0.0
"$folder/venv/bin/python" - <<'PYTHON'
from cpprb import ReplayBuffer

LENGTH = 5


def sums_of_three(terminates):
    """Return reward, next position and done of each decision of a game from position 50 to 55, which pays 1 a move."""
    fields = {name: {} for name in ("obs", "act", "rew", "next_obs", "done")}
    buffer = ReplayBuffer(100, fields, Nstep={"size": 3, "gamma": 1.0, "rew": "rew", "next": "next_obs"})
    for move in range(LENGTH):
        done = float(terminates and move + 1 == LENGTH)
        buffer.add(obs=50 + move, act=0, rew=1.0, next_obs=51 + move, done=done)
    buffer.on_episode_end()
    stored = buffer.get_all_transitions()
    return [tuple(int(stored[name][row, 0]) for name in ("rew", "next_obs", "done")) for row in range(LENGTH)]


terminated, truncated = sums_of_three(True), sums_of_three(False)
print("reward, next position and done of a game of five, terminated:", terminated, "truncated:", truncated)
assert terminated[2] == (3, 55, 0)
assert [(reward, done) for reward, _, done in terminated[3:]] == [(2, 1), (1, 1)]
assert truncated[:3] == terminated[:3]
assert [(reward, done) for reward, _, done in truncated[3:]] == [(2, 0), (1, 0)]
assert all(position not in range(50, 56) for _, position, _ in truncated[3:])
PYTHON
