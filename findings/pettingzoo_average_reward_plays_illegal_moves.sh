#!/usr/bin/env bash
# A good guess: `average_total_reward` of PettingZoo, which plays random games, keeps to the `action_mask`: there is a
# branch for it. So it returns 0 for a zero-sum game such as tic-tac-toe, for which its documentation calls it unsuited.
#
# What happens: it reads the reward without the observation that holds the mask, so that branch is never reached, and
# any action is played. More than nine of ten games of tic-tac-toe end by a move onto a taken square, which pays -1 to
# one player and nothing to the other, and that is the average too. A mask in `info` is not looked at either, and an
# environment that refuses illegal moves raises. Write the loop, and pass the mask to `action_space(agent).sample`.
#
# numpy 2.4.6, gymnasium 1.4.0, pettingzoo 1.27.0; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 gymnasium==1.4.0 pettingzoo==1.27.0 pygame-ce==2.5.8
PYGAME_HIDE_SUPPORT_PROMPT=1 "$folder/venv/bin/python" -W ignore - <<'PYTHON'
import contextlib
import io
import logging

logging.disable(logging.WARNING)

from pettingzoo.classic import tictactoe_v3
from pettingzoo.utils import average_total_reward

GAMES = 400


def average(make):
    with contextlib.redirect_stdout(io.StringIO()):
        return average_total_reward(make(), max_episodes=GAMES)


def average_legal(make):
    """Return the same of games in which each move is drawn by its mask."""
    env, total = make(), 0
    for _ in range(GAMES):
        env.reset()
        for agent in env.agent_iter():
            observation, reward, termination, truncation, _ = env.last()
            total += reward
            is_over = termination or truncation
            env.step(None if is_over else env.action_space(agent).sample(observation["action_mask"]))
    return total / GAMES


found, legal = average(tictactoe_v3.env), average_legal(tictactoe_v3.env)
try:
    average(tictactoe_v3.raw_env)
except AssertionError as error:
    refusal = str(error)
print("average total reward of tic-tac-toe:", found, "by the masks:", legal, "raw_env:", refusal)
assert -1 < found < -0.85 and legal == 0
PYTHON
