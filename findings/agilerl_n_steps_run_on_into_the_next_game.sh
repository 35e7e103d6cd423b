#!/usr/bin/env bash
# A good guess: `MultiStepReplayBuffer` of AgileRL ends a sum of n rewards with the game. What begins with the last
# decision is that decision alone: its reward, and `done`. Games that are played at once do not touch each other.
#
# What happens: it looks for `done` from the second decision on. From the last decision of a game it goes on into the
# next one: it adds the rewards of that game's first decisions, stores a position of that game as the next one, and
# leaves `done` out. So of each game the one decision whose value is known is learned as one that goes on, and a loss is
# followed by the prospects of another deal. And where games are played at once, the end of any of them ends the sums of
# all, while what follows is discounted as after n decisions. Sums of one game that begin before its last decision are
# right. Use one step, or another buffer.
#
# numpy 2.4.6, torch 2.13.0, gymnasium 1.4.0, tensordict 0.13.0, agilerl 2.58.0; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 torch==2.13.0 gymnasium==1.4.0 accelerate==1.14.0 pydantic==2.14.4 dill==0.4.1 lazy-loader==0.6 \
  tensordict==0.13.0
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check --no-deps \
  agilerl==2.58.0 agilerl-arena==1.29.0
"$folder/venv/bin/python" -W ignore - 2>"$folder/log" <<'PYTHON' || { cat "$folder/log"; exit 1; }
import torch
from agilerl.components.replay_buffer import MultiStepReplayBuffer
from tensordict import TensorDict


def fill(lengths, steps):
    """Return a buffer of sums of three rewards after games of these lengths, each of which is won at its end.

    There is a length for each of the games that are played at once. Positions are numbered: 10,000 for each of these,
    100 for each game that ended before, and 1 for each decision.
    """
    buffer = MultiStepReplayBuffer(100, n_step=3, gamma=1.0)
    games, decisions = [0] * len(lengths), [0] * len(lengths)
    for _ in range(steps):
        seen = [1e4 * at + 100 * game + decision for at, (game, decision) in enumerate(zip(games, decisions))]
        over = [float(decision + 1 == length) for decision, length in zip(decisions, lengths)]
        parts = {"obs": seen, "next_obs": [position + 1 for position in seen], "reward": over, "done": over}
        buffer.add(TensorDict({name: torch.tensor(part) for name, part in parts.items()}, [len(lengths)]))
        games = [game + int(end) for game, end in zip(games, over)]
        decisions = [0 if end else decision + 1 for decision, end in zip(decisions, over)]
    return {
        int(buffer.storage["obs"][row]): tuple(
            buffer.storage[name][row].item() for name in ("reward", "next_obs", "done")
        )
        for row in range(len(buffer))
    }


lone = fill([4], 8)
print("rewards of three decisions, next position, done, of a game of 4:", {place: lone[place] for place in range(4)})
assert lone[1] == (1.0, 4.0, 1.0) and lone[2] == (1.0, 4.0, 1.0)
assert lone[3] == (1.0, 102.0, 0.0)
short = fill([1], 6)
print("of a game of one decision:", short[0])
assert short[0] == (2.0, 101.0, 1.0)
two = fill([6, 2], 6)
print("of a game of 6 beside one of 2:", {place: two[place] for place in range(4)})
assert two[0] == (0.0, 2.0, 0.0)
PYTHON
