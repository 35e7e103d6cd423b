"""The checker of records: it passes what the rules allow, and names what they do not."""

import copy
import json

import pytest

from tests.support.games import finish
from tests.support.lockstep import follow
from tests.support.record_checker import check_record
from zamek_env import Game

pytestmark = pytest.mark.plays("carcassonne")


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
