#!/usr/bin/env bash
# A good guess: `frame_stack_v1` returns a new array at each step, as Gymnasium's `FrameStackObservation` does, so
# observations can be kept in a list, or in a replay buffer, until they are learned from.
#
# What happens: it returns one array for each agent again and again, and shifts it in place at the next step. An
# observation and the one after it are the same array, and a list of a whole game holds its last observation only. It is
# so for environments of PettingZoo and of Gymnasium. Copy what you keep.
#
# numpy 2.4.6, gymnasium 1.4.0, pettingzoo 1.27.0, supersuit 3.11.0; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 gymnasium==1.4.0 pettingzoo==1.27.0 supersuit==3.11.0
"$folder/venv/bin/python" - <<'PYTHON'
import gymnasium
import numpy as np
import supersuit
from gymnasium.spaces import Box, Discrete
from gymnasium.wrappers import FrameStackObservation
from pettingzoo import ParallelEnv

SEEN, CHOICES = Box(0, 9, (1,), np.int8), Discrete(2)


class Counts(gymnasium.Env):
    """Observes how many steps were made."""

    observation_space, action_space = SEEN, CHOICES

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.count = 0
        return np.full(1, 0, np.int8), {}

    def step(self, action):
        self.count += 1
        return np.full(1, self.count, np.int8), 0.0, False, False, {}


class CountsForOne(ParallelEnv):
    """The same for an agent of PettingZoo."""

    metadata, possible_agents, render_mode = {"name": "counts_v0"}, ["player_0"], None

    def __init__(self):
        self.game = Counts()

    def observation_space(self, agent):
        return SEEN

    def action_space(self, agent):
        return CHOICES

    def reset(self, seed=None, options=None):
        self.agents = ["player_0"]
        return {"player_0": self.game.reset()[0]}, {"player_0": {}}

    def step(self, actions):
        return tuple({"player_0": part} for part in self.game.step(actions["player_0"]))


def keep(env, action, read):
    """Return the stack of each of the first observations, as they are after all steps."""
    kept = [read(env.reset()[0])] + [read(env.step(action)[0]) for _ in range(3)]
    return [observation.ravel().tolist() for observation in kept]


gymnasium_own = keep(FrameStackObservation(Counts(), 2), 0, lambda seen: seen)
stacked = keep(supersuit.frame_stack_v1(Counts(), 2), 0, lambda seen: seen)
of_agent = keep(supersuit.frame_stack_v1(CountsForOne(), 2), {"player_0": 0}, lambda seen: seen["player_0"])
print("four stacks of two, kept in a list: Gymnasium's", gymnasium_own, "SuperSuit's", stacked, of_agent)
assert gymnasium_own == [[0, 0], [0, 1], [1, 2], [2, 3]]
assert stacked == of_agent == [[2, 3]] * 4
PYTHON
