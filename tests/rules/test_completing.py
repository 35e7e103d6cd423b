"""Turn, action 3: which areas are complete, who scores them and what they pay (rules Z16–Z18, Z20, Z21)."""

import pytest

from tests.support.drawn import Drawn

rule = pytest.mark.rule

# Four bends round a corner of four spaces, the first with player 0's herald.
LOOP = """
    0: Z27 at 0,3 turned 1, herald on r1
    1: Z35 at 0,4 turned 2
    0: Z36 at 1,4 turned 3
"""

# Two houses that one tile at 0,4 joins and completes: at 0,3 of player 0, at 1,4 of player 1.
TWO_HOUSES = """
    0: Z03 at 0,3 turned 2, squire on h1
    1: Z11 at 1,3
    0: Z06 at 9,4
    1: Z12 at 1,4, squire on h1
"""


# --- complete or not ---


@rule("Z16")
def test_the_wall_ends_a_house():
    drawn = Drawn("Z14 Z02 Z11").play("""
        0: Z14 at 1,7
        1: Z02 at 1,8 turned 1, squire on h1
    """)
    # 1,8 lies in a corner of the wall; Z02 shows house to the north and the east, Z14 is not joined
    assert drawn.scored == [(1, "house", 1, 1)]


@rule("Z16")
def test_the_wall_ends_a_road():
    drawn = Drawn("Z14 Z27 Z11").play("""
        0: Z14 at 1,7
        1: Z27 at 1,8, herald on r1
    """)
    assert drawn.scored == [(1, "road", 1, 1)]


@rule("Z16")
def test_a_house_is_closed_by_a_neighbouring_tile_that_shows_something_else():
    drawn = Drawn("Z03 Z11 Z08").play("0: Z03 at 0,3 turned 2, squire on h1")  # house towards 0,4
    assert drawn.area((0, 3), "h1").open_ports == 2
    assert drawn.scored == []
    drawn.play("1: Z11 at 0,4")  # a meadow all over, no part of the house
    assert drawn.area((0, 3), "h1").open_ports == 0
    assert drawn.scored == [(0, "house", 1, 1)]


@rule("Z16")
def test_an_area_with_one_open_half_side_is_not_complete():
    drawn = Drawn("Z13 Z11 Z08").play("0: Z13 at 3,9 turned 2, farmer on p1")
    # the pigsty is the western half of the south side, towards 4,9
    assert drawn.area((3, 9), "p1").open_ports == 1
    assert drawn.scored == []


@rule("Z16")
def test_one_tile_completes_several_areas_it_is_no_part_of():
    drawn = Drawn("Z09 Z06 Z12 Z11 Z03").play("""
        0: Z09 at 3,9 turned 3, farmer on p1
        1: Z06 at 4,9
        0: Z12 at 4,8, squire on h1
        1: Z11 at 3,8, nobody, ...
    """)
    #         2,8
    #   3,7  (3,8)  3,9  pigsty towards 3,8 and D
    #         4,8   house towards 3,8
    assert drawn.options() == ["house at 4,8 h1", "pigsty at 3,9 p1"]
    drawn.play("1: house at 4,8 h1")
    assert drawn.scored == [(0, "house", 1, 1), (0, "pigsty", 2, 4)]


@rule("Z16", "Z18")
def test_a_start_space_of_the_same_feature_counts_in_the_area():
    drawn = Drawn("Z12 Z11").play("0: Z12 at 9,4 turned 2, squire on h1")
    assert drawn.scored == [(0, "house", 2, 2)]
    drawn = Drawn("Z07 Z11").play("0: Z07 at 3,9 turned 2, farmer on p1")
    assert drawn.scored == [(0, "pigsty", 2, 4)]
    drawn = Drawn("Z13 Z11").play("0: Z13 at 2,0 turned 3, herald on r1")
    assert drawn.scored == [(0, "road", 2, 2)]


@rule("Z16", "Z18")
def test_a_start_space_of_another_feature_closes_the_area_and_adds_nothing():
    drawn = Drawn("Z12 Z11").play("0: Z12 at 0,3, squire on h1")  # the house lies towards the meadow of B
    assert drawn.scored == [(0, "house", 1, 1)]
    drawn = Drawn("Z02 Z11").play("0: Z02 at 3,9 turned 1, squire on h1")  # towards the pigsty of D, and the wall
    assert drawn.scored == [(0, "house", 1, 1)]


@rule("Z16")
def test_a_start_space_has_no_open_port_once_its_space_is_filled():
    drawn = Drawn("Z08 Z11")
    assert drawn.area("F", "h1").open_ports == 2
    drawn.play("0: Z08 at 9,4")
    assert drawn.area("F", "h1").open_ports == 0


@rule("Z16")
def test_a_loop_of_road_is_complete():
    drawn = Drawn("Z27 Z35 Z36 Z40 Z11").play(LOOP)
    assert drawn.scored == []
    drawn.play("1: Z40 at 1,3")
    #   0,3 ─ 0,4
    #    │     │
    #   1,3 ─ 1,4
    assert drawn.scored == [(0, "road", 4, 4)]


@rule("Z18")
def test_a_tile_with_two_segments_in_a_road_counts_once():
    drawn = Drawn("Z27 Z35 Z36 Z49 Z11").play(LOOP).play("1: Z49 at 1,3")
    #   0,3 ─ 0,4
    #    │     │
    #   1,3 ─ 1,4     1,3 is a fountain: two of its arms belong to the loop, the third leads south
    #    │
    assert drawn.scored == [(0, "road", 4, 4)]
    assert drawn.area((1, 3), "r3").open_ports == 1


@rule("Z18")
def test_a_tile_with_two_segments_in_a_house_counts_once():
    drawn = Drawn("Z41 Z14 Z08 Z06 Z11 Z03").play("""
        0: Z41 at 8,9, squire on h1
        1: Z14 at 7,9 turned 2
        0: Z08 at 6,9
        1: Z06 at 8,8
        0: Z11 at 7,8
    """)
    #  7,9  Z14  house all over, a road in the south
    #  8,9  Z41  on its north side house h1, road, house h2, which Z14 joins
    assert drawn.scored == [(0, "house", 2, 2)]


@rule("Z16", "Z20")
def test_a_meadow_is_never_completed():
    drawn = Drawn("Z16 Z11").play("0: Z16 at 2,0 turned 3, monk on m2")
    meadow = drawn.area((2, 0), "m2")
    assert meadow.segments == {("A", "m1"), ((2, 0), "m2")}
    assert meadow.open_ports == 0
    assert drawn.scored == []
    assert drawn.table.followers == ((0, (2, 0), "m2", "follower"),)


# --- who scores ---


@rule("Z17", "Z20")
def test_a_tie_scores_nothing_for_either_and_returns_all_followers():
    drawn = Drawn("Z03 Z11 Z06 Z12 Z02 Z08").play(TWO_HOUSES)
    assert drawn.table.supplies == (5, 5)
    drawn.play("0: Z02 at 0,4 turned 3")
    assert drawn.scored == []
    assert drawn.table.scores == (0, 0)
    assert drawn.table.family_houses == (0, 0)
    assert drawn.table.followers == ()
    assert drawn.table.supplies == (6, 6)


@rule("Z17", "Z14", "Z20")
def test_more_followers_score_the_whole_area_and_fewer_score_nothing():
    drawn = Drawn("Z11 Z03 Z02 Z06 Z12 Z10 Z08").play("""
        0: Z11 at 0,3
        1: Z03 at 1,3 turned 2, squire on h1
        0: Z02 at 0,4 turned 2, squire on h1
        1: Z06 at 2,3
        0: Z12 at 2,4, squire on h1
        1: Z10 at 1,4 turned 1
    """)
    #         0,4
    #   1,3   1,4     1,4 joins player 1's house at 1,3 with player 0's at 0,4 and 2,4
    #         2,4
    assert drawn.scored == [(0, "house", 4, 4)]
    assert drawn.table.scores == (4, 0)
    assert drawn.table.supplies == (6, 6)


@rule("Z17")
def test_a_complete_area_without_followers_scores_for_nobody():
    drawn = Drawn("Z12 Z11").play("0: Z12 at 9,4 turned 2, nobody")
    assert drawn.area((9, 4), "h1").open_ports == 0
    assert drawn.scored == []
    assert drawn.table.scores == (0, 0)
    assert drawn.table.family_houses == (0, 0)


@rule("Z17")
def test_who_completes_an_area_of_the_opponents_gains_nothing():
    drawn = Drawn("Z03 Z11 Z08").play("""
        0: Z03 at 0,3 turned 2, squire on h1
        1: Z11 at 0,4
    """)
    assert drawn.table.scores == (1, 0)


@rule("Z17", "Z14", "Z16", "Z20")
def test_one_tile_joins_a_road_of_both_players_and_completes_six_more_areas():
    drawn = Drawn("Z19 Z06 Z37 Z52 Z32 Z30 Z56 Z11 Z31 Z03 Z47 Z08").play("""
        0: Z19 at 3,9, herald on r1
        1: Z06 at 3,8 turned 2, farmer on p1
        0: Z37 at 3,7 turned 2, squire on h1
        1: Z52 at 4,7, herald on r2
        0: Z32 at 5,7 turned 3, squire on h1
        1: Z30 at 5,8, squire on h1
        0: Z56 at 5,9 turned 1, herald on r3
        1: Z11 at 0,3
        0: Z31 at 4,9 turned 3, farmer on p1
        1: Z03 at 0,4
    """)
    #   3,7   3,8   3,9
    #                │
    #   4,7 ─(4,8)─ 4,9     three roads, of player 1 from the west, of player 0 from the east and the south
    #          │
    #   5,7   5,8 ─ 5,9
    assert drawn.scored == []
    assert drawn.table.supplies == (1, 3)
    drawn.play("0: Z47 at 4,8 turned 1, farmer on p2, ...")
    drawn.play("0: road at 4,8 r1, pigsty at 4,9 p1, pigsty at 4,8 p2, house at 3,7 h1, ...")
    drawn.play("0: pigsty at 3,8 p1")
    assert drawn.scored == [
        (0, "road", 6, 6),  # by two heralds to one
        (0, "pigsty", 2, 4),  # 4,9 and 4,8
        (0, "pigsty", 1, 2),  # the other one on 4,8
        (0, "house", 2, 2),  # 3,7 and 4,7
        (0, "house", 2, 2),  # 5,7 and 4,7
        (1, "pigsty", 1, 2),  # 3,8, closed by a meadow of 4,8
        (1, "house", 1, 1),  # 5,8, closed by a pigsty of 4,8
    ]
    assert drawn.table.scores == (16, 3)
    assert drawn.table.supplies == (6, 6)
    assert drawn.table.followers == ()


# --- points ---


@rule("Z18")
def test_a_road_pays_one_point_a_tile():
    drawn = Drawn("Z17 Z27 Z13 Z11").play("""
        0: Z17 at 2,0 turned 1, herald on r1
        1: Z27 at 2,1 turned 3
        0: Z13 at 1,1 turned 2
    """)
    #         1,1
    #          │
    #  A ─ 2,0 ─ 2,1
    assert drawn.scored == [(0, "road", 4, 4)]


@rule("Z18")
def test_a_road_with_stocks_pays_two_points_a_tile():
    drawn = Drawn("Z17 Z28 Z13 Z11").play("""
        0: Z17 at 2,0 turned 1, herald on r1
        1: Z28 at 2,1 turned 3
        0: Z13 at 1,1 turned 2
    """)
    assert drawn.scored == [(0, "road", 4, 8)]


@rule("Z18")
def test_more_stocks_do_not_double_again():
    drawn = Drawn("Z42 Z15 Z11").play("""
        0: Z42 at 2,0 turned 3, herald on r1
        1: Z15 at 1,0 turned 2
    """)
    assert drawn.area("A", "r1").marks == 2
    assert drawn.scored == [(0, "road", 3, 6)]


@rule("Z18")
def test_a_pigsty_pays_two_points_a_tile():
    drawn = Drawn("Z07 Z06 Z11").play("""
        0: Z07 at 3,9 turned 3, farmer on p1
        1: Z06 at 4,9
    """)
    # 3,9 shows pigsty to D in the east and to 4,9 in the south
    assert drawn.scored == [(0, "pigsty", 3, 6)]


@rule("Z18")
def test_a_house_pays_one_point_a_tile():
    drawn = Drawn("Z02 Z03 Z11 Z06").play("""
        0: Z02 at 9,4 turned 2, squire on h1
        1: Z03 at 9,5
    """)
    # 9,4 shows house to F in the south and to 9,5 in the east
    assert drawn.scored == [(0, "house", 3, 3)]


# --- family house ---


@rule("Z21")
def test_the_first_completed_house_a_player_scores_becomes_the_family_house():
    drawn = Drawn("Z12 Z11").play("0: Z12 at 9,4 turned 2, squire on h1")
    assert drawn.table.family_houses == (2, 0)


@rule("Z21")
def test_a_larger_house_takes_the_place_of_the_family_house():
    drawn = Drawn("Z12 Z11 Z03 Z06").play("""
        0: Z12 at 0,3, squire on h1
        1: Z11 at 3,9
    """)
    assert drawn.table.family_houses == (1, 0)
    drawn.play("0: Z03 at 9,4 turned 3, squire on h1")
    assert drawn.table.family_houses == (2, 0)


@rule("Z21")
def test_a_smaller_house_does_not_take_the_place_of_the_family_house():
    drawn = Drawn("Z12 Z11 Z03 Z06").play("""
        0: Z12 at 9,4 turned 2, squire on h1
        1: Z11 at 3,9
        0: Z03 at 0,3 turned 1, squire on h1
    """)
    assert drawn.scored == [(0, "house", 2, 2), (0, "house", 1, 1)]
    assert drawn.table.family_houses == (2, 0)


@rule("Z21")
def test_a_house_of_the_same_size_changes_nothing():
    drawn = Drawn("Z12 Z11 Z03 Z06").play("""
        0: Z12 at 0,3, squire on h1
        1: Z11 at 9,4
        0: Z03 at 3,9 turned 2, squire on h1
    """)
    assert drawn.scored == [(0, "house", 1, 1), (0, "house", 1, 1)]
    assert drawn.table.family_houses == (1, 0)


@rule("Z21")
def test_a_pigsty_is_no_family_house():
    drawn = Drawn("Z07 Z11").play("0: Z07 at 3,9 turned 2, farmer on p1")
    assert drawn.table.family_houses == (0, 0)


@rule("Z21", "Z23")
def test_the_family_house_counts_tiles_without_any_doubling():
    drawn = Drawn("Z12 Z11", held=((2,), ()))
    drawn.play("0: Z12 at 9,4 turned 2, squire on h1, house at 9,4 h1 with token 2")
    assert drawn.scored == [(0, "house", 2, 4)]
    assert drawn.table.family_houses == (2, 0)


@rule("Z21")
def test_a_family_house_counts_also_when_the_opponent_completes_it():
    drawn = Drawn("Z03 Z11 Z08").play("""
        0: Z03 at 0,3 turned 2, squire on h1
        1: Z11 at 0,4
    """)
    assert drawn.table.family_houses == (1, 0)
