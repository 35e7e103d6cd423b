#!/usr/bin/env bash
# A good guess: `black_death_v3`, which lets agents that are out of the game stay with observations of zeros, ends the
# game when every agent has terminated or was truncated, and says which of the two it was.
#
# What happens: it looks for agents that have terminated and were truncated at once. A game that ends in either way goes
# on, as the last step is returned without a flag. One more step follows, in which the environment is handed no action:
# if it allows that, the game then ends with observations of zeros, a reward of 0 and both flags. So the value of the
# last position, and the final reward, are taken for those of a game that goes on, each game is a step too long, and
# termination and truncation are one. End games by a wrapper of your own.
#
# numpy 2.4.6, gymnasium 1.4.0, pettingzoo 1.27.0, supersuit 3.11.0; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 gymnasium==1.4.0 pettingzoo==1.27.0 supersuit==3.11.0
"$folder/venv/bin/python" - <<'PYTHON'
import numpy as np
import supersuit
from gymnasium.spaces import Box, Discrete
from pettingzoo import ParallelEnv


class ThreeSteps(ParallelEnv):
    """A game of two agents in three steps, which player_0 wins."""

    metadata, render_mode = {"name": "three_steps_v0"}, None
    possible_agents = ["player_0", "player_1"]

    def __init__(self, truncates):
        self.truncates = truncates

    def observation_space(self, agent):
        return Box(0, 9, (1,), np.int8)

    def action_space(self, agent):
        return Discrete(2)

    def reset(self, seed=None, options=None):
        self.agents, self.count = self.possible_agents[:], 0
        return {agent: np.full(1, 1, np.int8) for agent in self.agents}, {agent: {} for agent in self.agents}

    def step(self, actions):
        live, self.count = self.agents, self.count + 1
        ends = self.count == 3
        self.agents = [] if ends else live
        return (
            {agent: np.full(1, 1 + self.count, np.int8) for agent in live},
            {agent: (1.0 if agent == "player_0" else -1.0) * ends for agent in live},
            dict.fromkeys(live, ends and not self.truncates),
            dict.fromkeys(live, ends and self.truncates),
            {agent: {} for agent in live},
        )


def play(env):
    """Return what player_0 gets from the third step on: observation, reward, terminated and truncated."""
    env.reset()
    steps = []
    while env.agents:
        parts = env.step(dict.fromkeys(env.agents, 0))[:4]
        steps.append(tuple(np.ravel(part["player_0"])[0].item() for part in parts))
    return steps[2:]


plain = [play(ThreeSteps(truncates)) for truncates in (False, True)]
wrapped = [play(supersuit.black_death_v3(ThreeSteps(truncates))) for truncates in (False, True)]
print("from the third step on, terminated and truncated:", plain, "with black_death_v3:", wrapped)
assert plain == [[(4, 1.0, True, False)], [(4, 1.0, False, True)]]
assert wrapped == [[(4, 1.0, False, False), (0, 0.0, True, True)]] * 2
PYTHON
