"""Carcassonne: where a tile may be placed on a table without border, and tiles that fit nowhere (rule C1)."""

from collections import Counter

import pytest

from tests.drawn_table import DrawnTable
from tests.games import few
from tests.lockstep import box_of
from tests.reference import STEPS, OpenTable

rule = pytest.mark.rule

ANY = {0, 1, 2, 3}
NORTH, EAST, SOUTH, WEST = range(4)

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
    table.why_illegal("E at -1,0")  # a field to the city
    table.why_illegal("E at 0,1 turned 3")  # a city to the road
    table.why_illegal("E at 1,0")  # a city to the field
    table.why_illegal("E at 0,0 turned 2")  # where the start tile lies
    table.why_illegal("E at 2,0 turned 2")  # touches nothing
    assert DrawnTable("U").placements() == {(0, 1): {0, 2}, (0, -1): {0, 2}, (1, 0): {0, 2}}
    assert DrawnTable("X").placements() == {(0, 1): ANY, (0, -1): ANY}
    assert DrawnTable("C").placements() == {(-1, 0): ANY}
    assert DrawnTable("B").placements() == {(1, 0): ANY}


@rule("C1")
def test_a_corner_is_no_contact():
    table = DrawnTable("C V")
    table.why_illegal("C at -1,1")
    table.why_illegal("C at -1,-1 turned 2")
    table.play("0: C at -1,0")
    table.why_illegal("V at 1,1 turned 2")
    table.why_illegal("V at 1,-1 turned 1")


@rule("C1")
def test_a_tile_matches_all_sides_that_it_touches():
    table = DrawnTable("V", laid="E2 . \n * U")
    #  -1,0  (-1,1)    a field in the west, a field in the south
    #   0,0 ── 0,1
    assert table.placements()[-1, 1] == {2}
    table.why_illegal("V at -1,1")  # a road in the south and in the west
    table.why_illegal("V at -1,1 turned 1")  # a road in the west
    table.why_illegal("V at -1,1 turned 3")  # a road in the south


@rule("C1")
def test_city_road_and_field_match_nothing_but_their_like():
    table = DrawnTable("L")  # a city, three roads
    assert table.placements() == {(-1, 0): {2}, (0, 1): {0, 1, 2}, (0, -1): {0, 2, 3}}
    table.why_illegal("L at -1,0")  # road to city
    table.why_illegal("L at 0,1 turned 3")  # city to road
    for rotation in ("", " turned 1", " turned 2", " turned 3"):
        table.why_illegal(f"L at 1,0{rotation}")  # anything to field


@rule("C1")
def test_a_gap_between_four_tiles_takes_what_matches_all_of_them():
    around = "* U V \n E1 . V1 \n B B ."
    table = DrawnTable("Y", ruleset="carcassonne-demo", laid=around)
    #  0,0 ── 0,1 ── 0,2       the gap 1,1 has a field in the north and the south, a road in the east,
    #  1,0 ═ (1,1) ─ 1,2       a city in the west
    #  2,0    2,1
    assert table.placements()[1, 1] == {3}
    table.why_illegal("Y at 1,1 turned 1")
    table = DrawnTable("V", ruleset="carcassonne-demo", laid=around)
    assert (1, 1) not in table.placements()
    for rotation in ("", " turned 1", " turned 2", " turned 3"):
        table.why_illegal(f"V at 1,1{rotation}")


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


def find_line(ruleset, ways):
    """Return steps that lay all tiles of a ruleset in one line; the n-th leaves its neighbour by the side `ways(n)`.

    Tries those tiles first that have the fewest ways to lie in a line.
    """
    board, tiles, _ = box_of(ruleset)
    table = OpenTable(board["start"], tiles["tiles"])
    left = Counter(tile["id"] for tile in tiles["tiles"])
    letters = sorted(left, key=lambda letter: len({table.turned[letter, 0].get(3 * side + 1) for side in range(4)}))
    steps, hopeless = [], set()

    def lay(cell, number):
        if number == left_at_start:
            return True
        ahead, beyond = table.neighbour(cell, ways(number)), ways(number + 1)
        for letter in [letter for letter in letters if left[letter]]:
            for rotation in range(4):
                if not table.fits(letter, ahead, rotation):
                    continue
                shown = table.turned[letter, rotation].get(3 * beyond + 1, table.turned[letter, rotation][3 * beyond])
                key = (shown[0], number, tuple(left[other] - (other == letter) for other in letters))
                if key in hopeless:
                    continue
                table.board[ahead] = (letter, rotation)
                left[letter] -= 1
                steps.append((letter, ahead, rotation))
                if lay(ahead, number + 1):
                    return True
                hopeless.add(key)
                del table.board[ahead]
                left[letter] += 1
                steps.pop()
        return False

    left_at_start = left.total()
    assert lay((0, 0), 0)
    return steps


LINES = {
    "north": lambda number: NORTH,
    "east": lambda number: EAST,
    "south": lambda number: SOUTH,
    "west": lambda number: WEST,
    "south-east": lambda number: (EAST, SOUTH)[number % 2],
    "north-west": lambda number: (NORTH, WEST)[number % 2],
}


@rule("C1", "C9")
@pytest.mark.parametrize(
    "ruleset, line",
    [("carcassonne", line) for line in LINES][: few(6, 1)]
    + [("carcassonne-demo", line) for line in ("east", "south-east")][: few(2, 0)],
)
def test_all_tiles_may_lie_in_one_long_line(ruleset, line):
    steps = find_line(ruleset, LINES[line])
    table = DrawnTable(" ".join(letter for letter, _, _ in steps), ruleset=ruleset)
    for number, (letter, (row, column), rotation) in enumerate(steps):
        table.play(f"{number % 2}: {letter} at {row},{column}" + (f" turned {rotation}" if rotation else ""))
    assert table.game.is_terminal
    assert len(table.table.board) == len(steps) + 1
    assert table.table.discarded == {}
    sides = [LINES[line](number) for number in range(len(steps))]
    end = tuple(sum(STEPS[side][axis] for side in sides) for axis in (0, 1))
    assert table.table.board[end] == (steps[-1][0], steps[-1][2])
    assert len(table.game.record()["turns"]) == len(steps)
