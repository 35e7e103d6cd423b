"""Agents that play Zamek, and tools to train and compare them."""

from zamek_agents.base import Agent
from zamek_agents.heuristic import GreedyAgent, RandomAgent
from zamek_agents.registry import make_agent
from zamek_agents.search.expectimax import ExpectimaxAgent
from zamek_agents.search.mcts import MCTSAgent
from zamek_agents.value.agent import ValueAgent

__all__ = ["Agent", "ExpectimaxAgent", "GreedyAgent", "MCTSAgent", "RandomAgent", "ValueAgent", "make_agent"]
