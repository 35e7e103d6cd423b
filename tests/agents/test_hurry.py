"""Searches that are asked to decide at once, while another thread waits for them."""

import threading
import time

import numpy as np
import pytest

from zamek_agents import make_agent
from zamek_env import Game
from zamek_env.castle_cards import CastleCards

PATIENCE = 60.0
FEW, MANY = "simulations=50", "simulations=100000000,nodes=100000"  # with room for fewer
LONG = {  # a search that takes long, and the same one that ends soon
    "mcts": (Game, f"mcts:{MANY},endgame=0", f"mcts:{FEW},endgame=0"),
    "mcts by the clock": (Game, "mcts:seconds=1000,nodes=100000,endgame=0", "mcts:seconds=0.01,endgame=0"),
    "ismcts": (CastleCards, f"ismcts:{MANY}", f"ismcts:{FEW}"),
}


def decide_soon(agent, game):
    """Return the decision of an agent that is hurried, and how many seconds it took after that."""
    found = []
    thread = threading.Thread(target=lambda: found.append(agent.act(game, np.random.default_rng(1))))
    thread.start()
    time.sleep(0.3)
    assert thread.is_alive()
    hurried = time.perf_counter()
    agent.hurry()
    thread.join(PATIENCE)
    return found[0], time.perf_counter() - hurried


@pytest.mark.plays("zamek", "castle-cards")
@pytest.mark.parametrize(("kind", "spec", "short"), LONG.values(), ids=LONG)
def test_a_search_that_is_hurried_decides_from_what_it_has_found(kind, spec, short):
    make_agent(short).act(kind(seed=1), np.random.default_rng(0))  # compiled before
    agent, game = make_agent(spec), kind(seed=1)
    for _ in range(2):  # the second is not hurried by what hurried the first
        action, seconds = decide_soon(agent, game)
        assert action in game.legal_actions() and seconds < 10


@pytest.mark.plays("zamek", "castle-cards")
@pytest.mark.parametrize("kind", [Game, CastleCards])
def test_simulations_in_chunks_are_those_made_at_once(kind, monkeypatch):
    spec = "mcts:simulations=300" if kind is Game else "ismcts:simulations=300"
    game, found = kind(seed=1), []
    for chunk in (1e-6, 1e6):  # one by one, and nearly all together
        monkeypatch.setattr("zamek_agents.base._CHUNK", chunk)
        agent = make_agent(spec)
        found.append(agent.evaluate(game, np.random.default_rng(3)).values)
        assert agent.simulations == 300
    assert np.array_equal(*found, equal_nan=True)


@pytest.mark.plays("zamek")
def test_star25_stops_at_the_best_action_so_far():
    agent, game, nodes = make_agent("star25"), Game(seed=1), []
    agent.hurry()
    for _ in range(2):  # the second is not hurried
        assert agent.act(game, np.random.default_rng(0)) in game.legal_actions()
        nodes.append(int(agent._room.searches["nodes"][0]))
    assert nodes[0] < nodes[1]
