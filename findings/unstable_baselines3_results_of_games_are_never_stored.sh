#!/usr/bin/env bash
# A good guess: `AECAlgorithm` of unstable-baselines3 lets learners of Stable-Baselines3 play a game of PettingZoo. Each
# stores its decisions with what they paid: the last one of a game with the result, and as done.
#
# What happens: a decision is stored when its player is asked again, and a player who is asked once the game is over is
# passed over before that. So the last decision of each player in each game is lost, with the result and the end. Where
# nothing but the result pays, all rewards in the buffers are 0: after 250 games of three decisions each a DQN has 500
# transitions, with no reward and no end among them, and the last one of a game is followed by the first of the next.
# PPO too learns from zeros. Nothing is said. For turns use another library, or a parallel environment and
# `ParallelAlgorithm`, which stores the ends.
#
# numpy 2.4.6, torch 2.13.0, gymnasium 1.4.0, pettingzoo 1.27.0, stable-baselines3 2.9.2, unstable-baselines3
# 0.0.3100069; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 torch==2.13.0 gymnasium==1.4.0 pettingzoo==1.27.0 stable-baselines3==2.9.2 \
  unstable-baselines3==0.0.3100069
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from unstable_baselines3 import AECAlgorithm, WorkerDQN, WorkerPPO

TURNS = 3


class Duel(AECEnv):
    """Both players say 0 or 1 in turns, three times, and the greater sum wins."""

    metadata = {"name": "duel", "is_parallelizable": False}
    possible_agents = ["first", "second"]

    def __init__(self):
        super().__init__()
        self.results = []

    def observation_space(self, agent):
        return spaces.Box(0, 2 * TURNS, (1,), np.float32)

    def action_space(self, agent):
        return spaces.Discrete(2)

    def observe(self, agent):
        return np.array([self.moves], np.float32)

    def reset(self, seed=None, options=None):
        self.agents = self.possible_agents[:]
        self.moves, self.sums, self.agent_selection = 0, dict.fromkeys(self.agents, 0), "first"
        self.rewards, self._cumulative_rewards = dict.fromkeys(self.agents, 0.0), dict.fromkeys(self.agents, 0.0)
        self.terminations, self.truncations = dict.fromkeys(self.agents, False), dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}

    def step(self, action):
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._clear_rewards()
        self._cumulative_rewards[self.agent_selection] = 0.0
        self.sums[self.agent_selection] += int(action)
        self.moves += 1
        if self.moves == 2 * TURNS:
            result = float(np.sign(self.sums["first"] - self.sums["second"]))
            self.results.append(result)
            self.rewards = {"first": result, "second": -result}
            self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        self.agent_selection = self.agents[self.moves % 2]


for worker, settings in ((WorkerDQN, {"buffer_size": 1000}), (WorkerPPO, {"n_steps": 1000})):
    env = Duel()
    algorithm = AECAlgorithm(env=env, workers=None, policy="MlpPolicy", DefaultWorkerClass=worker, seed=0, **settings)
    algorithm.learn(total_timesteps=1500)
    buffer = algorithm.workers["first"].replay_buffer if worker is WorkerDQN else None
    buffer = buffer or algorithm.workers["first"].rollout_buffer
    rewards = buffer.rewards[: buffer.size()]
    ends = buffer.dones[: buffer.size()] if worker is WorkerDQN else buffer.episode_starts[1 : buffer.size()]
    games = len(env.results)
    print(f"{worker.__name__}: games {games}, decided {np.count_nonzero(env.results)},", end=" ")
    print(f"stored decisions {len(rewards)}, rewards {np.unique(rewards)}, ends {int(ends.sum())}")
    assert np.count_nonzero(env.results) > 100
    assert len(rewards) == games * (TURNS - 1) and not rewards.any() and not ends.any()
PYTHON
