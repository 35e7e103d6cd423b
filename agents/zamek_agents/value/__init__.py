"""The agent `value`: an evaluation of positions, learned by self-play."""
