"""The checker of records of Castle, the card game: it passes what the rules allow, and nothing else."""

import json
import random
from copy import deepcopy

import pytest

from tests.support.castle.cards import DEALT
from tests.support.castle.replayed import Replayed
from tests.support.castle_record_checker import check_record, find_end
from tests.test_castle_reference import new_game, play_at_random


@pytest.fixture(scope="module")
def records():
    """Records of one random game for each number of players."""
    found = []
    for players in DEALT:
        game, rng = new_game(players, 11)
        for _ in play_at_random(game, rng):
            pass
        found.append(game.record(11))
    return found


@pytest.fixture
def record(records):
    return deepcopy(records[1])


def find_step(record, do):
    """Return the first step of a kind in any of the turns."""
    return next(step for turn in record["turns"] for step in turn["steps"] if step["do"] == do)


def test_records_of_the_reference_pass(records):
    assert [check_record(json.loads(json.dumps(record))) for record in records] == [[], [], [], []]


def test_lists_without_order_may_be_turned_round(records):
    for record in deepcopy(records):
        for turn in record["turns"]:
            for step in turn["steps"]:
                for key in ("set", "give", "take"):
                    if isinstance(step.get(key), list):
                        step[key].reverse()
        assert check_record(record) == []


def drop(steps, at):
    del steps[at]


def repeat(steps, at):
    steps.insert(at, dict(steps[at]))


def add_a_key(steps, at):
    steps[at]["why"] = "so"


def drop_a_key(steps, at):
    steps[at].popitem()


def name_another_kind(steps, at):
    steps[at]["do"] = "decline" if steps[at]["do"] != "decline" else "draw"


def decide_by_another(steps, at):
    steps[at]["by"] = 1 - steps[at].get("by", 0)


@pytest.mark.parametrize("spoil", [drop, repeat, add_a_key, drop_a_key, name_another_kind, decide_by_another])
@pytest.mark.long
def test_a_step_that_is_spoilt_is_found(records, spoil):
    rng = random.Random(spoil.__name__)
    for record in records:
        places = [(turn, at) for turn, entry in enumerate(record["turns"]) for at in range(len(entry["steps"]))]
        for turn, at in rng.sample(places, 6):
            spoilt = deepcopy(record)
            spoil(spoilt["turns"][turn]["steps"], at)
            assert check_record(spoilt) != [], (record["players"], turn, at)


@pytest.mark.parametrize("value", [0, True, "King", None, [9, 9], ["outside", 77], [], {}, -1, 1.0])
@pytest.mark.long
def test_a_value_that_is_spoilt_is_found(records, value):
    rng = random.Random(str(value))
    for record in records:
        places = [
            (turn, at, key)
            for turn, entry in enumerate(record["turns"])
            for at, step in enumerate(entry["steps"])
            for key, old in step.items()
            if repr(old) != repr(value)
        ]
        for turn, at, key in rng.sample(places, 3):
            spoilt = deepcopy(record)
            spoilt["turns"][turn]["steps"][at][key] = value
            assert check_record(spoilt) != [], (record["players"], turn, at, key)


@pytest.mark.parametrize(
    "key, value",
    [
        ("format", "castle-record/2"),
        ("ruleset", "castle"),
        ("players", 4),
        ("players", True),
        ("seed", "7"),
        ("agents", ["random"]),
        ("exchange", []),
        ("turns", []),
        ("turns", [{}]),
        ("turns", [{"player": 0, "steps": [1]}]),
        ("end", "quiet"),
        ("end", None),
        ("hands_left", [1, 1, 1]),
        ("decks_left", None),
        ("winners", []),
        ("winners", [0, 1, 2]),
        ("returns", [1, -0.5, -0.5]),
        ("returns", [0.0, 0.0, 0.0]),
    ],
)
def test_a_field_that_is_spoilt_is_found(record, key, value):
    assert check_record(record | {key: value}) != []


def test_fields_missing_or_too_many_are_found(record):
    assert check_record(record | {"scores": []}) == ["'scores' is missing or too much"]
    del record["end"]
    assert check_record(record) == ["'end' is missing or too much"]
    assert check_record([record]) == ["a record is an object"]


def test_actions_must_be_those_of_the_steps(record):
    steps = [step for turn in record["turns"] for step in turn["steps"] if "from" not in step]
    begun = {"draw": "draw", "exchange": "give {give}", "play": "play {card}"}
    texts = [begun[step["do"]].format(**step) for step in steps if step["do"] in begun]
    assert check_record(record | {"actions": [texts[0], "at 0,3", *texts[5:]]}) == []
    assert "actions has 'play Joker'" in check_record(record | {"actions": [texts[0], "play Joker"]})[0]
    assert "actions has 'draw'" in check_record(record | {"actions": [*texts, "draw"]})[0]
    for wrong in ("draw", [1], None):
        assert "no list of texts" in check_record(record | {"actions": wrong})[0]


def test_cards_that_are_not_in_the_box_are_found(record):
    record["hands"][0][0] = "Joker"
    assert check_record(record) == ["the cards dealt are not those of a game of 3"]


def test_turns_left_out_or_following_the_end_are_found(record):
    assert "does not come to its end" in check_record(record | {"turns": record["turns"][:-1]})[0]
    extra = {"player": len(record["turns"]) % 3, "steps": [{"do": "pass"}]}
    assert "follows the end" in check_record(record | {"turns": [*record["turns"], extra]})[0]
    swapped = [{**turn, "player": (turn["player"] + 1) % 3} for turn in record["turns"]]
    assert check_record(record | {"turns": swapped}) == ["turns[0] is the turn of 0"]


@pytest.mark.parametrize(
    "hands, end",
    [
        ((["Lady in Waiting"], ["Ambassador", "Knight"], ["Ghost"]), ("stalled", [0, 2])),
        ((["Lady in Waiting"], ["Ambassador", "Soldier"], ["Ghost"]), None),
        ((["Lady in Waiting"], [], ["Ghost"]), ("empty", [1])),
        (([], ["Soldier"], []), ("empty", [0])),
    ],
)
def test_the_end_is_that_of_the_rules(hands, end):
    assert find_end(Replayed(list(hands), [[], [], []], ["King's Counselor"])) == end


def test_a_complaint_names_the_turn_and_the_step(record):
    step = find_step(record, "draw")
    at = next(
        (turn, turns["steps"].index(step)) for turn, turns in enumerate(record["turns"]) if step in turns["steps"]
    )
    step["legal"] += 1
    assert check_record(record)[0].startswith(f"turns[{at[0]}], before steps[{at[1] + 1}]: ")
