"""Carcassonne: who is paid for a completed area, and whose followers return (rule C5)."""

import pytest

from tests.support.drawn_table import DrawnTable

pytestmark = pytest.mark.plays("carcassonne")
rule = pytest.mark.rule

# Two cities that a tile at 1,1 joins: of player 0 in the west, of player 1 in the east.
TWO_CITIES = """
    0: E at 1,0 turned 1, knight on c1
    1: U at 0,1
    0: U at 0,2
    1: E at 1,2 turned 3, knight on c1
"""


@rule("C5")
def test_all_who_tie_for_most_followers_score_the_full_points():
    table = DrawnTable("E U U E G").play(TWO_CITIES).play("0: G at 1,1")
    assert sorted(table.scored) == [(0, "city", 3, 6), (1, "city", 3, 6)]
    assert table.table.scores == (6, 6)
    assert table.table.supplies == (7, 7)
    assert table.table.followers == ()


@rule("C5")
def test_a_shared_road_pays_both_in_full():
    table = DrawnTable("A B B B E A U").play("""
        0: A at 0,1 turned 1, thief on r1
        1: B at 1,0
        0: B at 1,-1
        1: B at 1,-2
        0: E at 2,0 turned 2
        1: A at 0,-2 turned 3, thief on r1
        0: U at 0,-1
    """)
    #   0,-2 ─ 0,-1 ─ 0,0 ─ 0,1
    assert sorted(table.scored) == [(0, "road", 4, 4), (1, "road", 4, 4)]
    assert table.table.supplies == (7, 7)


@rule("C5")
def test_more_followers_score_all_and_fewer_nothing():
    table = (
        DrawnTable("E U U E B B E R")
        .play(TWO_CITIES)
        .play("""
        0: B at 2,0
        1: B at 3,0
        0: E at 2,1, knight on c1
        1: R at 1,1 turned 2
    """)
    )
    #   1,0 ═ 1,1 ═ 1,2      two knights of player 0, at 1,0 and 2,1, one of player 1
    #          ║
    #         2,1
    assert table.scored == [(0, "city", 4, 8)]
    assert table.table.scores == (8, 0)
    assert table.table.supplies == (7, 7)


@rule("C5")
def test_who_completes_an_area_of_the_opponents_gains_nothing():
    table = DrawnTable("N E").play("""
        0: N at -1,0 turned 2, knight on c1
        1: E at -1,1 turned 3
    """)
    assert table.scored == [(0, "city", 3, 6)]
    assert table.table.scores == (6, 0)


@rule("C5")
def test_a_complete_area_without_followers_scores_for_nobody():
    table = DrawnTable("E V").play("0: E at -1,0 turned 2")
    assert table.area((-1, 0), "c1").open_ports == 0
    assert table.scored == []
    assert table.table.scores == (0, 0)


@rule("C4", "C5")
def test_followers_of_completed_areas_return_and_all_others_stay():
    table = DrawnTable("N U E").play("""
        0: N at -1,0 turned 2, knight on c1
        1: U at 0,1, thief on r1
        0: E at -1,1 turned 3, farmer on f1
    """)
    assert table.scored == [(0, "city", 3, 6)]
    assert table.table.followers == ((0, (-1, 1), "f1", "follower"), (1, (0, 1), "r1", "follower"))
    assert table.table.supplies == (6, 6)
