"""The entry points through which this package offers its agents, for tests to put in place of those installed."""

from importlib.metadata import EntryPoint

import pytest

from zamek_env.agent_names import GROUP

OURS = {
    "random": "zamek_agents.heuristic:RandomAgent",
    "greedy": "zamek_agents.heuristic:GreedyAgent",
    "value": "zamek_agents.value.agent:ValueAgent",
    "expectimax": "zamek_agents.search.expectimax:ExpectimaxAgent",
    "mcts": "zamek_agents.search.mcts:MCTSAgent",
    "ismcts": "zamek_agents.castle_cards.ismcts:ISMCTSAgent",
    "ppo": "zamek_agents.registry:make_ppo",
    "openspiel-mcts": "zamek_agents.registry:make_openspiel_mcts",
    "uct": "zamek_agents.search.uct:UCTAgent",
    "mcts-follower30": "zamek_agents.search.uct:FollowerAgent",
    "star25": "zamek_agents.search.star25:Star25Agent",
    "greedy-v1": "zamek_agents.frozen:make_greedy_v1",
    "value-v1": "zamek_agents.frozen:make_value_v1",
    "mcts200-v1": "zamek_agents.frozen:make_mcts200_v1",
}


def install(monkeypatch, **others):
    """Let the agents of this package be installed, and `others`, each name `module:Class`, and nothing else."""
    found = [EntryPoint(name, value, GROUP) for name, value in (OURS | others).items()]
    monkeypatch.setattr("zamek_env.agent_names._read_entries", lambda folders: found)


@pytest.fixture
def installed(monkeypatch):
    """Let the agents of this package be installed, whatever the environment's metadata say."""
    install(monkeypatch)
