"""Whole games of the engine and the reference side by side: the same choices, the same board, the same record."""

import json

import numpy as np
import pytest

from tests.games import few
from tests.lockstep import RULESETS, box_of, make_rich, play_in_lockstep
from tests.record_checker import check_record
from zamek_agents import GreedyAgent, RandomAgent
from zamek_env import Game


def without_choice_of_words(record):
    """Return a record without what two engines may write differently: any segment names an area, and who wrote it."""
    told = {key: value for key, value in json.loads(json.dumps(record)).items() if key != "engine"}
    for turn in told["turns"]:
        for area in turn["scored"]:
            area["at"] = None
    return told | {"end": sorted(told["end"], key=lambda entry: (entry["player"], entry["reason"]))}


def play(seed, agent, ruleset):
    """Play a deal in lockstep, compare the records of both engines, and play one of them back on either."""
    game, rng = Game(ruleset, seed=seed), np.random.default_rng(seed)
    twin = play_in_lockstep(game, lambda game, legal: agent.act(game, rng))
    record, other = game.record(), twin.record(seed=seed)
    assert without_choice_of_words(record) == without_choice_of_words(other)
    check_record(record, *box_of(ruleset))
    assert Game.replay(other).state.tobytes() == game.state.tobytes()


def some_games(first, of_base, of_others):
    """Return (ruleset, deal) of as many games of the base game, and of each other ruleset, from deal `first` on."""
    return [
        (ruleset, first + number)
        for ruleset in RULESETS
        for number in range(of_base if ruleset == RULESETS[0] else of_others)
    ]


@pytest.mark.parametrize("ruleset, seed", some_games(0, few(25, 3), few(3, 1)))
def test_random_games_are_the_same(ruleset, seed):
    play(seed, RandomAgent(), ruleset)


@pytest.mark.parametrize("ruleset, seed", some_games(100, few(5, 0), few(3, 0)))
def test_greedy_games_are_the_same(ruleset, seed):
    play(seed, GreedyAgent(), ruleset)


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("agent", [RandomAgent(), GreedyAgent()][: few(2, 1)], ids=lambda agent: type(agent).__name__)
def test_games_that_begin_with_riches_are_the_same(agent, ruleset):
    game, rng = Game(ruleset, seed=200), np.random.default_rng(200)
    play_in_lockstep(game, lambda game, legal: agent.act(game, rng), lambda game, twin: make_rich(game, twin, rng))
