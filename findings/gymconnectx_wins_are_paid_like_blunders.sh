#!/usr/bin/env bash
# A good guess: `ConnectGameEnv` of gymconnectx pays 1 to who wins and -1 to who loses, by `reward_winner` and
# `reward_loser`. Lesser rewards guide an agent on the way: -0.5, `reward_hell`, for leaving the opponent a move that
# wins, and 0.75, `reward_win_prob`, for a good column.
#
# What happens: those lesser rewards overwrite the last one, too. Whoever wins while the opponent had a move to win next
# is paid -0.5 for it, though the game is over, and whoever wins in the best cell of the board 0.75. Of 500 random games
# on 7 by 6 cells 261 winning moves are paid -0.5, 213 are paid 1, and 25 are paid 0.75. Losers have their -1. So an
# agent learns to block rather than to win. Nothing is said. Lesser rewards of 0 are no help, as then such wins are paid
# 0. Take the winner from `env.winner` at the end.
#
# numpy 2.4.6, pygame 2.6.1, gymnasium 1.4.0, gymconnectx 2.0.0; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 pygame==2.6.1 gymnasium==1.4.0 gymconnectx==2.0.0
export SDL_VIDEODRIVER=dummy SDL_AUDIODRIVER=dummy PYGAME_HIDE_SUPPORT_PROMPT=1
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import random
from collections import Counter

from gymconnectx.envs import ConnectGameEnv

GAMES = 500


def last_rewards(**settings):
    """Return what winners and losers are paid for the last moves of random games."""
    random.seed(0)
    env, winners, losers = ConnectGameEnv(height=6, **settings), Counter(), Counter()
    for _ in range(GAMES):
        env.reset()
        terminated = False
        while not terminated:
            _, rewards, terminated, _, _ = env.step(random.choice(env.get_moves()))
        if env.winner >= 0:
            winners[rewards[f"player_{env.winner + 1}"]] += 1
            losers[rewards[f"player_{2 - env.winner}"]] += 1
    return dict(winners), dict(losers)


winners, losers = last_rewards()
plain, _ = last_rewards(reward_hell=0, reward_hell_prob=0, reward_win_prob=0)
print(f"rewards of winners in {GAMES} random games: {winners}, of losers: {losers}")
print("of winners without lesser rewards:", plain)
assert set(winners) == {1, 0.75, -0.5} and winners[-0.5] > 200 and set(losers) == {-1} and set(plain) == {1, 0}
PYTHON
