"""Suites of positions with the worth of every choice, which measure the mistakes of agents."""
