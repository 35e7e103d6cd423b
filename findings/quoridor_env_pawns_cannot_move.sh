#!/usr/bin/env bash
# A good guess: the actions 0 to 3 of `QuoridorEnv` of quoridor-env move the pawn up, down, left and right, as its
# docstring says, and the others place walls. Where the other pawn stands in the way, one of them jumps.
#
# What happens: the environment asks for a move with four parts, the game lists moves with three, and so no move is ever
# found among the legal ones. All four cost a reward of -1, in all positions, and the turn does not pass. Walls are
# placed. So nobody comes to the goal, no game is won, and once both have placed their ten walls every action is
# illegal, and the same player stays on turn for good. The flag `invalid_action` in `info` is all that is said. Wrap
# `game` yourself, whose `legal_moves` and `step` know moves and jumps.
#
# numpy 2.4.6, gymnasium 1.4.0, quoridor-env 0.2.6; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check numpy==2.4.6 gymnasium==1.4.0
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check --no-deps quoridor-env==0.2.6
cd "$folder"
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import random

from quoridor_sim.quoridor_env import QuoridorEnv

MOVES, STEPS = range(4), 1000

random.seed(0)
env = QuoridorEnv()
env.reset(seed=0)
legal = [action for action in env.game.legal_moves() if action[0] == "move"]
moved = [env.step(action)[1:] for action in MOVES]
print("legal moves at first:", legal, "rewards of the actions 0 to 3:", [reward for reward, *_ in moved])
assert len(legal) == 3 and all(reward == -1 and info == {"invalid_action": True} for reward, *_, info in moved)

placed = ends = 0
for _ in range(STEPS):
    _, reward, terminated, truncated, info = env.step(random.randrange(int(env.action_space.n)))
    placed += not info
    ends += terminated or truncated
left = [env.step(action)[4] for action in range(int(env.action_space.n))]
print(f"walls placed in {STEPS} random actions: {placed}, ends: {ends}, pawns at:", env.game.positions)
assert placed == 20 and not ends and env.game.positions == [(4, 0), (4, 8)]
assert all(info == {"invalid_action": True} for info in left)
PYTHON
