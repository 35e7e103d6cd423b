"""The agents that search: `expectimax` and `mcts`."""
