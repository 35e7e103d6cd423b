#!/usr/bin/env bash
# A good guess: `DMCTrainer(env, is_pettingzoo_env=True)` of RLCard, Deep Monte-Carlo, learns from each decision of a
# game what its player has got by the end, as it does in RLCard's own games, where that is the payoff.
#
# What happens: the target of all decisions is what came after the player's last one, and no reward before that counts.
# With one reward at the end that is right; of 5, 4, 3 and 2 points it is 2. The mean return that is logged is that last
# reward too. PettingZoo's step after the end is learned as one more decision, with all actions played at once. And what
# is learned from is held as int8: 0.9 is 0 there and 150 is -106, while actions are chosen by the numbers as they are.
# Learn with rewards at the end alone, and give RLCard observations of whole numbers up to 127.
#
# numpy 2.4.6, torch 2.13.0, gymnasium 1.4.0, pettingzoo 1.27.0, rlcard 1.2.0; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  setuptools==80.9.0 numpy==2.4.6 torch==2.13.0 gymnasium==1.4.0 pettingzoo==1.27.0 \
  termcolor==3.3.0 GitPython==3.2.1 rlcard==1.2.0
OMP_NUM_THREADS=1 "$folder/venv/bin/python" -W ignore - 2>/dev/null <<'PYTHON'
import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from pettingzoo import AECEnv
from rlcard.agents.dmc_agent.pettingzoo_model import DMCModelPettingZoo
from rlcard.agents.dmc_agent.pettingzoo_utils import act_pettingzoo, create_buffers_pettingzoo

POINTS = [5, 4, 3, 2]  # of each player's decisions, one after the other


class Game(AECEnv):
    """Two players take turns, and get points for each move."""

    metadata, possible_agents = {"name": "game"}, ["first", "second"]

    def observation_space(self, agent):
        return Dict(observation=Box(0, 200, (2,), np.float32), action_mask=Box(0, 1, (3,), np.int8))

    def action_space(self, agent):
        return Discrete(3)

    def observe(self, agent):
        return {"observation": np.array([self.turn / 10, 150], np.float32), "action_mask": np.ones(3, np.int8)}

    def reset(self, seed=None, options=None):
        self.agents, self.turn, self.agent_selection = self.possible_agents[:], 0, "first"
        self.rewards, self._cumulative_rewards = dict.fromkeys(self.agents, 0), dict.fromkeys(self.agents, 0)
        self.terminations, self.truncations = dict.fromkeys(self.agents, False), dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}

    def step(self, action):
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0
        self.rewards = dict.fromkeys(self.agents, 0) | {agent: POINTS[self.turn // 2]}
        self.turn += 1
        self.terminations = dict.fromkeys(self.agents, self.turn == 2 * len(POINTS))
        self._accumulate_rewards()
        self.agent_selection = self.possible_agents[self.turn % 2]


class Numbers:
    """Hands out the number of the only buffer, and then asks the actor to stop."""

    def __init__(self):
        self.numbers = [0]

    def get(self):
        if not self.numbers:
            raise KeyboardInterrupt
        return self.numbers.pop()

    def put(self, number):
        pass


env, steps = Game(), len(POINTS) + 1
env.reset()
model = DMCModelPettingZoo(env, mlp_layers=[8], device="cpu")
buffers = create_buffers_pettingzoo(steps, 1, env, ["cpu"])["cpu"]
queues = [[Numbers(), Numbers()] for _ in range(2)]
act_pettingzoo(0, "cpu", steps, *queues, model, buffers, env)
learned = {key: buffer[0].tolist() for key, buffer in buffers[0].items()}
returned = learned["episode_return"][learned["done"].index(True)]
print("points:", POINTS, "targets:", learned["target"], "return:", returned)
print("first cells:", [cell for cell, _ in learned["state"]], "second:", {cell for _, cell in learned["state"]})
print("actions:", learned["action"])
assert learned["target"] == [POINTS[-1]] * steps and learned["done"] == [False] * len(POINTS) + [True]
assert learned["episode_return"] == [0, *POINTS]
assert [sum(action) for action in learned["action"]] == [1] * len(POINTS) + [3]
assert learned["state"] == [[0, -106]] * steps
PYTHON
