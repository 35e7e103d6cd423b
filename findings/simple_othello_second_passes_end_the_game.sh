#!/usr/bin/env bash
# A good guess: a game of `Othello` of simple_othello ends when the board is full or both players pass one after the
# other, as neither has a move. A player without a move passes with -1, as its own players do.
#
# What happens: passes are counted by player for the whole game, and the second one ends it, however many moves lie
# between, and though the opponent can move. Of two thousand random games 173 end with moves left, and 22 of those have
# another winner when they are played on at random. `done` is True and the reward is that of the discs on the board, so
# nothing looks amiss. Set both numbers in `env.pass_player` to 0 before each move that is no pass.
#
# simple-othello 1.2.7; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check simple-othello==1.2.7
"$folder/venv/bin/python" - <<'PYTHON'
import random

from simple_othello.config import CFG
from simple_othello.othello import Othello

GAMES = 2000


def winner(env):
    discs = sum(map(sum, env.state))
    return (discs > 0) - (discs < 0)


def mover(env):
    """Return who can move, if anybody, and let that player move next."""
    for player in (env.player, -env.player):
        env.player = player
        if env.get_legal_actions():
            return player
    return None


def play(forget):
    """Return how many games end with moves left, and how many of those have another winner when they are played on."""
    random.seed(0)
    unfinished = changed = 0
    for _ in range(GAMES):
        env = Othello(CFG)
        env.reset()
        done = False
        while not done:
            actions = env.get_legal_actions()
            if forget and actions:
                env.pass_player = dict.fromkeys(env.pass_player, 0)
            _, _, done = env.step(random.choice(actions or [CFG.pass_]))
        seen = winner(env)
        unfinished += mover(env) is not None
        while mover(env):
            env.step(random.choice(env.get_legal_actions()))
        changed += winner(env) != seen
    return unfinished, changed


counted, forgotten = play(forget=False), play(forget=True)
print(f"of {GAMES} random games {counted[0]} ended with moves left, {counted[1]} of them with another winner")
print("where a move sets the counts to 0:", forgotten)
assert counted[0] > 100 and counted[1] > 10 and forgotten == (0, 0)
PYTHON
