"""Frozen agents decide as they did when they got their names."""

import numpy as np
import pytest

from tests.support import frozen
from tests.support.games import few
from tests.support.rulesets import IS_COMPILED
from zamek_agents import make_agent
from zamek_agents.arena.round_robin import RoundRobin
from zamek_agents.arena.store import describe
from zamek_agents.frozen import FROZEN
from zamek_env import Game

HELD = frozen.read()
COUNT = few(frozen.POSITIONS, 3)  # positions of a ruleset that are decided here


@pytest.mark.skipif(not IS_COMPILED, reason="searches take long as plain Python")
@pytest.mark.parametrize(
    "ruleset", ["zamek", *(pytest.param(name, marks=pytest.mark.long) for name in HELD if name != "zamek")]
)
@pytest.mark.parametrize("name", FROZEN)
def test_a_frozen_agent_decides_as_ever(name, ruleset):
    """Where this fails, keep what the agent did before under this name; never write its decisions anew."""
    lines, decisions = HELD[ruleset]["positions"][:COUNT], HELD[ruleset]["decisions"][name][:COUNT]
    for line, due, found in zip(lines, decisions, frozen.decide(name, lines), strict=True):
        assert found == due, f"{name} no longer plays {due} in {line}"


@pytest.mark.parametrize(("ruleset", "agents"), [("zamek", ["value", "ppo", "value-v1"]), ("carcassonne-demo", None)])
def test_kept_results_follow_the_frozen_weights(ruleset, agents):
    held = describe(RoundRobin(("random", "greedy"), ruleset))["weights"]
    assert [*held] == agents if agents else "value-v1" not in held


@pytest.mark.compiles
def test_decisions_differ_enough_to_tell_agents_apart():
    for ruleset, kept in HELD.items():
        found = [tuple(kept["decisions"][name]) for name in FROZEN]
        assert len(set(found)) == len(found), ruleset
        assert {Game.parse_position(line, seed=0).phase for line in kept["positions"]} >= {"place", "send"}


@pytest.mark.compiles
@pytest.mark.parametrize("name", ["value-v1", "mcts200-v1"])
def test_a_frozen_agent_without_weights_for_the_ruleset_says_so(name):
    with pytest.raises(ValueError, match=f"'{name}' plays carcassonne, sokol, zamek only, not 'sokol-gates'"):
        make_agent(name).act(Game("sokol-gates", seed=1), np.random.default_rng(0))
