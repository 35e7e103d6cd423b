"""Sokół: the wider drawn, what each player has, chapels and where pieces may be sent (rules S1–S4)."""

import pytest

from tests.support.drawn import Drawn
from zamek_env import Game, load_components

pytestmark = pytest.mark.plays("sokol")
rule = pytest.mark.rule

SOKOL = load_components(ruleset="sokol")

# Player 0 sends all six followers; none of their areas is completed, nor met by player 1.
SIX_SENT = """
    0: Z11 at 0,3, monk on m1
    1: Z06 at 1,3
    0: Z17 at 2,0 turned 1, herald on r1
    1: Z03 at 1,2
    0: Z09 at 3,10 turned 1, farmer on p1
    1: Z02 at 2,3
    0: Z13 at 7,2 turned 3, monk on m1
    1: Z10 at 2,2
    0: Z12 at 10,4, squire on h1
    1: Z01 at 3,3
    0: Z14 at 1,8, squire on h1
"""
SIX_SENT_TILES = "Z11 Z06 Z17 Z03 Z09 Z02 Z13 Z10 Z12 Z01 Z14"


def sokol(tiles, **more):
    """Return a drawn position of the ruleset `sokol`."""
    return Drawn(tiles, ruleset="sokol", **more)


# --- the castle ---


@rule("S1")
def test_the_wall_is_widened_by_a_column_and_a_row():
    assert SOKOL.board.interior == (
        ".####......",
        "##########.",
        "##########.",
        "..#########",
        "..#########",
        "..#########",
        "..#########",
        "..#########",
        "..#########",
        "..#########",
        "...#######.",
    )
    assert len(SOKOL.board.cells) == 4 + 10 + 10 + 7 * 9 + 7 == 94
    assert len(load_components().board.cells) == 76  # the base game's stays as it is


@rule("S1")
def test_nine_start_spaces_lie_on_the_inner_edge_two_of_them_in_gates():
    assert [(start.id, start.cell, "NESW"[start.side]) for start in SOKOL.board.starts] == [
        ("A", (2, 0), "W"),
        ("B", (0, 3), "N"),
        ("C", (1, 8), "N"),
        ("D", (3, 10), "E"),
        ("E", (9, 10), "E"),
        ("F", (10, 4), "S"),
        ("G", (7, 2), "W"),
        ("gate 27", (1, 6), "N"),
        ("gate 69", (10, 6), "S"),
    ]


@rule("S1")
def test_the_first_tile_may_touch_a_gates_start_space_too():
    drawn = sokol("Z57 Z11")  # a crossing: road on all four sides
    assert drawn.placements() == {
        cell: {0, 1, 2, 3}
        for cell in [
            (2, 0),  # A
            (1, 8),  # C
            (9, 10),  # E
            (7, 2),  # G
            (1, 6),  # gate 27
            (10, 6),  # gate 69
        ]
    }
    assert "(Z10)" in drawn.why_illegal("Z57 at 0,3")  # B shows none
    assert "(Z9)" in drawn.why_illegal("Z57 at 1,7")
    assert sokol("Z11 Z08").placements() == {cell: {0, 1, 2, 3} for cell in [(0, 3), (3, 10), (10, 4)]}  # B, D, F


@rule("S1")
def test_a_gates_start_space_is_part_of_the_areas_that_touch_it():
    drawn = sokol("Z16 Z11").play("0: Z16 at 1,6, herald on r1")
    assert drawn.scored == [(0, "road", 2, 2)]
    drawn = sokol("Z13 Z11").play("0: Z13 at 10,6 turned 2, farmer on p1")
    #   10,6  Z13 turned: pigsty, road, meadow in the south, from west to east
    #   gate  house, road, pigsty
    assert drawn.area("gate 69", "h1").tiles == drawn.area("gate 69", "p1").tiles == 1
    assert drawn.area("gate 69", "r1").segments == {("gate 69", "r1"), ((10, 6), "r1")}
    assert drawn.scored == [(0, "pigsty", 1, 2)]


@rule("S1")
def test_18_tiles_are_added_to_the_60():
    tiles = [tile.id for tile in SOKOL.tiles]
    assert tiles[:60] == [tile.id for tile in load_components().tiles]
    assert tiles[60:] == [f"S{number:02}" for number in range(1, 19)]
    decks = [set(Game("sokol", seed=seed).state[0].deck.tolist()) for seed in range(3)]
    assert all(deck == set(range(78)) for deck in decks)


@rule("S1")
def test_gates_are_no_fields_and_markers_step_over_them():
    drawn = sokol("Z12 Z11").set_earlier(scores=(26, 0))
    drawn.play("0: Z12 at 10,4 turned 2, squire on h1")  # a house of 2 tiles
    assert drawn.table.scores == (28, 0)
    assert drawn.table.at_gate == (False, False)
    assert len(SOKOL.board.track) == 100


# --- what players have ---


@rule("S2")
def test_each_player_has_a_prince_and_a_falconer_beside_six_followers():
    table = sokol("Z11").table
    assert table.pieces == (("prince", "falconer"), ("prince", "falconer"))
    assert table.supplies == (6, 6)
    assert Drawn("Z11").table.pieces == ((), ())  # in the base game nobody has


@rule("S2")
def test_twelve_nests_lie_in_the_pool():
    table = sokol("Z11").table
    assert (table.nests, table.nest_pool) == ((0, 0), 12)
    assert Drawn("Z11").table.nest_pool == 0


# --- chapels ---


@rule("S3")
@pytest.mark.parametrize("beside", ["Z11", "Z01", "Z08"])  # meadow, house, pigsty on all sides
def test_chapels_touch_anything_but_a_road(beside):
    drawn = sokol(f"{beside} S03 Z06").play(f"0: {beside} at 0,3")
    assert drawn.placements()[1, 3] == {0, 1, 2, 3}
    assert (2, 0) not in drawn.placements()  # A shows a road
    assert "(Z10)" in drawn.why_illegal("S03 at 2,0")


@rule("S3")
def test_chapels_join_chapels_only():
    drawn = sokol("S03 S02 Z01").play("""
        0: S03 at 0,3
        1: S02 at 1,3
    """)
    # S03 shows pigsty in the south, S02 chapel in the north
    assert drawn.area((0, 3), "c1").segments == {((0, 3), "c1")}
    drawn = sokol("S01 S02 Z01").play("""
        0: S01 at 0,3
        1: S02 at 1,3
        0: Z01 at 1,4
    """)
    assert drawn.area((0, 3), "c1").segments == {((0, 3), "c1"), ((1, 3), "c1")}


@rule("S3")
def test_a_follower_on_a_chapel_is_a_preacher():
    drawn = sokol("S01 Z11").play("0: S01 at 0,3, ...")
    described = [drawn.game.describe(action) for action in drawn.game.legal_actions()]
    assert "send a preacher to chapel c1" in described
    drawn.play("0: preacher on c1")
    assert drawn.table.followers == ((0, (0, 3), "c1", "follower"),)


# --- sending ---


@rule("S4")
def test_prince_and_falconer_may_go_where_a_follower_may():
    drawn = sokol("S01 Z11").play("0: S01 at 0,3, ...")
    assert drawn.options() == [
        "falconer on c1",
        "falconer on m1",
        "monk on m1",
        "nobody",
        "preacher on c1",
        "prince on c1",
        "prince on m1",
    ]
    drawn.play("0: prince on c1")
    assert drawn.table.followers == ((0, (0, 3), "c1", "prince"),)
    assert drawn.table.supplies == (6, 6)
    assert drawn.table.pieces == (("falconer",), ("prince", "falconer"))


@rule("S4")
def test_no_special_piece_goes_to_an_area_that_is_complete():
    drawn = sokol("Z12 Z11").play("0: Z12 at 10,4 turned 2, ...")  # house towards F, pigsty to the other sides
    assert drawn.options() == ["falconer on p1", "farmer on p1", "nobody", "prince on p1", "squire on h1"]
    for piece in ("prince", "falconer"):
        assert drawn.why_illegal(f"{piece} on h1").endswith(f"so the {piece} may not go there (S4)")


@rule("S4")
def test_a_complete_meadow_is_no_exception():
    drawn = sokol("Z16 Z11").play("0: Z16 at 2,0 turned 3, ...")
    # to A in the west: meadow m2, road r1, meadow m1; m2 and r1 touch nothing else, m1 is open
    assert drawn.area((2, 0), "m2").open_ports == drawn.area((2, 0), "r1").open_ports == 0
    everywhere = {f"{piece} on {name}" for piece in ("falconer", "prince") for name in ("m1", "m2", "p1")}
    assert set(drawn.options()) == {"nobody", "farmer on p1", "herald on r1", "monk on m1", "monk on m2"} | everywhere
    assert "(S4)" in drawn.why_illegal("prince on r1")
    drawn.play("0: falconer on m2")
    assert drawn.table.followers == ((0, (2, 0), "m2", "falconer"),)


@rule("S4")
def test_special_pieces_occupy_areas_as_others_do():
    drawn = sokol("Z17 Z19 Z21 Z11").play("""
        0: Z17 at 2,0 turned 1, prince on r1
        1: Z19 at 2,1 turned 1, ...
    """)
    assert not any(option.endswith("on r1") for option in drawn.options())
    for step in ("herald on r1", "prince on r1", "falconer on r1"):
        assert "(Z12)" in drawn.why_illegal(step)


@rule("S4")
def test_each_special_piece_is_there_once():
    drawn = sokol("S01 Z11 Z08 Z06").play("""
        0: S01 at 0,3, prince on c1
        1: Z11 at 3,10
        0: Z08 at 10,4, ...
    """)
    assert drawn.options() == ["falconer on p1", "farmer on p1", "nobody"]
    assert drawn.why_illegal("prince on p1").endswith("player 0 has no prince in supply (Z12, S4)")


@rule("S4")
def test_the_base_game_has_no_special_pieces_to_send():
    drawn = Drawn("Z11 Z08").play("0: Z11 at 0,3, ...")
    assert drawn.options() == ["monk on m1", "nobody"]
    assert drawn.game.num_actions == 330


@rule("S4")
def test_with_no_follower_in_supply_a_special_piece_may_still_be_sent():
    drawn = sokol(f"{SIX_SENT_TILES} Z28 Z08 Z55").play(SIX_SENT)
    assert drawn.table.supplies == (0, 6)
    drawn.play("""
        1: Z28 at 9,10 turned 1
        0: Z08 at 4,3, ...
    """)
    assert drawn.options() == ["falconer on p1", "nobody", "prince on p1"]
    assert drawn.why_illegal("farmer on p1").endswith("player 0 has no follower in supply (Z12, S4)")
    drawn.play("0: prince on p1")
    assert drawn.table.pieces[0] == ("falconer",)


@rule("S4")
def test_with_special_pieces_only_and_complete_areas_only_the_send_is_skipped():
    drawn = sokol(f"{SIX_SENT_TILES} Z05 Z04 Z07 Z08 Z55").play(SIX_SENT)
    drawn.play("""
        1: Z05 at 0,2
        0: Z04 at 1,1
        1: Z07 at 10,5
        0: Z08 at 0,1, ...
    """)
    #   (0,1) Z08, pigsty all over       0,2  Z05 shows meadow in the west
    #    1,1  Z04 shows house in the north
    assert drawn.area((0, 1), "p1").open_ports == 0
    assert drawn.table.phase == "place"
    assert drawn.table.player == 1


@rule("S4")
def test_with_all_eight_pieces_sent_the_send_is_skipped():
    drawn = sokol(f"{SIX_SENT_TILES} Z28 Z08 Z04 S03 Z07 Z05 Z55").play(SIX_SENT)
    drawn.play("""
        1: Z28 at 9,10 turned 1
        0: Z08 at 4,3, prince on p1
        1: Z04 at 1,1
        0: S03 at 2,4, falconer on c1
        1: Z07 at 10,5
        0: Z05 at 10,3, ...
    """)
    assert (drawn.table.pieces[0], drawn.table.supplies[0]) == ((), 0)
    assert drawn.table.phase == "place"
    assert drawn.table.player == 1
