#!/usr/bin/env bash
# A good guess: `DQN` of OpenSpiel for PyTorch comes down from `epsilon_start` to `epsilon_end` in
# `epsilon_decay_duration` steps, by the schedule it has as a default, as by the other one that it offers.
#
# What happens: by the default, `"exp"`, it falls by a factor of e in all that time, and stands still from then on: from
# 1 and 0.1 it ends at 0.43, however long one learns, so at two moves in five the agent plays at random to the end, and
# what is in its buffer are games of such players. The one of `open_spiel.python.jax.dqn`, which has the same name,
# falls on. Pass `epsilon_decay_schedule_str="linear"`.
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
from open_spiel.python import rl_environment
from open_spiel.python.pytorch.dqn import DQN

DURATION, CHOICES = 200, 1000


def explore(**options):
    """Return epsilon at some steps, and the share of choices that were not greedy long after the decay."""
    agent = DQN(0, 27, 9, (8,), epsilon_decay_duration=DURATION, learn_every=10**9, **options)
    time_step = rl_environment.Environment("tic_tac_toe").reset()._replace(rewards=[0.0, 0.0])
    best = agent.step(time_step, is_evaluation=True).action
    actions = [agent.step(time_step).action for _ in range(5 * DURATION + CHOICES)][-CHOICES:]
    # Of nine legal actions that are drawn at random, one is the best.
    share = np.mean([action != best for action in actions]) * 9 / 8
    epsilons = [round(float(agent.epsilon_schedule(step)), 3) for step in (0, DURATION, 10 * DURATION)]
    return epsilons, round(float(share), 2)


default, linear = explore(), explore(epsilon_decay_schedule_str="linear")
print(f"epsilon at the steps 0, {DURATION} and {10 * DURATION}, and share of random choices after {5 * DURATION}:")
print("by default:", *default, "linear:", *linear)
assert default[0] == [1.0, 0.431, 0.431] and abs(default[1] - 0.431) < 0.06
assert linear[0] == [1.0, 0.1, 0.1] and abs(linear[1] - 0.1) < 0.04
PYTHON
