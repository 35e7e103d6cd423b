"""Faces of tiles: what they show, and how they join (rules Z6–Z8)."""

import pytest

from tests.support.drawn import Drawn
from zamek_env import load_components
from zamek_env.components.model import facing_port, rotated_port

rule = pytest.mark.rule

FOUNTAINS = {"three arms": ("Z49", "Z50", "Z51", "Z52", "Z53", "Z54", "Z55", "Z56"), "four arms": ("Z58", "Z59", "Z60")}


# --- ports ---


@rule("Z6")
def test_ports_face_each_other_mirrored():
    #          6 7 8   the tile to the north
    #          2 1 0   … as its ports are faced by those of this tile's north side
    assert [facing_port(port) for port in (0, 1, 2)] == [8, 7, 6]
    assert [facing_port(port) for port in (3, 4, 5)] == [11, 10, 9]
    assert [facing_port(port) for port in (6, 7, 8)] == [2, 1, 0]
    assert [facing_port(port) for port in (9, 10, 11)] == [5, 4, 3]


@rule("Z6")
def test_a_clockwise_quarter_turn_brings_north_to_east():
    assert [rotated_port(port, 1) for port in range(12)] == [3, 4, 5, 6, 7, 8, 9, 10, 11, 0, 1, 2]
    assert [rotated_port(port, 3) for port in (0, 1, 2)] == [9, 10, 11]


@rule("Z6")
def test_left_and_right_of_a_side_are_seen_from_the_tile_looking_out():
    # Z13 shows a meadow left and a pigsty right of its road, on one side.
    # C (north of 1,7) shows a meadow in the west and a house in the east; E (east of 8,9) a pigsty in the north and a
    # meadow in the south; A (west of 2,0) meadows on both sides.
    north = Drawn("Z13 Z11").play("0: Z13 at 1,7")
    assert north.area("C", "m1").segments == {("C", "m1"), ((1, 7), "m1")}
    assert north.area("C", "h1").segments == {("C", "h1")}
    east = Drawn("Z13 Z11").play("0: Z13 at 8,9 turned 1")
    assert east.area("E", "p1").segments == {("E", "p1")}
    assert east.area("E", "m1").segments == {("E", "m1")}
    west = Drawn("Z13 Z11").play("0: Z13 at 2,0 turned 3")
    assert west.area("A", "m2").segments == {("A", "m2"), ((2, 0), "m1")}  # south of the road
    assert west.area("A", "m1").segments == {("A", "m1")}


@rule("Z6")
def test_a_tile_with_left_and_right_exchanged_joins_the_other_way():
    # Z15 shows a pigsty left and a meadow right of its road, Z21 a house left and a meadow right.
    east = Drawn("Z15 Z11").play("0: Z15 at 8,9 turned 1")
    assert east.area("E", "p1").segments == {("E", "p1"), ((8, 9), "p1")}
    assert east.area("E", "m1").segments == {("E", "m1"), ((8, 9), "m1")}
    west = Drawn("Z21 Z11").play("0: Z21 at 6,2 turned 3")  # G shows a meadow in the north and a house in the south
    assert west.area("G", "h1").segments == {("G", "h1"), ((6, 2), "h1")}
    assert west.area("G", "m1").segments == {("G", "m1"), ((6, 2), "m1")}


# --- segments and areas ---


@rule("Z7")
def test_segments_of_one_feature_join_across_any_number_of_tiles():
    drawn = Drawn("Z01 Z10 Z12 Z11").play("""
        0: Z01 at 9,4
        1: Z10 at 8,4
        0: Z12 at 9,5 turned 3
    """)
    #   8,4  Z10  house W S E, meadow N
    #   9,4  Z01  house all over       9,5  Z12  house W
    assert drawn.area("F", "h1").segments == {("F", "h1"), ((9, 4), "h1"), ((8, 4), "h1"), ((9, 5), "h1")}


@rule("Z7")
def test_different_features_side_by_side_do_not_join():
    drawn = Drawn("Z08 Z01 Z11").play("""
        0: Z08 at 9,4
        1: Z01 at 8,4
    """)
    assert drawn.area("F", "h1").segments == {("F", "h1")}
    assert drawn.area((9, 4), "p1").segments == {((9, 4), "p1")}
    assert drawn.area((8, 4), "h1").segments == {((8, 4), "h1")}


@rule("Z7")
def test_two_segments_on_a_tile_are_two_areas_until_they_are_joined():
    drawn = Drawn("Z41 Z14 Z11").play("0: Z41 at 8,9")
    #  7,9  Z14  house all over, a road in the south
    #  8,9  Z41  on its north side house h1, road, house h2
    assert drawn.area((8, 9), "h1").segments == {((8, 9), "h1")}
    assert drawn.area((8, 9), "h2").segments == {((8, 9), "h2")}
    drawn.play("1: Z14 at 7,9 turned 2")
    assert drawn.area((8, 9), "h1").segments == {((8, 9), "h1"), ((8, 9), "h2"), ((7, 9), "h1")}


# --- roads ---


@rule("Z8")
def test_a_fountain_cuts_the_road_into_arms_that_end_there():
    drawn = Drawn("Z17 Z55 Z11").play("""
        0: Z17 at 2,0 turned 1
        1: Z55 at 2,1 turned 1
    """)
    #   A ── 2,0 ── 2,1 ── (2,2)      2,1 a fountain; south of it is the wall
    #                │
    assert drawn.area("A", "r1").segments == {("A", "r1"), ((2, 0), "r1"), ((2, 1), "r3")}
    assert drawn.area("A", "r1").open_ports == 0
    assert drawn.area((2, 1), "r1").open_ports == 1
    assert drawn.area((2, 1), "r2").segments == {((2, 1), "r2")}


@rule("Z8")
def test_a_crossing_without_a_fountain_joins_all_its_arms():
    drawn = Drawn("Z57 Z46 Z11").play("""
        0: Z57 at 2,0
        1: Z46 at 2,1 turned 1
    """)
    #     (1,0)
    #       │
    #   A ─ 2,0 ── 2,1 ── (2,2)      2,0 a crossing of four arms, 2,1 one of three; south of both is the wall
    assert drawn.area("A", "r1").segments == {("A", "r1"), ((2, 0), "r1"), ((2, 1), "r1")}
    assert drawn.area("A", "r1").open_ports == 2


@rule("Z8")
def test_stocks_on_a_crossing_do_not_cut_the_road():
    drawn = Drawn("Z45 Z11").play("0: Z45 at 2,0 turned 1")  # arms to the west, east and south
    assert drawn.area("A", "r1").segments == {("A", "r1"), ((2, 0), "r1")}
    assert drawn.area("A", "r1").marks == 1
    assert drawn.area("A", "r1").open_ports == 1  # in the east; in the south is the wall


@rule("Z8")
def test_a_road_that_ends_inside_a_tile_is_closed_there():
    drawn = Drawn("Z13 Z11").play("0: Z13 at 2,0 turned 3")
    assert drawn.area("A", "r1").open_ports == 0


@rule("Z8")
@pytest.mark.parametrize("arms", FOUNTAINS)
def test_the_fountain_tiles_have_a_segment_for_every_arm(arms):
    tiles = {tile.id: tile for tile in load_components().tiles}
    for name in FOUNTAINS[arms]:
        roads = [segment for segment in tiles[name].segments if segment.feature == "road"]
        assert len(roads) == {"three arms": 3, "four arms": 4}[arms]
        assert all(len(road.ports) == 1 for road in roads)


@rule("Z8")
def test_tiles_without_a_fountain_have_one_road_at_most():
    fountains = {name for names in FOUNTAINS.values() for name in names}
    for tile in load_components().tiles:
        roads = [segment for segment in tile.segments if segment.feature == "road"]
        assert tile.id in fountains or len(roads) <= 1


@rule("Z8")
def test_a_road_through_a_tile_separates_its_meadows():
    drawn = Drawn("Z17 Z11 Z06").play("""
        0: Z17 at 2,0 turned 1, monk on m1
        1: Z11 at 1,0, ...
    """)
    # m1 lies north of the road, m2 south of it, where Z11 does not come
    assert drawn.area((2, 0), "m1").segments == {("A", "m1"), ((2, 0), "m1"), ((1, 0), "m1")}
    assert drawn.area((2, 0), "m2").segments == {("A", "m2"), ((2, 0), "m2")}
