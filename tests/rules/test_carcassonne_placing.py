"""Carcassonne: where a tile may be placed on a table without border, and tiles that fit nowhere (rule C1)."""

import pytest

from tests.support.drawn_table import DrawnTable
from tests.support.games import few
from tests.support.long_lines import LINES, LongLine

pytestmark = pytest.mark.plays("carcassonne")
rule = pytest.mark.rule

ANY = {0, 1, 2, 3}

# The city and both roads of the start tile are closed, and what is left to build on are fields.
ONLY_FIELDS = """
    0: A at 0,1 turned 1
    1: A at 0,-1 turned 3
    0: E at -1,0 turned 2
"""


# --- where a tile fits ---


@rule("C1")
def test_the_first_tile_touches_the_start_tile_and_matches_its_side():
    table = DrawnTable("E")
    assert table.placements() == {(-1, 0): {2}, (1, 0): {1, 2, 3}}
    assert "the south side of E is field, but (0, 0) shows city there (C1)" in table.why_illegal("E at -1,0")
    assert "the west side of E is city, but (0, 0) shows road there (C1)" in table.why_illegal("E at 0,1 turned 3")
    assert "the north side of E is city, but (0, 0) shows field there (C1)" in table.why_illegal("E at 1,0")
    assert "a tile lies on (0, 0) already (C1)" in table.why_illegal("E at 0,0 turned 2")
    assert "(2, 0) touches no tile (C1)" in table.why_illegal("E at 2,0 turned 2")
    assert DrawnTable("U").placements() == {(0, 1): {0, 2}, (0, -1): {0, 2}, (1, 0): {0, 2}}
    assert DrawnTable("X").placements() == {(0, 1): ANY, (0, -1): ANY}
    assert DrawnTable("C").placements() == {(-1, 0): ANY}
    assert DrawnTable("B").placements() == {(1, 0): ANY}


@rule("C1")
def test_a_corner_is_no_contact():
    table = DrawnTable("C V")
    assert "(C1)" in table.why_illegal("C at -1,1")
    assert "(C1)" in table.why_illegal("C at -1,-1 turned 2")
    table.play("0: C at -1,0")
    assert "(C1)" in table.why_illegal("V at 1,1 turned 2")
    assert "(C1)" in table.why_illegal("V at 1,-1 turned 1")


@rule("C1")
def test_a_tile_matches_all_sides_that_it_touches():
    table = DrawnTable("V", laid="E2 . \n * U")
    #  -1,0  (-1,1)    a field in the west, a field in the south
    #   0,0 ── 0,1
    assert table.placements()[-1, 1] == {2}
    assert "(C1)" in table.why_illegal("V at -1,1")  # a road in the south and in the west
    assert "(C1)" in table.why_illegal("V at -1,1 turned 1")  # a road in the west
    assert "(C1)" in table.why_illegal("V at -1,1 turned 3")  # a road in the south


@rule("C1")
def test_city_road_and_field_match_nothing_but_their_like():
    table = DrawnTable("L")  # a city, three roads
    assert table.placements() == {(-1, 0): {2}, (0, 1): {0, 1, 2}, (0, -1): {0, 2, 3}}
    assert "(C1)" in table.why_illegal("L at -1,0")  # road to city
    assert "(C1)" in table.why_illegal("L at 0,1 turned 3")  # city to road
    for rotation in ("", " turned 1", " turned 2", " turned 3"):
        assert "(C1)" in table.why_illegal(f"L at 1,0{rotation}")  # anything to field


@rule("C1")
def test_a_gap_between_four_tiles_takes_what_matches_all_of_them():
    around = "* U V \n E1 . V1 \n B B ."
    table = DrawnTable("Y", ruleset="carcassonne-demo", laid=around)
    #  0,0 ── 0,1 ── 0,2       the gap 1,1 has a field in the north and the south, a road in the east,
    #  1,0 ═ (1,1) ─ 1,2       a city in the west
    #  2,0    2,1
    assert table.placements()[1, 1] == {3}
    assert "(C1)" in table.why_illegal("Y at 1,1 turned 1")
    table = DrawnTable("V", ruleset="carcassonne-demo", laid=around)
    assert (1, 1) not in table.placements()
    for rotation in ("", " turned 1", " turned 2", " turned 3"):
        assert "(C1)" in table.why_illegal(f"V at 1,1{rotation}")


@rule("C1")
def test_cells_north_and_west_of_the_start_tile_have_negative_numbers():
    table = DrawnTable("D U B").play("""
        0: D at -1,0 turned 2
        1: U at -1,-1
    """)
    assert table.table.board == {(0, 0): ("D", 0), (-1, 0): ("D", 2), (-1, -1): ("U", 0)}
    assert table.placements() == {(-2, 0): ANY, (-2, -1): ANY, (1, 0): ANY}


# --- tiles that fit nowhere ---


@rule("C1")
def test_a_tile_that_fits_nowhere_leaves_the_game_and_the_player_draws_again():
    table = DrawnTable("E C V").play("0: E at -1,0 turned 2")
    assert table.table.player == 1
    assert table.table.tile == "V"
    assert table.table.discarded == {"C": 1}
    assert table.table.remaining["C"] == 0


@rule("C1")
def test_several_tiles_that_fit_nowhere_leave_the_game_one_after_another():
    table = DrawnTable("A A E L X L C L B").play(ONLY_FIELDS)
    assert table.table.player == 1
    assert table.table.tile == "B"
    assert table.table.discarded == {"L": 3, "X": 1, "C": 1}
    table.play("1: B at 1,0")
    assert table.twin.turns[-1]["discarded"] == ["L", "X", "L", "C", "L"]
    assert table.game.record()["turns"][-1]["discarded"] == ["L", "X", "L", "C", "L"]


@rule("C1")
def test_the_game_ends_when_the_last_tile_fits_nowhere():
    table = DrawnTable("A A E L C", only=True).play(ONLY_FIELDS)
    assert table.game.is_terminal
    assert table.table.player == 1
    assert table.scored == []
    assert table.table.discarded["L"] == 3  # one of them in this turn, two were gone before
    assert table.twin.turns[-1]["tile"] is None


@rule("C1")
def test_the_game_ends_with_the_turn_in_which_the_last_tile_is_placed():
    table = DrawnTable("E E", only=True).play("0: E at -1,0 turned 2")
    assert not table.game.is_terminal
    table.play("1: E at -2,0, ...")
    assert "knight on c1" in table.options()
    table.play("1: knight on c1")
    assert table.game.is_terminal
    assert table.game.legal_actions() == []


# --- no border ---


IN_LINE = [("carcassonne", line) for line in LINES] + [("carcassonne-demo", line) for line in ("east", "south-east")]


@rule("C1", "C9")
@pytest.mark.parametrize("ruleset, line", IN_LINE[: few(len(IN_LINE), 1)])
def test_all_tiles_may_lie_in_one_long_line(ruleset, line):
    steps = LongLine(ruleset, line).steps
    table = DrawnTable(" ".join(letter for letter, _, _ in steps), ruleset=ruleset)
    for number, (letter, (row, column), rotation) in enumerate(steps):
        table.play(f"{number % 2}: {letter} at {row},{column}" + (f" turned {rotation}" if rotation else ""))
    assert table.game.is_terminal
    assert table.table.board == {(0, 0): ("D", 0)} | {cell: (letter, rotation) for letter, cell, rotation in steps}
    assert table.table.discarded == {}
    assert len(steps) == {"carcassonne": 71, "carcassonne-demo": 47}[ruleset]
    assert sum(map(abs, steps[-1][1])) == len(steps)  # as far from the start tile as can be
