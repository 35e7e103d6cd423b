#!/usr/bin/env bash
# A good guess: `BoltzmannQLearner` of OpenSpiel chooses among the legal actions, as `QLearner` does, of which it
# differs in the softmax alone: it is handed them, and its documentation speaks of a valid action.
#
# What happens: while it learns, the softmax is over all actions of the game, and the legal ones are not looked at. In
# Tic-Tac-Toe with three marks on the board each third action is illegal, and the game raises an error. At a temperature
# of 0, and in evaluation, illegal actions are left out. To learn with masks, override `_softmax`.
#
# numpy 2.4.6, open_spiel 2.0.2; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check numpy==2.4.6 open_spiel==2.0.2
"$folder/venv/bin/python" - <<'PYTHON'
import numpy as np
from open_spiel.python import rl_environment
from open_spiel.python.algorithms.boltzmann_tabular_qlearner import BoltzmannQLearner
from open_spiel.python.algorithms.tabular_qlearner import QLearner

CHOICES = 300

np.random.seed(1)
env = rl_environment.Environment("tic_tac_toe", enable_legality_check=True)
env.reset()
for action in (0, 1, 2):
    time_step = env.step([action])
legal = time_step.observations["legal_actions"][1]
assert time_step.current_player() == 1 and legal == [3, 4, 5, 6, 7, 8]


def count_illegal(learner, is_evaluation):
    """Return how many choices of a new agent are illegal."""
    choices = [
        learner(player_id=1, num_actions=9).step(time_step, is_evaluation).action not in legal for _ in range(CHOICES)
    ]
    return sum(choices)


counts = {
    learner.__name__: [count_illegal(learner, is_evaluation) for is_evaluation in (False, True)]
    for learner in (QLearner, BoltzmannQLearner)
}
print(f"illegal of {CHOICES} choices, learning and in evaluation:", counts)
assert counts["QLearner"] == [0, 0]
assert 0.25 < counts["BoltzmannQLearner"][0] / CHOICES < 0.42 and counts["BoltzmannQLearner"][1] == 0
probs = BoltzmannQLearner(player_id=1, num_actions=9).step(time_step).probs
assert np.allclose(probs, 1 / 9)
PYTHON
