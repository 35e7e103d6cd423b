"""The checker of records of Castle, the card game: it passes what the rules allow, and nothing else."""

import json
from copy import deepcopy

import numpy as np
import pytest

from tests.support.castle_record_checker import check_record
from zamek_env.castle_cards.game import CastleCards


@pytest.fixture(scope="module")
def played():
    game, rng = CastleCards(3, 11), np.random.default_rng(11)
    while not game.is_terminal:
        game.step(int(rng.choice(game.legal_actions())))
    return json.loads(json.dumps(game.record()))


@pytest.fixture
def record(played):
    return deepcopy(played)


def test_lists_without_order_may_be_turned_round(record):
    lists = [
        step[key]
        for turn in record["turns"]
        for step in turn["steps"]
        for key in ("set", "give", "take")
        if isinstance(step.get(key), list)
    ]
    for entries in lists:
        entries.reverse()
    assert lists
    check_record(record)


@pytest.mark.parametrize(
    "path, value, said",
    [
        (["format"], "castle-record/2", "format is"),
        (["ruleset"], "castle", "ruleset is"),
        (["scores"], [], "keys are"),
        (["hands", 0, 0], "Joker", "the cards dealt"),
        (["exchange"], [], "other sizes"),
        (["actions"], ["draw"], "not over"),
        (["actions", 7], "sing", r"actions\[7\] is 'sing'"),
        (["turns", 5, "player"], 0, r"turns\[5\] is"),
        (["turns", 5, "steps", 0, "legal"], 1, r"turns\[5\] is"),
        (["turns", 5, "steps", 0, "why"], "siege", r"turns\[5\] is"),
        (["turns", 5, "steps"], [], r"turns\[5\] is"),
        (["turns", -1], {"player": 0, "steps": []}, r"turns\[\d+\] is"),
        (["end"], "quiet", "end is"),
        (["hands_left", 0], False, "hands_left is"),
        (["decks_left"], None, "decks_left is"),
        (["winners"], [0, 1, 2], "winners is"),
        (["returns"], [0.0, 0.0, 0.0], "returns is"),
    ],
)
def test_what_is_spoilt_is_found(record, path, value, said):
    target = record
    for key in path[:-1]:
        target = target[key]
    target[path[-1]] = value
    with pytest.raises(AssertionError, match=said):
        check_record(record)


def test_turns_left_out_are_found(record):
    del record["turns"][-1]
    with pytest.raises(AssertionError, match="turns, not"):
        check_record(record)
