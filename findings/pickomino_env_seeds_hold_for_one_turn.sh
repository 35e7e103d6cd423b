#!/usr/bin/env bash
# A good guess: in pickomino-env, Pickomino for Gymnasium, `reset(seed=...)` fixes the dice, so the same actions make
# the same game. A bot whose roll fails gives back its upper tile, and its turn is over, like that of the agent.
#
# What happens: the seed fixes the dice of the agent's first turn alone. After it all dice are drawn anew in each run,
# those of the bots too, so no game can be played again. A bot whose roll fails gives back a tile, and then goes on with
# eight new dice, until it takes a tile or stops: in a third of its turns it has two to five tries. Nothing is said.
# Agents cannot be compared by playing the same dice: play many games.
#
# numpy 2.4.6, gymnasium 1.4.0, pygame-ce 2.5.8, pickomino-env 1.4.1; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 gymnasium==1.4.0 pygame-ce==2.5.8 pickomino-env==1.4.1
export SDL_VIDEODRIVER=dummy PYGAME_HIDE_SUPPORT_PROMPT=1
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import random
from collections import Counter

from pickomino_env.pickomino import PickominoEnv

GAMES = 50


class WatchedEnv(PickominoEnv):
    """Count how often the bot takes or gives back a tile, which ends a turn."""

    tries = 0

    def _step_tiles(self):
        self.tries += self._game.current_player_index
        return super()._step_tiles()


def play():
    """Play a game by the same seed and draws, and return the agent's rolls in each turn, and the bot's tries."""
    random.seed(0)
    env, turns, tries = WatchedEnv(), [[]], []
    observation, _ = env.reset(seed=0)
    over = False
    while not over:
        rolled, collected = observation["dice_rolled"], observation["dice_collected"]
        face = random.choice([face for face in range(6) if rolled[face] and not collected[face]])
        turns[-1].append(tuple(rolled.tolist()))
        env.tries = 0
        stop = random.randrange(2) or sum(collected) + rolled[face] == 8
        observation, _, terminated, truncated, _ = env.step((face, int(stop)))
        over = terminated or truncated
        if env.tries:
            tries.append(env.tries)
            turns.append([])
    return turns, tries


games = [play() for _ in range(GAMES)]
first, second = ({str(turns[turn]) for turns, _ in games} for turn in (0, 1))
tries = Counter(sorted(number for _, tries in games for number in tries))
print(f"of {GAMES} games with seed 0 the first turns are of {len(first)} kind, the second ones of {len(second)} kinds")
print("tries of the bot in its turns:", dict(tries))
assert len(first) == 1 and len(second) > GAMES // 2
assert 0.25 < 1 - tries[1] / tries.total() < 0.45
PYTHON
