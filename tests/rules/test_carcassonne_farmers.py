"""Carcassonne: followers on fields, and what they are paid for at the end (rule C8)."""

import pytest

from tests.support.drawn_table import DrawnTable
from zamek_env import Game

pytestmark = pytest.mark.plays("carcassonne")
rule = pytest.mark.rule

# Which cities of its tile a field touches, where it is not all of them.
APART = {"D": {"f2"}, "J": {"f2"}, "K": {"f2"}, "L": {"f2", "f3"}, "O": {"f2"}, "P": {"f2"}}

# Player 0's farmer lies north of the completed city, player 1's east of it; a tile at -1,1 makes them neighbours.
TWO_FIELDS = """
    0: E at -1,0 turned 2, farmer on f1
    1: U at 0,1, farmer on f1
"""


@rule("C8")
def test_a_field_pays_three_points_for_a_completed_city_that_it_touches():
    table = DrawnTable("E", only=True).play("0: E at -1,0 turned 2, farmer on f1")
    assert table.paid == {(0, "field"): 3}
    assert table.table.scores == (3, 0)


@rule("C8")
def test_an_unfinished_city_pays_a_field_nothing():
    table = DrawnTable("N", only=True).play("0: N at -1,0 turned 2, farmer on f1")
    assert table.paid == {}


@rule("C8")
def test_a_field_counts_all_cities_of_its_tile():
    table = DrawnTable("H E", only=True).play("""
        0: H at -1,0, farmer on f1
        1: E at -2,0 turned 2
    """)
    assert table.paid == {(0, "field"): 6}
    table = DrawnTable("I E", only=True).play("""
        0: I at -1,0 turned 2, farmer on f1
        1: E at -1,1 turned 3
    """)
    assert table.paid == {(0, "field"): 6}


@rule("C8")
def test_both_fields_beside_a_city_touch_it():
    for field in ("f1", "f2"):
        table = DrawnTable("G E", only=True).play(f"""
            0: G at -1,0 turned 1, farmer on {field}
            1: E at -2,0 turned 2
        """)
        assert table.paid == {(0, "field"): 3}
        table = DrawnTable("T E E", only=True).play(f"""
            0: T at -1,0 turned 2, farmer on {field}
            1: E at -1,1 turned 3
            0: E at -1,-1 turned 1
        """)
        assert table.paid == {(0, "field"): 3}


@rule("C8")
@pytest.mark.parametrize(
    "letter, field", [(letter, field) for letter, fields in APART.items() for field in sorted(fields)]
)
def test_a_field_that_the_road_parts_from_the_city_does_not_touch_it(letter, field):
    def paid(segment):
        corner = letter in "OP"  # its city has a second side, towards -1,1
        table = DrawnTable(f"{letter} E" if corner else letter, only=True)
        table.play(f"0: {letter} at -1,0 turned 2, farmer on {segment}")
        if corner:
            table.play("1: E at -1,1 turned 3")
        assert table.area((-1, 0), "c1").open_ports == 0
        return table.paid

    assert paid(field) == {}
    assert paid("f1") == {(0, "field"): 3}


@rule("C8")
def test_the_southern_field_of_the_start_tile_does_not_touch_its_city():
    table = DrawnTable("E B", only=True).play("""
        0: E at -1,0 turned 2
        1: B at 1,0, farmer on f1
    """)
    assert table.area((1, 0), "f1") == table.area((0, 0), "f2")
    assert table.paid == {}
    table = DrawnTable("E U", only=True).play("""
        0: E at -1,0 turned 2
        1: U at 0,1, farmer on f1
    """)
    assert table.area((0, 1), "f1") == table.area((0, 0), "f1")
    assert table.paid == {(1, "field"): 3}


@rule("C8")
@pytest.mark.parametrize(
    "letters, field, ports",
    [
        ("D", "f2", {5, 6, 8, 9}),  # all the south, and the southern halves of both sides with the road
        ("JOP", "f2", {5, 6}),  # the south-eastern corner
        ("K", "f2", {8, 9}),  # the south-western corner
        ("L", "f2", {5, 6}),
        ("L", "f3", {8, 9}),
    ],
)
def test_the_fields_apart_lie_where_the_rule_says(letters, field, ports):
    tiles = [tile for tile in Game("carcassonne", seed=0).ruleset.components.tiles if tile.id in letters]
    for tile in tiles:
        assert {port for segment in tile.segments if segment.name == field for port in segment.ports} == ports


@rule("C8")
def test_every_other_field_touches_all_cities_of_its_tile():
    components = Game("carcassonne", seed=0).ruleset.components
    for tile in components.tiles:
        cities = {segment.name for segment in tile.segments if segment.feature == "city"}
        for segment in tile.segments:
            if segment.feature == "field":
                apart = segment.name in APART.get(tile.id, ())
                assert set(segment.touches) == (set() if apart else cities), (tile.id, segment.name)


@rule("C8")
def test_a_city_counts_once_though_the_field_touches_several_of_its_tiles():
    table = DrawnTable("N E B B", only=True).play("""
        0: N at -1,0 turned 2, farmer on f1
        1: E at -1,1 turned 3
        0: B at -2,0
        1: B at -2,1
    """)
    assert table.area((-1, 0), "f1") == table.area((-1, 1), "f1")
    assert table.paid == {(0, "field"): 3}


@rule("C8")
def test_two_fields_are_both_paid_for_one_city():
    table = DrawnTable("E U", only=True).play(TWO_FIELDS)
    assert table.paid == {(0, "field"): 3, (1, "field"): 3}


@rule("C5", "C8")
def test_farmers_of_merged_fields_who_tie_are_paid_in_full():
    table = DrawnTable("E U B", only=True).play(TWO_FIELDS).play("0: B at -1,1")
    assert table.area((-1, 1), "f1").followers == (1, 1)
    assert table.paid == {(0, "field"): 3, (1, "field"): 3}


@rule("C5", "C8")
def test_the_majority_of_a_merged_field_is_paid_for_all_its_cities():
    table = (
        DrawnTable("E U E B E B", only=True)
        .play(TWO_FIELDS)
        .play("""
        0: E at -2,0 turned 1
        1: B at 1,0
        0: E at -2,1 turned 3, farmer on f1
        1: B at -1,1
    """)
    )
    #  -2,0 ═ -2,1      two farmers of player 0, at -1,0 and -2,1, and one of player 1, at 0,1
    #  -1,0   -1,1
    #   0,0 ── 0,1
    assert table.area((-1, 1), "f1").followers == (2, 1)
    assert table.paid == {(0, "field"): 6}


@rule("C3", "C8")
def test_nobody_is_sent_to_a_field_in_which_a_farmer_lies():
    table = DrawnTable("E U B").play(TWO_FIELDS).play("0: B at -1,1, ...")
    assert table.options() == ["monk on k1", "nobody"]
    assert "a follower stands in the field of f1 already (C3)" in table.why_illegal("farmer on f1")


@rule("C8")
def test_farmers_lie_to_the_end():
    table = DrawnTable("N E U", only=True).play("""
        0: N at -1,0 turned 2, farmer on f1
        1: E at -1,1 turned 3, knight on c1
        0: U at 0,1
    """)
    assert table.scored == [(1, "city", 3, 6)]
    assert table.table.followers == ((0, (-1, 0), "f1", "follower"),)
    assert table.paid == {(0, "field"): 3}
    assert table.table.scores == (3, 6)


@rule("C8")
def test_a_field_without_farmers_pays_nobody():
    assert DrawnTable("E", only=True).play("0: E at -1,0 turned 2").paid == {}


@rule("C8")
@pytest.mark.parametrize("ruleset", ["carcassonne-demo", "carcassonne-no-farmers"])
def test_without_farmers_fields_pay_nothing(ruleset):
    table = DrawnTable("E U", only=True, ruleset=ruleset).play("""
        0: E at -1,0 turned 2, knight on c1
        1: U at 0,1, ...
    """)
    assert not any("farmer" in option for option in table.options())
    table.play("1: nobody")
    assert table.paid == {}
    assert table.table.scores == (4, 0)
