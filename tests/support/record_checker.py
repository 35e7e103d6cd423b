"""Check game records (`zamek-record/1`) against the reference game that was played beside: every field is compared.

A record that disagrees raises an `AssertionError` whose sentence names the place, such as `turns[17].scored[0].points
is 8, but the rules give 6`. Turns and entries are counted from 0, as they stand in the file.

Where the format leaves a choice: `at` may name any placed tile of an area; the areas of a turn may stand in any order
where the rules leave it open (Carcassonne); payments at the end may be for one area or for all of a feature. Only the
engine writes `actions`, which `Game.replay` plays.
"""

import json
from collections import Counter

from tests.support.reference import Area, Land, ReferenceCarcassonne, ReferenceGame

AnyGame = ReferenceGame | ReferenceCarcassonne
OF_THE_ENGINE = {"engine", "actions", "components", "deal"}
END, END_OF_AREA = {"player", "reason", "points"}, {"player", "reason", "points", "at", "tiles"}


def check_record(record: dict, twin: AnyGame) -> None:
    """Raise an `AssertionError` at the first field in which the record of a game is not what its `twin` writes."""
    due = twin.record(record["seed"], record["players"])
    check_equal(sorted(record.keys() - OF_THE_ENGINE), sorted(due), "the list of keys")
    for key in due.keys() - {"turns", "end"}:
        check_equal(record[key], due[key], key)
    check_equal(len(record["turns"]), len(due["turns"]), "the number of turns")
    for number, (turn, right) in enumerate(zip(record["turns"], due["turns"], strict=True)):
        where = f"turns[{number}]"
        check_equal(sorted(turn), sorted(right), f"the list of keys of {where}")
        for key in right.keys() - {"scored"}:
            check_equal(turn[key], right[key], f"{where}.{key}")
        compare_scored(twin, turn["scored"], right["scored"], where)
    if "end" in due:
        compare_end(record["end"], twin)


def check_equal(given, expected, where: str) -> None:
    """Check one field against that of the twin; 1, 1.0 and true differ."""
    if json.dumps(given, sort_keys=True) != json.dumps(expected, sort_keys=True):
        raise AssertionError(f"{where} is {given!r}, but the rules give {expected!r}")


def compare_scored(game: AnyGame, given: list[dict], expected: list[dict], where: str) -> None:
    """Compare the scored areas of a turn field by field; `at` may name any placed tile of the area."""
    due = in_order_of(given, game, expected)
    check_equal(len(given), len(due), f"the number of entries of {where}.scored")
    for number, (entry, right) in enumerate(zip(given, due, strict=True)):
        is_same = segment_at(entry) in area_at(game, right).segments
        check_equal(entry | ({"at": right["at"]} if is_same else {}), right, f"{where}.scored[{number}]")


def in_order_of(given: list[dict], game: AnyGame, expected: list[dict]) -> list[dict]:
    """The expected entries in the order of those given, where the rules leave it open, with scores to match (C5)."""
    if game.rules.orders_scoring:
        return expected
    due, ordered, scores = list(expected), [], {}
    for right in expected:
        scores.setdefault(right["player"], right["score"] - right["points"])
    for entry in [*given, *expected]:
        own = [right for right in due if right["player"] == entry["player"]]
        same = [right for right in own if segment_at(entry) in area_at(game, right).segments]
        for right in (same or own)[:1]:
            due.remove(right)
            scores[right["player"]] += right["points"]
            ordered.append(right | {"score": scores[right["player"]]})
    return ordered


def segment_at(entry: dict) -> tuple:
    """The segment that an entry names by row, column and its name."""
    row, column, name = entry["at"]
    return (row, column), name


def area_at(game: AnyGame, entry: dict) -> Area | Land:
    """The area that an entry names."""
    return game.table.area_of(*segment_at(entry))


def compare_end(given: list[dict], game: AnyGame) -> None:
    """Compare the end scoring by the sums of each player and reason, and each area that is named by what it pays."""
    paid = Counter()
    for number, entry in enumerate(given):
        where = f"end[{number}]"
        check_equal(sorted(entry), sorted(END_OF_AREA if "at" in entry else END), f"the list of keys of {where}")
        if "at" in entry:
            area = next((area for area in game.areas() if segment_at(entry) in area.segments), None)
            pays = area and game.end_worth(area, entry["player"])
            check_equal([entry["reason"], entry["tiles"]], [pays[0], area.tiles] if pays else None, where)
            paid[entry["player"], pays, area.segments] += entry["points"]
    for (player, (reason, points), _), total in paid.items():
        check_equal(total, points, f"end: the sum of player {player} for an area of {reason!r}")
    check_equal(sum_by_reason(given), sum_by_reason(game.end_entries()), "the sums of end")


def sum_by_reason(entries: list[dict]) -> list:
    """[player, reason, points] of the end scoring, without what pays nothing."""
    sums = Counter()
    for entry in entries:
        sums[entry["player"], entry["reason"]] += entry["points"]
    return sorted([*key, points] for key, points in sums.items() if points)
