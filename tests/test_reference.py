"""Tests of the oracle itself, in what the drawn positions of `tests/rules/` do not show.

There it plays every position beside the engine, and both must do what is written. Its rules are cited by their number.
Whole games are in `test_reference_games.py`, the tables of Carcassonne in `test_reference_carcassonne.py`.
"""

import pytest

from tests.support.record_checker import check_record
from tests.support.reference import (
    STEPS,
    facing_port,
    move_marker,
    ports_of_side,
    read_box,
    take_nests,
    turned_ports,
    widen,
)
from tests.support.reference_games import BOX, point_of, whole_game
from tests.support.small_castles import EAST, GATES, components, small_game, start, tile_named, turn

# --- ports ------------------------------------------------------------------------------------------------------------


def test_z6_facing_ports_touch_and_a_quarter_turn_is_clockwise():
    for port in range(12):
        (x, y), (down, right) = point_of(port), STEPS[port // 3]
        assert point_of(facing_port(port)) == (x - 6 * right, y - 6 * down)
        assert point_of((port + 3) % 12) == (-y, x)


def test_z6_sides_are_read_clockwise_and_a_single_name_covers_no_middle():
    assert ports_of_side(1, "h1 r1 m2") == {3: "h1", 4: "r1", 5: "m2"}
    assert ports_of_side(3, "p1") == {9: "p1", 11: "p1"}
    assert ports_of_side(2, "h1|m1") == {6: "h1", 8: "m1"}
    ports = turned_ports(tile_named("bend1"), EAST)
    assert {port for port, name in ports.items() if name == "r1"} == {4, 7}
    assert (ports[3], ports[5]) == ("m1", "m2")


# --- the box ----------------------------------------------------------------------------------------------------------


def test_z1_z5_the_castle_has_76_spaces_60_tiles_13_tokens_and_7_start_spaces():
    game, starts = whole_game(1), BOX.board["starts"]
    assert game.castle.largest_empty_group() == len(game.castle.interior) == 76
    assert len(game.remaining) == 59 and len(game.tower_tokens) == 13 and 0 not in game.tower_tokens
    assert {cell for _, cell, _ in game.decisions()} == {tuple(start["cell"]) for start in starts}
    assert len(game.areas()) == sum(len(set(start["face"].split())) for start in starts)


def test_s1_a_column_and_then_a_row_are_inserted_where_the_gates_are():
    gates = [
        {"between": [3, 4], "side": "N", "column": 2, "start": "m1 r1 m2"},
        {"between": [7, 8], "side": "E", "row": 1},
        {"between": [11, 12], "side": "S", "column": 2, "start": "h1"},
        {"between": [15, 16], "side": "W", "row": 1},
    ]
    wall = {"interior": ["..##", "###.", ".##."], "gates": gates, "starts": [start("A", (1, 0), "W", "m1")]}
    wide = widen(wall | {"starts": [*wall["starts"], start("B", (0, 3), "E", "p1"), start("C", (2, 1), "S", "m1")]})
    assert wide["interior"] == ["...##", "...#.", "####.", ".###."]
    #  columns apart  ..|##   ..|.##     rows apart   ...##        a space only where both
    #                 ##|#.   ##|##.                  ...#.   <-   its neighbours are one
    #                 .#|#.   .#|##.                  ####.
    assert [(one["id"], *one["cell"], one["side"]) for one in wide["starts"]] == [
        ("A", 2, 0, "W"),
        ("B", 0, 4, "E"),
        ("C", 3, 1, "S"),
        ("gate 3", 2, 2, "N"),
        ("gate 11", 3, 2, "S"),
    ]
    assert wall["interior"] == ["..##", "###.", ".##."]  # the base game's wall stays


def test_s1_the_castle_has_94_spaces_9_start_spaces_and_78_tiles():
    for ruleset in ("sokol", "sokol-gates"):
        wall, tiles, rules = read_box(ruleset)
        assert sum(row.count("#") for row in wall["interior"]) == 94
        assert len(wall["starts"]) == 9 and len(tiles["tiles"]) == 78
        gates = {one["id"]: (one["cell"], one["side"], one["face"]) for one in wall["starts"][7:]}
        assert gates == {"gate 27": ([1, 6], "N", "m1 r1 m2"), "gate 69": ([10, 6], "S", "h1 r1 p1")}
        assert (rules.name, rules.halting_gates) == (ruleset, ruleset == "sokol-gates")
    wall, tiles, rules = read_box("zamek")
    assert sum(row.count("#") for row in wall["interior"]) == 76 and len(tiles["tiles"]) == 60
    assert (rules.special_pieces, rules.nests, rules.halting_gates) == ((), 0, False)


# --- playing ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("face, legal", [("m1 r1 m1", {1, 3}), ("h1", {0, 2})])
def test_z10_road_meets_road_and_the_wall_takes_anything(face, legal):
    game = small_game("##", "straight1", [start("A", (0, 0), "W", face)])
    assert game.decisions() == [("place", (0, 0), rotation) for rotation in sorted(legal)]
    for illegal in [("place", (0, 0), 1 - min(legal)), ("place", (0, 1), min(legal)), ("place", (0, 2), 0)]:
        with pytest.raises(ValueError):
            game.play(illegal)


@pytest.mark.parametrize(
    "nests, player, due, after, taken",
    [
        ([5, 5], 0, 2, [7, 5], 2),  # the pool just holds enough: nobody returns any
        ([5, 6], 0, 2, [2, 1], 2),  # pool 1: both return 5, then 2 of 11 are taken
        ([6, 5], 0, 2, [3, 0], 2),
        ([6, 6], 1, 3, [0, 3], 3),
        ([12, 0], 0, 2, [12, 0], 0),  # the poorer one has none: nothing is returned, the pool is empty
        ([12, 0], 1, 1, [12, 0], 0),
        ([11, 0], 1, 3, [11, 1], 1),  # the pool reaches only partly
        ([10, 1], 1, 4, [9, 3], 3),  # both return 1; 3 of the 4 due are there
        ([12, 0], 1, 0, [12, 0], 0),
    ],
)
def test_s10_with_too_small_a_pool_both_return_as_many_as_the_poorer_one_has(nests, player, due, after, taken):
    assert take_nests(nests, 12 - sum(nests), player, due) == (after, taken)


@pytest.mark.parametrize(
    "score, at_gate, points, after",
    [
        (24, False, 2, (26, False)),
        (24, False, 3, (27, False)),  # rests on the field before the gate
        (24, False, 4, (27, True)),  # one point too many: on the gate
        (24, False, 50, (27, True)),
        (27, False, 1, (27, True)),  # from the field before it: nothing but the gate
        (27, False, 36, (27, True)),
        (27, True, 1, (28, False)),  # from the gate to the field after it
        (27, True, 20, (47, False)),
        (27, True, 21, (47, True)),  # and no further than the next gate
        (28, False, 19, (47, False)),
        (91, True, 36, (127, False)),  # over 99 to 0
        (91, True, 37, (127, True)),  # and onto the gate of the next lap
        (126, False, 3, (127, True)),
        (127, True, 1, (128, False)),
        (227, False, 5, (227, True)),
    ],
)
def test_s12_a_marker_halts_at_the_gates(score, at_gate, points, after):
    assert move_marker(score, at_gate, points, {27, 47, 69, 91}) == after


# --- records ----------------------------------------------------------------------------------------------------------

CHAPEL_BOX = components("##", "chapel+nest1 close1 field1", gates=(1, 9))


def chapel_record() -> dict:
    """Player 0's prince scores a chapel of 2 tiles that player 1 completes: 6 points, 1 by the gate after field 1."""
    game = small_game("##", "chapel+nest1 close1 field1", rules=GATES, gates=(1, 9))
    turn(game, (0, 0), EAST, send="c1", piece="prince")
    turn(game, (0, 1), rotation=2, send="m1", piece="falconer")
    return game.record()


def test_a_record_tells_of_pieces_nests_and_lost_points():
    record = chapel_record()
    assert [played["follower"] for played in record["turns"]] == [
        {"segment": "c1", "piece": "prince"},
        {"segment": "m1", "piece": "falconer"},
        None,
    ]
    (entry,) = record["turns"][1]["scored"]
    assert (entry["points"], entry["score"], entry["nests"]) == (6, 1, 1)
    assert record["ruleset"] == "sokol-gates" and record["scores"] == [1, 0] and record["end"] == []
    check_record(record, *CHAPEL_BOX, GATES)


@pytest.mark.parametrize(
    "spoil, sentence",
    [
        (lambda r: r.update(ruleset="sokol"), "ruleset is 'sokol'"),
        (lambda r: r["turns"][0]["follower"].update(piece="follower"), r"turns\[1\].scored\[0\].points is 6"),
        (lambda r: r["turns"][0]["follower"].update(piece="king"), r"turns\[0\].follower.piece is 'king'"),
        (lambda r: r["turns"][1]["follower"].update(segment="c1"), r"turns\[1\].follower: falconer to segment 'c1'"),
        (lambda r: r["turns"][1]["follower"].update(segment="h1"), r"turns\[1\].follower: falconer to segment 'h1'"),
        (lambda r: r["turns"][1]["scored"][0].update(nests=0), r"scored\[0\].nests is 0, but the rules give 1"),
        (lambda r: r["turns"][1]["scored"][0].update(points=1), r"scored\[0\].points is 1, but the rules give 6"),
        (lambda r: r["turns"][1]["scored"][0].update(score=6), r"scored\[0\].score is 6, but the rules give 1"),
        (lambda r: r["end"].append({"player": 0, "reason": "nests", "points": 1}), "player 0 for 'nests' is 1"),
        (lambda r: r.update(scores=[6, 0]), "scores is"),
    ],
)
def test_a_spoilt_record_is_rejected(spoil, sentence):
    record = chapel_record()
    spoil(record)
    with pytest.raises(AssertionError, match=sentence):
        check_record(record, *CHAPEL_BOX, GATES)
