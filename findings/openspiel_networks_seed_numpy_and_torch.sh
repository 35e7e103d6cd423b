#!/usr/bin/env bash
# A good guess: who calls `np.random.seed` and `torch.manual_seed` with the number of a run, and then makes OpenSpiel's
# agents, gets another run for each number, and two agents that begin with other weights.
#
# What happens: each `MLP` of `open_spiel.python.pytorch.dqn` that is made seeds NumPy, PyTorch and CUDA, by 42 if
# nothing is passed: two for each `DQN`, and more for `NFSP`. What was set before is gone. So all runs are the same game
# for game, a comparison over ten seeds is one over one, and both players begin with the same weights. An agent that is
# made in the course of a run, such as a copy or a new opponent, sets everything back: the same numbers are drawn again.
# Pass another `seed` to each agent, and seed after the last one is made.
#
# numpy 2.4.6, torch 2.13.0, dm-tree 0.1.10, open_spiel 2.0.2; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 torch==2.13.0 dm-tree==0.1.10 open_spiel==2.0.2
OMP_NUM_THREADS=1 "$folder/venv/bin/python" -W ignore - <<'PYTHON'
import numpy as np
import torch
from open_spiel.python import rl_environment
from open_spiel.python.pytorch.dqn import DQN

ENV = rl_environment.Environment("tic_tac_toe")


def make(player, **options):
    return DQN(player, 27, 9, (8,), **options)


def play(agents):
    """Return the moves of a game."""
    moves, time_step = [], ENV.reset()
    while not time_step.last():
        moves.append(int(agents[time_step.current_player()].step(time_step).action))
        time_step = ENV.step(moves[-1:])
    return tuple(moves)


def run(number, options):
    """Return the moves of the first game of a run, and whether both players begin with the same weights."""
    np.random.seed(number)
    torch.manual_seed(number)
    agents = [make(player, **options(number, player)) for player in range(2)]
    weights = [torch.nn.utils.parameters_to_vector(agent._q_network.parameters()) for agent in agents]
    return play(agents), torch.equal(*weights)


runs = [run(number, lambda number, player: {}) for number in range(3)]
seeded = [run(number, lambda number, player: {"seed": 2 * number + player}) for number in range(3)]
print("first games of three runs:", [list(moves) for moves, _ in runs], "same weights:", [same for _, same in runs])
print("with seeds passed:", [list(moves) for moves, _ in seeded], "same weights:", [same for _, same in seeded])
assert len(set(runs)) == 1 and runs[0][1]
assert len({moves for moves, _ in seeded}) == 3 and not any(same for _, same in seeded)

np.random.seed(1)
drawn = []
for _ in range(2):
    make(0)
    drawn.append(np.random.random(2).round(3).tolist())
print("numbers drawn after one agent is made, and after the next:", drawn)
assert drawn[0] == drawn[1] == [0.375, 0.951]
PYTHON
