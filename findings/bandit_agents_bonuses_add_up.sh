#!/usr/bin/env bash
# A good guess: `UCBSolver` of bandit-agents chooses by the value of an agent plus a bonus for doubt, and the value
# itself is an average of what was paid. An agent that always loses is soon left alone.
#
# What happens: each step writes value and bonus back as the new value of every agent, and the next bonus comes on
# top. Who is not chosen rises with each game until it is chosen again, so that of 1000 games 446 are given to an agent
# that always loses, where it would be 6 with the same values, bonuses and steps, added when choosing. The weights lie
# far above all that was paid: after 1000 recorded games, 900 of them won by one agent, its weight is 10.6. A smaller
# `confidence` only slows it down. Nothing is said.
#
# numpy 2.1.3, scipy 1.14.1, bandit-agents 0.5.23; December 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check bandit-agents==0.5.23
"$folder/venv/bin/python" - <<'PYTHON'
import numpy as np
from BanditAgents.src.solvers.ucb_solver import UCBSolver

PAYS, STEP, GAMES = np.array([1.0, 0.0]), 0.1, 1000


def play(confidence=1.0):
    """Return how many of the games go to the agent that always loses, by the solver and by plain UCB."""
    np.random.seed(0)
    solver, counts = UCBSolver(["wins", "loses"], step_size=STEP, confidence=confidence), np.zeros(2, int)
    for _ in range(GAMES):
        agent = solver.predict()
        solver.fit(np.array([agent]), PAYS[[agent]])
        counts[agent] += 1
    values, plain = np.zeros(2), np.zeros(2, int)
    for game in range(GAMES):
        bonuses = confidence * np.sqrt(np.log(max(game, 1)) / np.maximum(plain, 1))
        agent = (values + bonuses).argmax()
        values[agent] += STEP * (PAYS[agent] - values[agent])
        plain[agent] += 1
    return int(counts[1]), int(plain[1])


lost, careful = play(), play(confidence=0.1)
recorded = UCBSolver(["wins", "loses"], step_size=STEP)
agents = np.array([0] * 900 + [1] * 100)
weights = recorded.fit(agents, PAYS[agents]).weights.round(1).tolist()
print(f"of {GAMES} games, to who always loses, by solver and plain UCB: {lost}, confidence 0.1 {careful};", end=" ")
print(f"weights of recorded games that paid 1 and 0: {weights}")
assert lost[0] > 300 > 30 > lost[1] and careful[0] > 100 > 30 > careful[1] and weights[0] > 5
PYTHON
