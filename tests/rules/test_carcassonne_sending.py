"""Carcassonne: where a follower may go (rules C3, C5, C8)."""

import pytest

from tests.support.drawn_table import DrawnTable

pytestmark = pytest.mark.plays("carcassonne")
rule = pytest.mark.rule
without_farmers = pytest.mark.parametrize("ruleset", ["carcassonne-demo", "carcassonne-no-farmers"])

# Player 0 sends all five followers of the demo: to cities and a road that stay open, down a column of tiles.
ALL_FIVE = """
    0: E at 1,0 turned 1, knight on c1
    1: U at 2,0
    0: E at 3,0 turned 1, knight on c1
    1: U at 4,0
    0: U at 5,0, thief on r1
    1: U at 6,0
    0: H at 7,0 turned 1, knight on c1
    1: F at 8,0
    0: H at 9,0 turned 1, knight on c1
    1: G at 10,0
"""
COLUMN = "E U E U U U H F H G "


@rule("C3", "C8")
def test_a_follower_may_go_to_each_feature_of_the_tile():
    table = DrawnTable("S").play("0: S at -1,0 turned 2, ...")
    assert table.options() == ["farmer on f1", "farmer on f2", "knight on c1", "nobody", "thief on r1"]
    table = DrawnTable("A").play("0: A at 1,0, ...")
    assert table.options() == ["farmer on f1", "monk on k1", "nobody", "thief on r1"]
    table = DrawnTable("X").play("0: X at 0,1, ...")
    assert table.options() == [
        *(f"farmer on f{n}" for n in (1, 2, 3, 4)),
        "nobody",
        *(f"thief on r{n}" for n in (1, 2, 3, 4)),
    ]


@rule("C3", "C8")
@without_farmers
def test_without_farmers_nobody_goes_to_a_field(ruleset):
    table = DrawnTable("S A", ruleset=ruleset).play("0: S at -1,0 turned 2, ...")
    assert table.options() == ["knight on c1", "nobody", "thief on r1"]
    assert "there are no farmers (C8)" in table.why_illegal("farmer on f1")
    table.play("""
        0: nobody
        1: A at 1,0, ...
    """)
    assert table.options() == ["monk on k1", "nobody", "thief on r1"]
    assert "there are no farmers (C8)" in table.why_illegal("farmer on f1")


@rule("C3")
def test_a_follower_goes_to_the_tile_just_placed_only():
    table = DrawnTable("B E").play("""
        0: B at 1,0
        1: E at -1,0 turned 2, ...
    """)
    assert table.options() == ["farmer on f1", "knight on c1", "nobody"]


@rule("C3")
def test_nobody_is_sent_where_the_opponent_stands_in_the_area():
    table = DrawnTable("N E").play("""
        0: N at -1,0 turned 2, knight on c1
        1: E at -1,1 turned 3, ...
    """)
    assert table.options() == ["farmer on f1", "nobody"]
    assert "a follower stands in the city of c1 already (C3)" in table.why_illegal("knight on c1")


@rule("C3")
def test_an_own_follower_at_the_far_end_occupies_the_area():
    table = DrawnTable("U U U", ruleset="carcassonne-demo").play("""
        0: U at 0,1, thief on r1
        1: U at 0,-1
        0: U at 0,-2, ...
    """)
    assert table.game.phase == "place"  # it was not even asked
    assert table.table.player == 1
    assert table.table.followers == ((0, (0, 1), "r1", "follower"),)


@rule("C3")
def test_two_segments_in_one_free_area_are_two_places_to_stand():
    table = DrawnTable("W", laid="* . V \n B V2 V1").play("0: W at 0,1, ...")
    assert table.area((0, 1), "r1") == table.area((0, 1), "r2") != table.area((0, 1), "r3")
    thieves = [option for option in table.options() if "thief" in option]
    assert thieves == ["thief on r1", "thief on r2", "thief on r3"]


@rule("C3")
@without_farmers
def test_where_nobody_can_be_sent_the_send_is_not_asked_for(ruleset):
    table = DrawnTable("U U E", ruleset=ruleset).play("0: U at 0,1, thief on r1")
    table.play("1: U at 0,-1, ...")  # only the road, which is occupied, and fields
    assert (table.game.phase, table.table.player) == ("place", 0)


@rule("C2", "C3")
def test_with_no_follower_in_supply_the_send_is_not_asked_for():
    table = DrawnTable(COLUMN + "F", ruleset="carcassonne-demo").play(ALL_FIVE)
    assert table.table.supplies == (0, 5)
    table.play("0: F at 11,0, ...")
    assert (table.game.phase, table.table.player) == ("place", 1)


@rule("C5")
def test_followers_that_return_in_a_turn_cannot_be_placed_in_the_same_turn():
    table = DrawnTable(COLUMN + "D V", ruleset="carcassonne-demo").play(ALL_FIVE)
    table.play("0: D at 1,1 turned 3, ...")  # completes the city of 1,0; its own road is free
    assert table.scored == [(0, "city", 2, 4)]
    assert table.table.supplies == (1, 5)
    assert (table.game.phase, table.table.player) == ("place", 1)


@rule("C5")
def test_followers_that_return_may_be_placed_from_the_next_turn_on():
    table = DrawnTable(COLUMN + "D V V", ruleset="carcassonne-demo").play(ALL_FIVE)
    table.play("""
        0: D at 1,1 turned 3
        1: V at 0,-1 turned 2
        0: V at 0,1, ...
    """)
    assert table.options() == ["nobody", "thief on r1"]


@rule("C5")
def test_a_follower_may_be_placed_on_what_the_tile_completes():
    table = DrawnTable("E V").play("0: E at -1,0 turned 2, ...")
    assert table.area((-1, 0), "c1").open_ports == 0
    assert "knight on c1" in table.options()
    table.play("0: knight on c1")
    assert table.scored == [(0, "city", 2, 4)]
    assert table.table.followers == ()
    assert table.table.supplies == (7, 7)


@rule("C3", "C4")
def test_when_areas_with_followers_merge_all_followers_stay():
    table = DrawnTable("E U U E R").play("""
        0: E at 1,0 turned 1, knight on c1
        1: U at 0,1
        0: U at 0,2
        1: E at 1,2 turned 3, knight on c1
        0: R at 1,1 turned 2, ...
    """)
    assert table.area((1, 1), "c1").followers == (1, 1)
    assert table.options() == ["farmer on f1", "nobody"]
    assert "a follower stands in the city of c1 already (C3)" in table.why_illegal("knight on c1")
