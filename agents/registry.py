"""Agents by name, as they are given on a command line."""

from pathlib import Path

from .expectimax import ExpectimaxAgent
from .extras import needs_train_extra
from .heuristic import GreedyAgent, RandomAgent
from .mcts import MCTSAgent

_SIMPLE_AGENTS = {agent.name: agent for agent in (RandomAgent, GreedyAgent)}
_SEARCHING_AGENTS = {"expectimax": ExpectimaxAgent, "mcts": MCTSAgent}  # each takes its options as a string
_PPO = "ppo"
AGENT_NAMES = (*_SIMPLE_AGENTS, *(f"{name}[:OPTIONS]" for name in _SEARCHING_AGENTS), f"{_PPO}:PATH")


def make_agent(spec):
    """Return the agent of that name; OPTIONS are `KEY=VALUE,KEY=VALUE`, PATH is a model written by training.

    Raises `ValueError` for any other name or option, `FileNotFoundError` where there is no such model,
    `MissingExtraError` where the packages that a model needs are not installed.
    """
    if spec in _SIMPLE_AGENTS:
        return _SIMPLE_AGENTS[spec]()
    kind, colon, rest = spec.partition(":")
    if kind in _SEARCHING_AGENTS and (rest or not colon):
        return _SEARCHING_AGENTS[kind](rest)
    if kind == _PPO and rest:
        return _load_ppo(spec, rest)
    raise ValueError(f"an agent must be one of {', '.join(AGENT_NAMES)}, not {spec!r}")


def _load_ppo(spec, path):
    if not Path(path).is_file():
        raise FileNotFoundError(f"there is no model {path!r} for the agent {spec!r}")
    with needs_train_extra(f"the agent {spec!r}"):
        from .ppo import PPOAgent  # here, because it imports torch
    return PPOAgent(path)
