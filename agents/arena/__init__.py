"""Agents compared: pairs of games, round robins, statistics and reports."""

from zamek_agents.arena.comparison import compare
from zamek_agents.arena.pairs import pair_up
from zamek_agents.arena.round_robin import RoundRobin, play

__all__ = ["RoundRobin", "compare", "pair_up", "play"]
