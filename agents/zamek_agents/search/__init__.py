"""The agents that search: `expectimax`, `mcts`, and opponents of the literature; the solver of endgames."""
