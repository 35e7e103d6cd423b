#!/usr/bin/env bash
# A good guess: `DQNAgent.from_checkpoint` and `NFSPAgent.from_checkpoint` of RLCard go on as the agents that were
# saved: an agent that has come to a random action in ten keeps to that, and NFSP has both of its networks again.
#
# What happens: a checkpoint of DQN holds the least epsilon as the one to start with, and the greatest as the one to end
# with. A restored agent explores more with each step, up to random play at `epsilon_decay_steps`, and one that was
# saved after its decay plays at random at once. Of NFSP the average policy is restored, but not the best response: that
# network is built from the checkpoint and thrown away, and a new one with random weights and an empty memory stays.
# Greedy evaluation of DQN is right, and so is that of NFSP's average policy, so neither shows it. Set `epsilons` after
# loading, and `_rl_agent` to `DQNAgent.from_checkpoint(checkpoint["rl_agent"])`.
#
# numpy 2.4.6, torch 2.13.0, rlcard 1.2.0; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  setuptools==80.9.0 numpy==2.4.6 torch==2.13.0 termcolor==3.3.0 rlcard==1.2.0
OMP_NUM_THREADS=1 "$folder/venv/bin/python" -W ignore - "$folder" <<'PYTHON'
import contextlib
import sys

import numpy as np
import torch
from rlcard.agents import DQNAgent, NFSPAgent

CPU, ACTIONS = torch.device("cpu"), range(4)
STATE = {"obs": np.ones(3), "legal_actions": dict.fromkeys(ACTIONS), "raw_legal_actions": list(ACTIONS)}


def restore(agent):
    """Return an agent that was saved to a file and loaded from it."""
    with contextlib.redirect_stdout(None):
        agent.save_checkpoint(sys.argv[1], "agent.pt")
        return type(agent).from_checkpoint(torch.load(f"{sys.argv[1]}/agent.pt", weights_only=False))


def list_epsilons(agent):
    return [round(float(agent.epsilons[step]), 2) for step in (0, 50, 99)]


def count_greedy(agent):
    """Return how many of a thousand actions are the best ones."""
    np.random.seed(1)
    best, _ = agent.eval_step(STATE)
    return sum(agent.step(STATE) == best for _ in range(1000))


sizes = {"num_actions": len(ACTIONS), "state_shape": [3], "device": CPU}
saved = DQNAgent(**sizes, mlp_layers=[8], epsilon_start=1.0, epsilon_end=0.1, epsilon_decay_steps=100)
saved.total_t = 100
loaded = restore(saved)
print("DQN's epsilon at the steps 0, 50 and 99, before:", list_epsilons(saved), "and after:", list_epsilons(loaded))
print("greedy actions of 1000 after the decay, before:", count_greedy(saved), "and after:", count_greedy(loaded))
assert list_epsilons(saved) == [1.0, 0.55, 0.1] and list_epsilons(loaded) == [0.1, 0.55, 1.0]
assert np.array_equal(saved.predict(STATE), loaded.predict(STATE)) and loaded.total_t == 100
assert count_greedy(saved) > 880 and count_greedy(loaded) < 350

torch.manual_seed(1)
saved = NFSPAgent(**sizes, hidden_layers_sizes=[8], q_mlp_layers=[8])
loaded = restore(saved)
average = np.array_equal(saved._act(STATE["obs"]), loaded._act(STATE["obs"]))
response = np.array_equal(saved._rl_agent.predict(STATE), loaded._rl_agent.predict(STATE))
print("NFSP is the same after loading, average policy:", average, "best response:", response)
assert average and not response
PYTHON
