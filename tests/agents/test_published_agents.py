"""The opponents of the literature: legal, blind to what is hidden, and right where what they compute is known."""

import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from numpy.random import default_rng

from tests.support.games import check_decision
from tests.support.rulesets import IS_COMPILED, IS_PROOF
from zamek_agents import make_agent
from zamek_agents.search import uct
from zamek_agents.search.base import Solver
from zamek_env import Game

LINES = json.loads((Path(__file__).parents[1] / "support" / "data" / "endgames.json").read_text(encoding="ascii"))
SPECS = ("uct:simulations=6", "mcts-follower30:simulations=6", "star25:turns=1")
pytestmark = pytest.mark.skipif(IS_COMPILED and not IS_PROOF, reason="compiling them takes long; run as Python")


@cache
def positions():
    """Return some with a tile or none left to be drawn."""
    return [Game.parse_position(line, seed=0) for line in LINES["sokol"]]


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.plays("sokol")
def test_they_choose_legally_by_what_is_public(spec):
    agent, other = make_agent(spec), make_agent(spec)
    for game in positions():
        check_decision(agent, other, game, 0)


@pytest.mark.plays("sokol")
def test_uct_counts_every_simulation_and_returns_what_was_simulated_most():
    agent, game = make_agent("uct:simulations=40"), positions()[0]
    action = agent.act(game, default_rng(0))
    tree = agent._room[2]
    root = tree.edges[: tree.nodes[0]["num_edges"]]
    assert sorted(root["action"].tolist()) == game.legal_actions()
    assert root["visits"].sum() == 40 and root["visits"].min() > 0
    assert root["action"][root["visits"] == root["visits"].max()].tolist().count(action) == 1


@pytest.mark.plays("sokol")
def test_where_the_tree_of_uct_is_full_simulations_go_on_in_it(monkeypatch):
    monkeypatch.setattr(uct, "MOST_NODES", 5)
    agent, game = make_agent("uct:simulations=40"), positions()[0]
    assert agent.act(game, default_rng(0)) in game.legal_actions()
    tree = agent._room[2]
    assert tree.nodes.size == 6
    assert tree.edges["visits"][: tree.nodes[0]["num_edges"]].sum() == 40


@pytest.mark.plays("sokol")
def test_followers_are_sent_as_often_as_asked():
    sent = {}
    for share in (0.0, 0.3, 1.0):
        agent = make_agent(f"mcts-follower30:simulations=1,followers={share}")
        game = next(game for game in positions() if game.phase == "send")
        agent.act(game, default_rng(0))
        states, _, _, searches = agent._room
        states[0] = game.raw_states[0]
        nobody = int(game.ruleset.tables[0]["send_base"])
        drawn = [int(uct._draw_sending(game.ruleset.tables[0], states[0], searches[0])) for _ in range(200)]
        assert set(drawn) <= set(game.legal_actions())
        sent[share] = np.mean([action != nobody for action in drawn])
    assert sent[0.0] == 0 and sent[1.0] == 1 and 0.15 < sent[0.3] < 0.45


@pytest.mark.plays("sokol")
def test_star25_of_one_turn_plays_as_the_evaluation_says_and_probes_change_nothing():
    for game in positions():
        values = []
        for probes in (0, 1):
            agent = make_agent(f"star25:turns=1,probes={probes}")
            agent.act(game, default_rng(0))
            values.append(float(agent._room.frames["best"][0]))
        assert values[0] == pytest.approx(values[1])


@pytest.mark.plays("sokol")
def test_star25_that_reaches_the_end_plays_the_best_action():
    game = positions()[1]
    worths = Solver(game.ruleset).solve(game)
    assert worths[game.legal_actions().index(make_agent("star25").act(game, default_rng(0)))] == pytest.approx(
        worths.max()
    )
    assert worths.max() > worths.min()


@pytest.mark.parametrize(
    "spec", ["uct:simulations=0", "star25:turns=5", "uct:followers=2", "uct:followers=-0.5", "star25:depth=1"]
)
def test_other_options_are_refused(spec):
    with pytest.raises(ValueError, match=r"must be"):
        make_agent(spec)
