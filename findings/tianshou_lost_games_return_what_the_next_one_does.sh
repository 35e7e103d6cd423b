#!/usr/bin/env bash
# A good guess: `MultiAgentOnPolicyAlgorithm` of Tianshou gives each player's decisions the return of their game: who
# loses by the other's last move gets -1 for the decisions before, with `gamma` and `gae_lambda` of 1.
#
# What happens: each player's own steps are taken out of the buffer and put behind one another. A reward that comes in
# the other's step is lost, and so is the end of the game: only the last step is marked as such, and it is the other's.
# So the returns and advantages of who does not move last run on into the next game. A lost game that is followed by a
# won one has +1, a lost one at the end of what was collected 0, and no decision at all has -1, where all losses come by
# the other's move. The collector's statistics have the -1. It holds for all algorithms that learn from advantages (A2C,
# PPO). Train one learner against an opponent that is a part of the environment.
#
# numpy 2.4.6, torch 2.13.0, gymnasium 1.4.0, pettingzoo 1.27.0, tianshou 2.0.1; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 torch==2.13.0 gymnasium==1.4.0 pettingzoo==1.27.0 tianshou==2.0.1
(cd "$folder" && "$folder/venv/bin/python" -W ignore) <<'PYTHON'
import logging

import numpy as np
import torch
from gymnasium.spaces import Box, Discrete
from pettingzoo import AECEnv

logging.disable(logging.WARNING)

from tianshou.algorithm import A2C
from tianshou.algorithm.modelfree.reinforce import ProbabilisticActorPolicy
from tianshou.algorithm.multiagent.marl import MultiAgentOnPolicyAlgorithm
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv

PLAYERS = ("first", "second")


class LastMoveWins(AECEnv):
    """Has two players move in turn; whoever makes the last move wins, after four moves, then three, then four."""

    metadata, render_mode, possible_agents = {"name": "last_move_wins"}, None, list(PLAYERS)
    lengths = iter(())

    def observation_space(self, agent):
        return Box(0, 9, (1,))

    def action_space(self, agent):
        return Discrete(2)

    def observe(self, agent):
        return np.full(1, self.moves, np.float32)

    def reset(self, seed=None, options=None):
        self.agents, self.agent_selection, self.moves = list(PLAYERS), "first", 0
        self.length = next(self.lengths, 4)
        self.rewards, self._cumulative_rewards = dict.fromkeys(PLAYERS, 0), dict.fromkeys(PLAYERS, 0)
        self.terminations, self.truncations = dict.fromkeys(PLAYERS, False), dict.fromkeys(PLAYERS, False)
        self.infos = {player: {} for player in PLAYERS}

    def step(self, action):
        mover, other = self.agent_selection, PLAYERS[1 - PLAYERS.index(self.agent_selection)]
        self._cumulative_rewards[mover] = 0
        self._clear_rewards()
        self.moves += 1
        if self.moves == self.length:
            self.rewards, self.terminations = {mover: 1, other: -1}, dict.fromkeys(PLAYERS, True)
        self._accumulate_rewards()
        self.agent_selection = other


class Zero(torch.nn.Module):
    def __init__(self, outputs):
        super().__init__()
        self.bias = torch.nn.Parameter(torch.zeros(outputs))

    def forward(self, obs, state=None, info=None):
        zeros = self.bias.repeat(len(obs), 1)
        return (zeros, state) if len(self.bias) > 1 else zeros


def make_learner():
    policy = ProbabilisticActorPolicy(
        actor=Zero(2),
        dist_fn=lambda logits: torch.distributions.Categorical(logits=logits),
        action_space=Discrete(2),
        action_scaling=False,
    )
    return A2C(policy=policy, critic=Zero(1), optim=AdamOptimizerFactory(lr=1e-3), gamma=1.0, gae_lambda=1.0)


env = PettingZooEnv(LastMoveWins())
learners = MultiAgentOnPolicyAlgorithm(algorithms=[make_learner(), make_learner()], env=env)
collector = Collector(learners.policy, DummyVectorEnv([lambda: env]), VectorReplayBuffer(100, 1))
LastMoveWins.lengths = iter([4, 3, 4])
collector.reset()
played = collector.collect(n_episode=3)
batch, indices = collector.buffer.sample(0)
prepared = learners._preprocess_batch(batch, collector.buffer, indices)
results = played.returns.tolist()
returns = {player: prepared[player].returns.tolist() for player in PLAYERS}
print("results of three games:", results, "returns of each player's decisions:", returns)
assert results == [[-1, 1], [1, -1], [-1, 1]]
assert returns == {"first": [1, 1, 1, 1, 0, 0], "second": [1, 1, 1, 1, 1]}
PYTHON
