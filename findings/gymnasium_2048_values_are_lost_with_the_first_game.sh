#!/usr/bin/env bash
# A good guess: both kinds of policies of gymnasium-2048 learn from whole games, step by step, the last one too, by
# `learn(state, action, reward, next_state, learning_rate)`: where no tile can move nothing more is won, so the value of
# that position is 0.
#
# What happens: `NTupleNetworkTDPolicy` counts 0 there, and `NTupleNetworkQLearningPolicy` minus infinity. So from the
# last step of the first game on, weights of the action that was played are minus infinity, other positions that look
# like it in one corner are worth no more, and where the error is taken of two such values weights are NaN. After ten
# games that are played at random 98 of 100 values in other games are NaN, and `predict` takes the first of those. Leave
# out last steps, which the policy cannot learn from.
#
# numpy 2.4.6, gymnasium 1.3.0, pygame 2.6.1, gymnasium-2048 0.1.2; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 gymnasium==1.3.0 pygame==2.6.1 gymnasium-2048==0.1.2
export PYGAME_HIDE_SUPPORT_PROMPT=1
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import random

import numpy as np
from gymnasium_2048.agents.ntuple import NTupleNetworkQLearningPolicy, NTupleNetworkTDPolicy
from gymnasium_2048.envs import TwentyFortyEightEnv

GAMES = 10


def play(env, seed, learn=None):
    """Play a random game, learn from each step, and return the positions with the actions that were legal there."""
    random.seed(seed)
    positions, terminated = [], False
    board = env.reset(seed=seed)[1]["board"].copy()
    while not terminated:
        legal = [action for action in range(4) if env.apply_action(board, action)[2]]
        positions.append((board, legal))
        action = random.choice(legal)
        _, reward, terminated, _, info = env.step(action)
        next_board = info["board"].copy()
        if learn:
            learn(board, action, reward, next_board, 0.01)
        board = next_board
    return positions


env, seen = TwentyFortyEightEnv(), {}
for make in (NTupleNetworkTDPolicy, NTupleNetworkQLearningPolicy):
    policy, name = make(), make.__name__
    for games in range(1, GAMES + 1):
        play(env, games, policy.learn)
        if games in (1, GAMES):
            values = [
                policy.evaluate(board, action)
                for seed in range(100, 110)
                for board, legal in play(env, seed)
                for action in legal
            ]
            seen[name, games] = np.mean(~np.isfinite(values)), np.mean(np.isnan(values))
            print(f"{name} after {games} games: not finite, NaN", *np.round(seen[name, games], 3))
assert not any(seen["NTupleNetworkTDPolicy", games] != (0, 0) for games in (1, GAMES))
assert seen["NTupleNetworkQLearningPolicy", 1][0] > 0 and seen["NTupleNetworkQLearningPolicy", GAMES][1] > 0.9
PYTHON
