"""Agents that play Zamek, and what it takes to compare them."""

from .base import Agent
from .heuristic import GreedyAgent, RandomAgent
from .registry import make_agent

__all__ = ["Agent", "GreedyAgent", "RandomAgent", "make_agent"]
