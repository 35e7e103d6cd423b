#!/usr/bin/env bash
# A good guess: `ValueIteration(mdp).find_optimal_policy()` of samsara-rl returns the moves that have the greatest
# reward and value together, as it does for the values.
#
# What happens: the values are right, and the policy then takes the move whose next state has the greatest value, and
# leaves out what the move itself pays. A move that wins the game leads to the end, which is worth nothing: it is not
# taken where another leads to a state of any worth, and between two last moves the first is taken. Where all states
# are worth 1, 0.5 and 0, the policy earns 0. `PolicyIteration` improves in the same way, and says itself that its
# policy is worth 0. The grid of the package, which pays -1 for each move, does not show it.
#
# numpy 2.4.6, samsara-rl 0.9.1; December 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check numpy==2.4.6
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check --no-deps samsara-rl==0.9.1
"$folder/venv/bin/python" - <<'PYTHON'
from types import SimpleNamespace

import numpy as np
from samsara_rl.planning.policy_iteration import PolicyIteration
from samsara_rl.planning.value_iteration import ValueIteration

FIRST, SECOND, END = range(3)
WAIT, WIN = range(2)
chances, rewards = np.zeros((3, 2, 3)), np.zeros((3, 2, 3))
chances[FIRST, WAIT, SECOND] = chances[FIRST, WIN, END] = 1
chances[SECOND, :, END] = chances[END, :, END] = 1
rewards[FIRST, WIN, END], rewards[SECOND, WIN, END] = 1, 0.5
game = SimpleNamespace(
    observation_space=SimpleNamespace(n=3),
    action_space=SimpleNamespace(n=2),
    state_action_transition_matrix=chances,
    reward_matrix=rewards,
)


def play(policy):
    """Return what this policy earns from the first state."""
    state, earned = FIRST, 0.0
    while state != END:
        move = policy[state].argmax()
        after = chances[state, move].argmax()
        earned += rewards[state, move, after]
        state = after
    return float(earned)


found = []
for kind in (ValueIteration, PolicyIteration):
    planner = kind(game)
    policy = planner.find_optimal_policy()
    found.append((planner.values.tolist(), policy[:END].argmax(1).tolist(), play(policy)))
print(f"values, moves (1 wins) and earnings by value iteration {found[0]}, by policy iteration {found[1]}")
assert found == [([1, 0.5, 0], [WAIT, WAIT], 0), ([0, 0, 0], [WAIT, WAIT], 0)]
PYTHON
