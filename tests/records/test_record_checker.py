"""The checkers of records: they pass what the rules allow, and name what they do not."""

import copy
import json
from copy import deepcopy

import pytest

from tests.support.castle_cards.record_checker import check_record as check_castle_record
from tests.support.games import finish
from tests.support.lockstep import follow
from tests.support.record_checker import check_record
from zamek_env import Game
from zamek_env.castle_cards import CastleCards


@pytest.fixture(scope="module")
def played():
    """The record of a finished game, and its twin."""
    game = finish(Game("carcassonne", seed=15), 15)  # somebody scores two areas in a turn
    return json.loads(json.dumps(game.record())), follow(game)


@pytest.fixture
def record(played):
    return copy.deepcopy(played[0])


def find_turn(record, is_sought):
    """Return the first turn whose scored areas are as sought."""
    return next(turn for turn in record["turns"] if is_sought(turn["scored"]))


def first_entry(record):
    return find_turn(record, bool)["scored"][0]


def exchange(record):
    """Let the two areas that one player scores in a turn be scored in the other order."""
    scored = find_turn(record, lambda scored: len(scored) == 2 and scored[0]["player"] == scored[1]["player"])["scored"]
    first, second = scored
    before = first["score"] - first["points"]
    scored[:] = [second | {"score": before + second["points"]}, first | {"score": second["score"]}]


def name_other_segments(record, twin):
    for entry in (entry for turn in record["turns"] for entry in turn["scored"]):
        (row, column), name = max(twin.table.area_of(tuple(entry["at"][:2]), entry["at"][2]).segments)
        entry["at"] = [row, column, name]


def split_a_payment(record):
    entry = next(entry for entry in record["end"] if entry["points"] > 1)
    record["end"] += [entry | {"points": 1}]
    entry["points"] -= 1


def name_no_area(record):
    for entry in record["end"]:
        del entry["at"], entry["tiles"]


@pytest.mark.plays("carcassonne")
@pytest.mark.parametrize(
    "change",
    [
        exchange,
        name_other_segments,
        split_a_payment,
        name_no_area,
        lambda record: record["end"].reverse(),
        lambda record: record["end"].append({"player": 1, "reason": "unfinished city", "points": 0}),
    ],
)
def test_what_the_format_leaves_free_is_accepted(played, record, change):
    _, twin = played
    change(record, twin) if change is name_other_segments else change(record)
    assert record != played[0]
    check_record(record, twin)


def find_payment(record):
    return next(entry for entry in record["end"] if entry["reason"] == "field")


@pytest.mark.plays("carcassonne")
@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda r: r.update(format="zamek-record/2"), "format is"),
        (lambda r: r.update(ruleset="zamek"), "ruleset is"),
        (lambda r: r.update(farmers=True), "the list of keys is"),
        (lambda r: r.pop("tokens"), "the list of keys is"),
        (lambda r: r["tokens"].update({"12": 1}), "tokens is"),
        (lambda r: r.update(finished=False), "the list of keys is"),
        (lambda r: r["scores"].reverse(), "scores is"),
        (lambda r: r["turns"].pop(), "the number of turns is"),
        (lambda r: r["turns"][3].pop("extra_turn"), r"the list of keys of turns\[3\]"),
        (lambda r: r["turns"][3].update(player=True), r"turns\[3\].player is True"),
        (lambda r: r["turns"][3].update(cell=[0, -40]), r"turns\[3\].cell is"),
        (lambda r: r["turns"][3].update(discarded=["B"]), r"turns\[3\].discarded is"),
        (lambda r: r["turns"][3].update(extra_turn=True), r"turns\[3\].extra_turn is"),
        (lambda r: r["turns"][0].update(follower={"segment": "f1", "piece": "prince"}), "follower is"),
        (lambda r: find_turn(r, bool)["scored"].pop(), "the number of entries of"),
        (lambda r: first_entry(r).update(points=99), r"scored\[0\] is .*'points': 99"),
        (lambda r: first_entry(r).update(score=99), r"scored\[0\] is .*'score': 99"),
        (lambda r: first_entry(r).update(took=1), r"scored\[0\] is .*'took': 1"),
        (lambda r: first_entry(r).update(at=[0, 0, "f2"]), r"scored\[0\] is .*'f2'"),
        (lambda r: first_entry(r).pop("nests"), r"scored\[0\] is"),
        (lambda r: find_payment(r).update(points=99), "the sum of player"),
        (lambda r: find_payment(r).update(tiles=99), r"end\[\d+\] is"),
        (lambda r: find_payment(r).update(at=[99, 0, "f1"]), r"end\[\d+\] is"),
        (lambda r: find_payment(r).update(note=""), r"the list of keys of end\[\d+\]"),
        (lambda r: r["end"].pop(), "the sums of end"),
        (lambda r: r["end"].append({"player": 0, "reason": "meadow", "points": 3}), "the sums of end"),
    ],
)
def test_what_is_spoilt_is_named(played, record, spoil, said):
    spoil(record)
    with pytest.raises(AssertionError, match=said):
        check_record(record, played[1])


# --- records of Castle ---


@pytest.fixture(scope="module")
def castle_played():
    return json.loads(json.dumps(finish(CastleCards(3, 11), 11).record()))


@pytest.fixture
def castle_record(castle_played):
    return deepcopy(castle_played)


def test_lists_without_order_may_be_turned_round(castle_record):
    lists = [
        step[key]
        for turn in castle_record["turns"]
        for step in turn["steps"]
        for key in ("set", "give", "take")
        if isinstance(step.get(key), list)
    ]
    for entries in lists:
        entries.reverse()
    assert lists
    check_castle_record(castle_record)


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
def test_what_is_spoilt_in_a_record_of_castle_is_found(castle_record, path, value, said):
    target = castle_record
    for key in path[:-1]:
        target = target[key]
    target[path[-1]] = value
    with pytest.raises(AssertionError, match=said):
        check_castle_record(castle_record)


def test_turns_left_out_of_a_record_of_castle_are_found(castle_record):
    del castle_record["turns"][-1]
    with pytest.raises(AssertionError, match="turns, not"):
        check_castle_record(castle_record)
