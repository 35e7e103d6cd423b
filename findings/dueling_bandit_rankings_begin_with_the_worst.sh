#!/usr/bin/env bash
# A good guess: Rank Centrality of dueling-bandit gives the strongest agent the greatest share, so that
# `PARWiSAgent.recommend()` names it once enough games have been played.
#
# What happens: its walk goes from winners to losers, where that of Rank Centrality goes from losers to winners. The
# shares grow with losses, and the agents name one of the weak: of five agents, each of which beats the next in 73 of
# 100 games, 300 games end with the best named in one run of twenty or none. Given losses for wins, the same function
# ranks rightly. Double Thompson sampling of the same package counts wins, and names the best in all runs.
#
# Beside it, `select_pair` of PARWiS reads the number of a pair by rows of one length, though they grow shorter: it can
# name an agent that does not exist, which raises an IndexError.
#
# numpy 2.4.6, scipy 1.17.1, scikit-learn 1.9.1, dueling-bandit 0.1.2; December 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 scipy==1.17.1 scikit-learn==1.9.1
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check --no-deps dueling-bandit==0.1.2
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import numpy as np
from dueling_bandit.agents import DoubleThompsonSamplingAgent, PARWiSAgent, RLPARWiSAgent
from dueling_bandit.environment import DuelingBanditEnv, RankCentrality

strengths = np.arange(5.0)[::-1]
chances = 1 / (1 + np.exp(strengths[None] - strengths[:, None]))  # of the row to beat the column
wins = np.round(100 * chances).astype(int)
np.fill_diagonal(wins, 0)
ranking = RankCentrality(5)
shares = ranking.stationary_distribution(wins, wins.T), ranking.stationary_distribution(wins.T, wins)
orders = [np.argsort(-one).tolist() for one in shares]


def play(kind):
    """Return how often 20 runs of 300 games end with the best agent, and how many end with an IndexError."""
    named = failed = 0
    for seed in range(20):
        games, agent = DuelingBanditEnv(chances, seed=seed), kind(k=5, seed=seed)
        if hasattr(agent, "phase1"):
            agent.phase1(games)
        try:
            for _ in range(300):
                pair = agent.select_pair()
                agent.update(*pair, games.duel(*pair)[0])
        except IndexError:
            failed += 1
        else:
            named += agent.recommend() == games.best_arm()
    return named, failed


found = [play(kind) for kind in (PARWiSAgent, RLPARWiSAgent, DoubleThompsonSamplingAgent)]
print(f"agents by share: {orders[0]}, of swapped wins and losses: {orders[1]}; best agent named, and errors,", end=" ")
print(f"of 20 runs of PARWiS, its learner, Thompson sampling: {found}")
assert orders[0][0] in (3, 4) and orders[0][-1] == 0 and orders[1] == [0, 1, 2, 3, 4]
assert found[0][0] == 0 < found[0][1] and found[1][0] <= 2 and found[2] == (20, 0)
PYTHON
