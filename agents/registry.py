"""Agents by name, as they are given on a command line."""

from pathlib import Path

from zamek_agents.extras import needs_train_extra
from zamek_agents.heuristic import GreedyAgent, RandomAgent
from zamek_agents.search.expectimax import ExpectimaxAgent
from zamek_agents.search.mcts import MCTSAgent
from zamek_agents.shipped import is_shipped
from zamek_agents.value.agent import ValueAgent
from zamek_env.ruleset import get_ruleset

_SIMPLE_AGENTS = {agent.name: agent for agent in (RandomAgent, GreedyAgent)}
_SEARCHING_AGENTS = {"expectimax": ExpectimaxAgent, "mcts": MCTSAgent}  # each takes its options as a string
_VALUE, _PPO = "value", "ppo"
AGENT_NAMES = (
    *_SIMPLE_AGENTS, f"{_VALUE}[:PATH]", *(f"{name}[:OPTIONS]" for name in _SEARCHING_AGENTS), f"{_PPO}[:PATH]",
)  # fmt: skip


def make_agent(spec):
    """Return the agent of that name; OPTIONS are `KEY=VALUE,KEY=VALUE`, PATH is what training wrote, by
    default the weights that are shipped.

    Raises `ValueError` for any other name or option, `FileNotFoundError` where there is no such file,
    `MissingExtraError` where the packages that a model needs are not installed.
    """
    if spec in _SIMPLE_AGENTS:
        return _SIMPLE_AGENTS[spec]()
    kind, colon, rest = spec.partition(":")
    if kind in _SEARCHING_AGENTS and (rest or not colon):
        return _SEARCHING_AGENTS[kind](rest)
    if kind == _VALUE and (rest or not colon):
        return ValueAgent(rest or None)
    if kind == _PPO and (rest or not colon):
        return _load_ppo(spec, rest or None)
    raise ValueError(f"an agent must be one of {', '.join(AGENT_NAMES)}, not {spec!r}")


def list_untrained(ruleset, components=None):
    """Return the names of the agents that play a ruleset, named as for `Game`, with nothing trained first."""
    rules = get_ruleset(ruleset, components)
    learned = [agent for agent in (_VALUE, _PPO) if is_shipped(agent, rules)]
    return (*_SIMPLE_AGENTS, *learned, *_SEARCHING_AGENTS)


def _load_ppo(spec, path):
    if path is not None and not Path(path).is_file():
        raise FileNotFoundError(f"there is no model {path!r} for the agent {spec!r}")
    with needs_train_extra(f"the agent {spec!r}"):
        from zamek_agents.ppo.agent import PPOAgent  # here, because it imports torch
    return PPOAgent(path)
