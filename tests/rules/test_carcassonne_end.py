"""Carcassonne: what is paid at the end, and who wins (rules C6, C7)."""

import pytest

from tests.support.drawn_table import DrawnTable

pytestmark = pytest.mark.plays("carcassonne")
rule = pytest.mark.rule

# One knight of each player in a city of three tiles that stays open towards 2,1.
SHARED_CITY = """
    0: E at 1,0 turned 1, knight on c1
    1: U at 0,1
    0: U at 0,2
    1: E at 1,2 turned 3, knight on c1
    0: R at 1,1 turned 2
"""


@rule("C6")
def test_an_unfinished_road_pays_a_point_a_tile():
    table = DrawnTable("U U", only=True).play("""
        0: U at 0,1, thief on r1
        1: U at 0,-1
    """)
    assert table.paid == {(0, "unfinished road"): 3}
    assert table.table.scores == (3, 0)


@rule("C6")
def test_an_unfinished_city_pays_a_point_a_tile_and_a_point_a_shield():
    table = DrawnTable("M F", only=True).play("""
        0: M at -1,0 turned 2, knight on c1
        1: F at -1,1
    """)
    assert table.paid == {(0, "unfinished city"): 5}


@rule("C6")
def test_an_unfinished_monastery_pays_a_point_and_a_point_a_neighbour():
    assert DrawnTable("B", only=True).play("0: B at 1,0, monk on k1").paid == {(0, "unfinished monastery"): 2}
    table = DrawnTable("B U U", only=True).play("""
        0: B at 1,0, monk on k1
        1: U at 0,1
        0: U at 0,-1
    """)
    assert table.paid == {(0, "unfinished monastery"): 4}  # two of them touch it by a corner


@rule("C5", "C6")
def test_all_who_tie_in_an_unfinished_area_get_the_full_points():
    table = DrawnTable("E U U E R", only=True).play(SHARED_CITY)
    assert table.paid == {(0, "unfinished city"): 3, (1, "unfinished city"): 3}
    assert table.table.scores == (3, 3)


@rule("C5", "C6")
def test_more_followers_in_an_unfinished_area_get_all_and_fewer_nothing():
    table = DrawnTable("E U U E B G R", only=True).play("""
        0: E at 1,0 turned 1, knight on c1
        1: U at 0,1
        0: U at 0,2
        1: E at 1,2 turned 3, knight on c1
        0: B at 2,0
        1: G at 2,1 turned 1, knight on c1
        0: R at 1,1 turned 2
    """)
    #  1,0 ═ 1,1 ═ 1,2      open in the south of 2,1
    #         ║
    #        2,1
    assert table.paid == {(1, "unfinished city"): 4}


@rule("C6")
def test_several_unfinished_areas_are_paid_each():
    table = DrawnTable("U V N", only=True).play("""
        0: U at 0,1, thief on r1
        1: V at 1,0 turned 3, thief on r1
        0: N at -1,0 turned 2, knight on c1
    """)
    assert table.paid == {(0, "unfinished road"): 2, (0, "unfinished city"): 2, (1, "unfinished road"): 1}
    assert table.table.scores == (4, 1)


@rule("C6")
def test_a_completed_area_is_not_paid_again():
    table = DrawnTable("E", only=True).play("0: E at -1,0 turned 2, knight on c1")
    assert table.scored == [(0, "city", 2, 4)]
    assert table.paid == {}
    assert table.table.scores == (4, 0)


@rule("C6")
def test_an_unfinished_area_without_followers_pays_nobody():
    table = DrawnTable("U B N", only=True).play("""
        0: U at 0,1
        1: B at 1,0
        0: N at -1,0 turned 2
    """)
    assert table.paid == {}
    assert table.table.scores == (0, 0)


@rule("C6")
def test_followers_of_unfinished_areas_lie_where_they_lay():
    table = DrawnTable("U", only=True).play("0: U at 0,1, thief on r1")
    assert table.game.is_terminal
    assert table.table.followers == ((0, (0, 1), "r1", "follower"),)
    assert table.table.supplies == (6, 7)


@rule("C7")
def test_most_points_win():
    table = DrawnTable("U", only=True).play("0: U at 0,1, thief on r1")
    assert tuple(table.game.returns()) == (1, -1)
    table = DrawnTable("B U", only=True).play("""
        0: B at 1,0
        1: U at 0,1, thief on r1
    """)
    assert tuple(table.game.returns()) == (-1, 1)


@rule("C7")
def test_equal_points_share_the_victory():
    table = DrawnTable("E U U E R", only=True).play(SHARED_CITY)
    assert tuple(table.game.returns()) == (0, 0)


@rule("C6", "C7")
def test_the_end_scoring_decides_who_wins():
    table = DrawnTable("E U U U B", only=True).play("""
        0: E at -1,0 turned 2, knight on c1
        1: U at 0,1, thief on r1
        0: U at 0,2
        1: U at 0,3
        0: B at 1,0
    """)
    assert table.scored == [(0, "city", 2, 4)]
    assert table.paid == {(1, "unfinished road"): 4}
    assert tuple(table.game.returns()) == (0, 0)
