"""Agents by name, as they are given on a command line."""

from pathlib import Path

from .extras import needs_train_extra
from .heuristic import GreedyAgent, RandomAgent
from .value import ValueAgent

_VALUE = "value"
_SIMPLE_AGENTS = {RandomAgent.name: RandomAgent, GreedyAgent.name: GreedyAgent, _VALUE: ValueAgent}
_PPO = "ppo"
AGENT_NAMES = (*_SIMPLE_AGENTS, f"{_VALUE}:PATH", f"{_PPO}:PATH")


def make_agent(spec):
    """Return the agent called `random`, `greedy`, `value`, `value:PATH` or `ppo:PATH`, PATH being written by training.

    Raises `ValueError` for any other name, `FileNotFoundError` where there is no such model, `MissingExtraError` where
    the packages that a model needs are not installed.
    """
    if spec in _SIMPLE_AGENTS:
        return _SIMPLE_AGENTS[spec]()
    kind, _, path = spec.partition(":")
    if kind == _VALUE and path:
        return ValueAgent(path)
    if kind == _PPO and path:
        return _load_ppo(spec, path)
    raise ValueError(f"an agent must be one of {', '.join(AGENT_NAMES)}, not {spec!r}")


def _load_ppo(spec, path):
    if not Path(path).is_file():
        raise FileNotFoundError(f"there is no model {path!r} for the agent {spec!r}")
    with needs_train_extra(f"the agent {spec!r}"):
        from .ppo import PPOAgent  # here, because it imports torch
    return PPOAgent(path)
