#!/usr/bin/env bash
# A good guess: `observe(agent)` of an environment wrapped by SuperSuit shows what that agent sees now, whoever is to
# move, as without a wrapper, and with wrappers that change observations.
#
# What happens: `frame_stack_v1`, `delay_observations_v0`, `max_observation_v0` and `sticky_actions_v0`, though that one
# changes actions alone, keep what an agent saw when it was last selected, and return that: who waits sees the board of
# its own last turn. Before its first turn AttributeError is raised, but for frame stacks, which are empty. `last` is
# right, as it asks for the selected agent. So a critic of both players' observations, or a recorder, is one move
# behind, and nothing is said. `dtype_v0`, `flatten_v0`, `reshape_v0` and the like are right. Observe the inner
# environment.
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
from pettingzoo import AECEnv


class Counts(AECEnv):
    """Two agents in turns, who both observe how many moves were made."""

    metadata, render_mode = {"name": "counts_v0"}, None
    possible_agents = ["player_0", "player_1"]

    def observation_space(self, agent):
        return Box(0, 9, (1,), np.int8)

    def action_space(self, agent):
        return Discrete(2)

    def reset(self, seed=None, options=None):
        self.agents, self.count, self.agent_selection = self.possible_agents[:], 0, "player_0"
        self.rewards, self._cumulative_rewards = dict.fromkeys(self.agents, 0), dict.fromkeys(self.agents, 0)
        self.terminations, self.truncations = dict.fromkeys(self.agents, False), dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}

    def observe(self, agent):
        return np.full(1, self.count, np.int8)

    def step(self, action):
        self.count += 1
        self.agent_selection = self.possible_agents[self.count % 2]


def observe_both(env):
    """Return what both see after three moves, when player_1 is to move."""
    env.reset(seed=1)
    for _ in range(3):
        env.last()
        env.step(0)
    return [int(env.observe(agent).ravel()[-1]) for agent in env.possible_agents]


seen = {
    "no wrapper": observe_both(Counts()),
    "dtype_v0": observe_both(supersuit.dtype_v0(Counts(), np.float32)),
    "frame_stack_v1": observe_both(supersuit.frame_stack_v1(Counts(), 2)),
    "delay_observations_v0": observe_both(supersuit.delay_observations_v0(Counts(), 0)),
    "max_observation_v0": observe_both(supersuit.max_observation_v0(Counts(), 1)),
    "sticky_actions_v0": observe_both(supersuit.sticky_actions_v0(Counts(), 0.0)),
}
print("moves that player_0, who waits, and player_1 see after three:", seen)
assert seen.pop("no wrapper") == seen.pop("dtype_v0") == [3, 3]
assert all(both == [2, 3] for both in seen.values())
PYTHON
