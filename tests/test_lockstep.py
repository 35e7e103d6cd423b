"""Whole games of the engine and the reference side by side: the same choices, the same board, the same record."""

import json

import numpy as np
import pytest

from tests.games import few
from tests.lockstep import TILES, WALL, play_in_lockstep
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


def play(seed, agent):
    """Play a deal in lockstep, compare the records of both engines, and play one of them back on either."""
    game, rng = Game(seed=seed), np.random.default_rng(seed)
    twin = play_in_lockstep(game, lambda game, legal: agent.act(game, rng))
    record, other = game.record(), twin.record(seed=seed)
    assert without_choice_of_words(record) == without_choice_of_words(other)
    check_record(record, WALL, TILES)
    assert Game.replay(other).state.tobytes() == game.state.tobytes()


@pytest.mark.parametrize("seed", range(few(25, 3)))
def test_random_games_are_the_same(seed):
    play(seed, RandomAgent())


@pytest.mark.parametrize("seed", range(100, 100 + few(5, 0)))
def test_greedy_games_are_the_same(seed):
    play(seed, GreedyAgent())
