"""Positions with the worth of every choice, by which the mistakes of agents are measured."""
