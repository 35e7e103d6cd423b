#!/usr/bin/env bash
# A good guess: `last()` of cathedral-rl, Cathedral for PettingZoo, returns what a player was paid since its last turn,
# as in other games: small rewards for pieces and territory, and 1 or -1 at the end. When nobody can place a piece,
# the game is over for both players, and the one with fewer squares left has won.
#
# What happens: nothing is ever set back. What a player was paid for a move is paid again for the opponent's, and
# `last()` returns the sum since the game began. The result comes after the sums, and is in none of them: it is in
# `rewards` alone, right after the last move. Most games do not come to that: only who moved last is told of an end,
# `winner` stays -1, and after that player's step with None `last()` raises a KeyError. So end 17 of 20 random games.
# Look into `legal_moves` after each step, and read `board.check_for_winner()` once nobody has any.
#
# numpy 1.26.4, gymnasium 0.29.1, pygame 2.6.1, pettingzoo 1.24.3, cathedral-rl 1.1.0; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==1.26.4 gymnasium==0.29.1 pygame==2.6.1 pettingzoo==1.24.3
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check --no-deps cathedral-rl==1.1.0
export SDL_VIDEODRIVER=dummy PYGAME_HIDE_SUPPORT_PROMPT=1
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import random

import numpy as np
from cathedral_rl import cathedral_v0

GAMES = 20

env = cathedral_v0.env()
game = env.unwrapped
without_result, ends, sums = 0, [], True
for seed in range(GAMES):
    random.seed(seed)
    env.reset()
    paid = dict.fromkeys(env.agents, 0)
    while not any(env.terminations.values()):
        mover, rewards = env.agent_selection, dict(game.rewards)
        observation, reward, *_ = env.last()
        sums &= reward == paid[mover]
        env.step(random.choice(np.flatnonzero(observation["action_mask"])))
        if game.winner < 0:
            paid = {player: paid[player] + reward for player, reward in game.rewards.items()}
    if game.winner < 0:
        without_result += not all(env.terminations.values())
        continue
    waiting = game.possible_agents[1 - game.possible_agents.index(mover)]
    before, result, returned = paid[waiting] + rewards[waiting], game.rewards[waiting], {}
    for _ in range(2):
        returned[env.agent_selection] = env.last()[1]
        env.step(None)
    ends.append((result, before, returned[waiting]))
print(f"of {GAMES} games {without_result} end without a result; last() returns the sum of all before: {sums}")
print("result of who waits at the end, its sum without it, and what last() returns:", *ends)
assert without_result == 17 and sums and all(before == after for _, before, after in ends)
assert {result for result, _, _ in ends} == {-1}
PYTHON
