"""Carcassonne: what is complete, and what it pays (rule C4)."""

import pytest

from tests.support.drawn_table import DrawnTable

pytestmark = pytest.mark.plays("carcassonne")
rule = pytest.mark.rule

# A monastery of player 0 at 1,0 with all its neighbours but that south of it.
MONASTERY = """
    0: B at 1,0, monk on k1
    1: U at 0,-1
    0: U at 0,1
    1: E at 1,-1 turned 3
    0: E at 1,1 turned 1
    1: E at 2,-1 turned 2
    0: E at 2,1 turned 2
"""


# --- roads ---


@rule("C4")
def test_a_road_from_a_village_to_a_monastery_pays_a_point_a_tile():
    table = DrawnTable("W A").play("""
        0: W at 0,1, thief on r3
        1: A at 0,-1 turned 3
    """)
    assert table.scored == [(0, "road", 3, 3)]
    assert table.table.scores == (3, 0)


@rule("C4")
def test_a_road_ends_at_a_city():
    table = DrawnTable("T Y", ruleset="carcassonne-demo").play("""
        0: T at 0,1 turned 1, thief on r1
        1: Y at 0,-1 turned 3
    """)
    assert table.scored == [(0, "road", 3, 3)]


@rule("C4")
def test_a_monastery_parts_the_roads_that_meet_it():
    table = DrawnTable("Z A", ruleset="carcassonne-demo").play("""
        0: Z at 0,1, thief on r2
        1: A at 0,-1 turned 3
    """)
    assert table.scored == [(0, "road", 3, 3)]
    assert table.area((0, 1), "r1").tiles == 1
    assert table.area((0, 1), "r1").open_ports == 1


@rule("C4")
def test_a_village_parts_the_roads_that_meet_it():
    table = DrawnTable("X A").play("""
        0: X at 0,1, thief on r4
        1: A at 0,-1 turned 3
    """)
    assert table.scored == [(0, "road", 3, 3)]
    assert [table.area((0, 1), f"r{number}").open_ports for number in (1, 2, 3, 4)] == [1, 1, 1, 0]
    table = DrawnTable("L A").play("""
        0: L at 0,1, thief on r3
        1: A at 0,-1 turned 3
    """)
    assert table.scored == [(0, "road", 3, 3)]
    assert [table.area((0, 1), f"r{number}").open_ports for number in (1, 2, 3)] == [1, 1, 0]


@rule("C4")
def test_a_road_with_an_open_end_is_not_complete():
    table = DrawnTable("W U").play("""
        0: W at 0,1, thief on r3
        1: U at 0,-1
    """)
    assert table.scored == []
    assert table.area((0, 1), "r3").open_ports == 1


@rule("C4")
def test_a_loop_of_road_is_complete():
    table = DrawnTable("B V V V V").play("""
        0: B at 1,0
        1: V at 1,1 turned 3, thief on r1
        0: V at 1,2
        1: V at 2,1 turned 2
    """)
    assert table.scored == []
    table.play("0: V at 2,2 turned 1")
    #   1,1 ─ 1,2
    #    │     │
    #   2,1 ─ 2,2
    assert table.scored == [(1, "road", 4, 4)]


@rule("C4")
def test_a_road_that_comes_back_to_its_village_counts_the_tile_once():
    table = DrawnTable("W V V V").play("""
        0: W at 0,1, thief on r1
        1: V at 0,2
        0: V at 1,2 turned 1
        1: V at 1,1 turned 2
    """)
    #   0,0 ─ 0,1 ─ 0,2
    #          │     │     two of the roads of 0,1 are one
    #         1,1 ─ 1,2
    assert table.scored == [(0, "road", 4, 4)]


# --- cities ---


@rule("C4")
def test_a_city_of_two_tiles_is_no_exception():
    table = DrawnTable("E V").play("0: E at -1,0 turned 2, knight on c1")
    assert table.scored == [(0, "city", 2, 4)]


@rule("C4")
def test_a_city_pays_two_points_a_tile_and_two_a_shield():
    table = DrawnTable("M E").play("""
        0: M at -1,0 turned 2, knight on c1
        1: E at -1,1 turned 3
    """)
    assert table.scored == [(0, "city", 3, 8)]
    table = DrawnTable("M F E").play("""
        0: M at -1,0 turned 2, knight on c1
        1: F at -1,1
        0: E at -1,2 turned 3
    """)
    assert table.scored == [(0, "city", 4, 12)]


@rule("C4")
def test_a_city_with_an_open_side_is_not_complete():
    table = DrawnTable("N U E").play("""
        0: N at -1,0 turned 2, knight on c1
        1: U at 0,1
    """)
    assert table.scored == []
    assert table.area((-1, 0), "c1").open_ports == 2
    table.play("0: E at -1,1 turned 3")
    assert table.scored == [(0, "city", 3, 6)]


@rule("C4")
def test_a_city_with_a_gap_inside_is_not_complete():
    table = DrawnTable("C B", laid="* . . \n N2 R2 N3 \n R1 . R3 \n N1 Q M")
    #  1,0 ═ 1,1 ═ 1,2
    #   ║           ║      nothing is open but the four sides round 2,1
    #  2,0         2,2
    #   ║           ║
    #  3,0 ═ 3,1 ═ 3,2
    assert table.area((1, 0), "c1").tiles == 8
    assert table.area((1, 0), "c1").open_ports == 8
    table.play("0: C at 2,1, knight on c1")
    assert table.scored == [(0, "city", 9, 24)]  # three shields


@rule("C4")
def test_a_tile_with_two_segments_in_a_city_counts_once():
    table = DrawnTable("N N N I").play("""
        0: N at 1,0 turned 2, knight on c1
        1: N at 1,1 turned 3
        0: N at 2,0 turned 1
        1: I at 2,1
    """)
    #   1,0 ═ 1,1
    #    ║     ║     2,1 shows two cities, in the north and in the west, that are one
    #   2,0 ═ 2,1
    assert table.scored == [(0, "city", 4, 8)]


@rule("C4", "C5")
def test_one_tile_may_complete_several_areas_of_both_players():
    table = DrawnTable("A B B E L").play("""
        0: A at 0,-1 turned 3, thief on r1
        1: B at 1,0
        0: B at 2,0
        1: E at 1,1, knight on c1
        0: L at 0,1 turned 2
    """)
    #  0,-1 ─ 0,0 ─ 0,1     a village in the middle of 0,1
    #                ║
    #         1,0   1,1
    assert sorted(table.scored) == [(0, "road", 3, 3), (1, "city", 2, 4)]
    assert table.table.scores == (3, 4)


# --- monasteries ---


@rule("C4")
def test_a_monastery_is_complete_with_all_eight_neighbours():
    table = DrawnTable("B U U E E E E E").play(MONASTERY)
    assert table.scored == []
    assert table.area((1, 0), "k1").tiles == 8
    table.play("1: E at 2,0 turned 2")
    assert table.scored == [(0, "monastery", 9, 9)]
    assert table.table.scores == (9, 0)
    assert table.table.supplies == (7, 7)


@rule("C4", "C5")
def test_a_monastery_placed_among_eight_tiles_is_complete_at_once():
    table = DrawnTable("B", laid="U * U \n E3 . E1 \n E2 E2 E2").play("1: B at 1,0, monk on k1")
    assert table.scored == [(1, "monastery", 9, 9)]
    assert table.table.followers == ()


@rule("C4", "C1")
@pytest.mark.parametrize("way", [1, -1])
def test_the_opponent_completes_a_monastery_far_out_and_its_owner_scores_at_once(way):
    """To the east or to the west of the start tile, beyond the window that observations show."""
    road = ["*", *"UUUUUUUU", *"DDD", *"WWWW"]  # 16 tiles; the last four show a field to the north
    table = DrawnTable("B E E E E E V", laid=" ".join(road[::way]))
    near, middle, far = (way * column for column in (13, 14, 15))
    assert abs(near) > table.game.ruleset.components.board.window // 2
    west, east = sorted([near, far])
    table.play(f"""
        1: B at -1,{middle}, monk on k1
        0: E at -1,{west} turned 3
        1: E at -1,{east} turned 1
        0: E at -2,{west}
        1: E at -2,{east}
    """)
    assert table.area((-1, middle), "k1").tiles == 8
    assert table.scored == []
    assert table.table.supplies == (7, 6)
    table.play(f"0: E at -2,{middle}")
    assert table.scored == [(1, "monastery", 9, 9)]
    assert table.table.scores == (0, 9)
    assert table.table.supplies == (7, 7)
    assert table.table.followers == ()


@rule("C4")
def test_one_tile_may_complete_three_monasteries_around_it():
    table = DrawnTable("B B B U U U U E E E E E V A").play("""
        0: B at 1,0, monk on k1
        1: B at 1,1, monk on k1
        0: B at 1,2, monk on k1
        1: U at 0,-1
        0: U at 0,1
        1: U at 0,2
        0: U at 0,3
        1: E at 1,-1 turned 3
        0: E at 1,3 turned 1
        1: E at 2,-1 turned 2
        0: E at 2,0 turned 2
        1: E at 2,2 turned 2
        0: V at 2,3 turned 3
    """)
    #    road  road  road  road  road       the last tile touches 1,1, and 1,0 and 1,2 by a corner
    #    1,-1  1,0   1,1   1,2   1,3
    #    2,-1  2,0  (2,1)  2,2   2,3
    assert table.scored == []
    table.play("1: A at 2,1")
    assert sorted(table.scored) == [(0, "monastery", 9, 9), (0, "monastery", 9, 9), (1, "monastery", 9, 9)]
    assert table.table.scores == (18, 9)
    assert table.table.followers == ()


@rule("C4")
def test_a_field_is_never_completed():
    table = DrawnTable("N N N I B").play("""
        0: N at 1,0 turned 2
        1: N at 1,1 turned 3
        0: N at 2,0 turned 1
        1: I at 2,1, farmer on f1
    """)
    assert table.scored == []
    assert table.table.followers == ((1, (2, 1), "f1", "follower"),)
