"""Sokół: what special pieces count, what a chapel pays, and what a prince doubles (rules S5–S7)."""

import pytest

from tests.support.drawn import Drawn

pytestmark = pytest.mark.plays("sokol")
rule = pytest.mark.rule

# Player 0 joins with Z10 or Z02 a house of player 1 at 1,3 and those of player 0 at 0,4 and 2,4: 4 tiles.
#
#          0,4
#    1,3  (1,4)
#          2,4
THREE_HOUSES = "Z11 Z03 Z02 Z06 Z12 Z08 Z10 Z09"

# Z11 at 3,9 completes a house of 1 tile (1 point) at 4,9 and a pigsty of 2 tiles (4 points), 3,10 and D.
#
#     (3,9)  3,10  D
#      4,9   4,10
HOUSE_AND_PIGSTY = "Z09 Z06 Z12 Z03 Z11 Z08"

CHAPELS = [  # tiles of a chapel, and one that only closes it, as they are placed; its points
    ("S02 at 3,10", 1),
    ("S04 at 10,4 turned 3; S05 at 10,5", 3),
    ("S01 at 3,10 turned 1; S02 at 4,10; S05 at 3,9 turned 2", 6),
    ("S17 at 10,6; S06 at 10,5 turned 2; S15 at 9,6 turned 2; S10 at 9,5 turned 3", 10),
    ("S03 at 10,4; S05 at 10,3 turned 2; S02 at 10,5 turned 2; S06 at 9,4 turned 3; S10 at 9,3 turned 3", 15),
    ("S17 at 7,2 turned 2; S06 at 7,3; S08 at 6,2 turned 2; S10 at 6,3; S16 at 8,2 turned 3; S07 at 8,3 turned 1", 21),
    (
        "S12 at 1,6; S05 at 1,5 turned 2; S10 at 2,6 turned 1; S08 at 1,7 turned 3; S17 at 2,5 turned 1; S13 at 2,4; "
        "S06 at 1,4 turned 2",
        28,
    ),
    (
        "S17 at 10,6 turned 1; S07 at 9,6 turned 3; S08 at 9,7 turned 3; S09 at 10,7 turned 3; S16 at 10,5 turned 3; "
        "S11 at 9,5 turned 1; S15 at 10,8 turned 3; S18 at 9,8 turned 1",
        36,
    ),
    (
        "S01 at 3,10 turned 1; S06 at 4,10 turned 1; S02 at 3,9; S09 at 2,9 turned 1; S11 at 2,8 turned 1; "
        "S17 at 3,8 turned 2; S16 at 4,8 turned 3; S12 at 4,9 turned 2; S15 at 5,9; Z33 at 5,10 turned 2",
        36,
    ),
]


def sokol(tiles, **more):
    """Return a drawn position of the ruleset `sokol`."""
    return Drawn(tiles, ruleset="sokol", **more)


def three_houses(piece_of_1, piece_of_0, **more):
    """Return the position before player 0 joins `THREE_HOUSES`, with these pieces in them."""
    return sokol(THREE_HOUSES, **more).play(f"""
        0: Z11 at 0,3
        1: Z03 at 1,3 turned 2, {piece_of_1} on h1
        0: Z02 at 0,4 turned 2, {piece_of_0} on h1
        1: Z06 at 2,3
        0: Z12 at 2,4, squire on h1
        1: Z08 at 10,4
    """)


# --- majorities ---


@rule("S5")
@pytest.mark.parametrize(("first", "second"), [("prince", "squire"), ("squire", "prince"), ("prince", "falconer")])
def test_prince_and_falconer_count_as_one_follower_each(first, second):
    drawn = sokol("Z03 Z11 Z06 Z12 Z02 Z08").play(f"""
        0: Z03 at 0,3 turned 2, {first} on h1
        1: Z11 at 1,3
        0: Z06 at 10,4
        1: Z12 at 1,4, {second} on h1
        0: Z02 at 0,4 turned 3
    """)
    # one piece of each player in a house of 3 tiles: a tie
    assert drawn.scored == []
    assert drawn.table.scores == (0, 0)
    assert drawn.table.followers == ()
    assert drawn.table.supplies == (6, 6)
    assert drawn.table.pieces == (("prince", "falconer"), ("prince", "falconer"))


@rule("S5", "S7")
def test_a_special_piece_makes_a_majority_and_returns():
    drawn = three_houses("squire", "falconer").play("0: Z10 at 1,4 turned 1")
    assert drawn.scored == [(0, "house", 4, 4)]
    assert drawn.table.followers == ()
    assert drawn.table.pieces == (("prince", "falconer"), ("prince", "falconer"))


@rule("S5")
def test_a_special_piece_that_returns_is_available_from_the_owners_next_turn():
    drawn = sokol("Z03 Z11 Z08 Z06").play("""
        0: Z03 at 0,3 turned 2, prince on h1
        1: Z11 at 0,4
        0: Z08 at 3,10, ...
    """)
    assert drawn.options() == ["falconer on p1", "farmer on p1", "nobody", "prince on p1"]


# --- chapels ---


@rule("S6")
@pytest.mark.parametrize(("chapel", "points"), CHAPELS, ids=[f"{size} tiles" for size in range(1, 10)])
def test_a_completed_chapel_pays_by_its_size(chapel, points):
    placed = chapel.split("; ")
    drawn = sokol(" ".join(step[:3] for step in placed) + " Z11")
    drawn.play(f"0: {placed[0]}, preacher on c1")
    for number, step in enumerate(placed[1:], start=1):
        assert drawn.scored == []
        drawn.play(f"{number % 2}: {step}")
    size = sum(step.startswith("S") for step in placed)
    assert drawn.scored == [(0, "chapel", size, points)]
    assert drawn.table.family_houses == (0, 0)


@rule("S6")
def test_an_unfinished_chapel_gives_nothing():
    drawn = sokol("S02 Z06", held=((7, 8, 9), ()), only=True).play("""
        0: S02 at 0,3, prince on c1
        1: Z06 at 3,10
    """)
    assert drawn.area((0, 3), "c1").open_ports == 2
    assert drawn.paid == {}


@rule("S6")
def test_a_chapel_is_doubled_by_no_token():
    drawn = sokol("S02 Z11", held=((2, 3), ())).play("0: S02 at 3,10, preacher on c1")
    assert drawn.scored == [(0, "chapel", 1, 1)]
    assert drawn.table.tokens == ({2: 1, 3: 1}, {})


# --- the prince ---


@rule("S7")
@pytest.mark.parametrize(
    ("sent", "closing", "scored"),
    [
        ("Z03 at 0,3 turned 2, prince on h1", "Z11 at 0,4", (0, "house", 1, 2)),
        ("Z09 at 3,10 turned 3, prince on p1", "Z11 at 3,9", (0, "pigsty", 2, 8)),
        ("Z17 at 2,0 turned 1, prince on r1", "Z13 at 2,1 turned 3", (0, "road", 3, 6)),
        ("S05 at 0,3 turned 3, prince on c1", "Z11 at 1,3", (0, "chapel", 1, 2)),
    ],
)
def test_the_prince_doubles_the_points_of_his_owner_on_the_opponents_turn_too(sent, closing, scored):
    drawn = sokol(f"{sent[:3]} {closing[:3]} Z06").play(f"0: {sent}\n1: {closing}")
    assert drawn.scored == [scored]
    assert drawn.table.scores == (scored[3], 0)


@rule("S7")
def test_a_prince_on_a_road_with_stocks_gives_four_points_a_tile():
    drawn = sokol("Z42 Z15 Z11").play("""
        0: Z42 at 2,0 turned 3, prince on r1
        1: Z15 at 1,0 turned 2
    """)
    assert drawn.scored == [(0, "road", 3, 12)]


@rule("S7")
def test_the_family_house_counts_tiles_though_the_prince_doubles():
    drawn = three_houses("squire", "prince").play("0: Z10 at 1,4 turned 1")
    assert drawn.scored == [(0, "house", 4, 8)]
    assert drawn.table.family_houses == (4, 0)


@rule("S7")
def test_the_opponents_prince_has_no_effect():
    drawn = three_houses("prince", "squire").play("0: Z10 at 1,4 turned 1")
    assert drawn.scored == [(0, "house", 4, 4)]


@rule("S7")
def test_a_token_may_double_an_area_in_which_only_the_opponents_prince_stands():
    drawn = three_houses("prince", "squire", held=((2,), ())).play("0: Z10 at 1,4 turned 1, nobody, ...")
    assert drawn.options() == ["house at 0,4 h1", "house at 0,4 h1 with token 2"]
    drawn.play("0: house at 0,4 h1 with token 2")
    assert drawn.scored == [(0, "house", 4, 8)]


@rule("S7")
def test_no_token_is_used_on_an_area_that_the_own_prince_doubles():
    drawn = sokol(HOUSE_AND_PIGSTY, held=((2, 3), ())).play("""
        0: Z09 at 3,10 turned 3, farmer on p1
        1: Z06 at 4,10
        0: Z12 at 4,9, prince on h1
        1: Z03 at 0,3
        0: Z11 at 3,9, nobody, ...
    """)
    assert drawn.options() == ["house at 4,9 h1", "pigsty at 3,10 p1", "pigsty at 3,10 p1 with token 3"]
    assert "doubled only once" in drawn.why_illegal("house at 4,9 h1 with token 2")
    assert "(S7)" in drawn.why_illegal("house at 4,9 h1 with token 2")
    drawn.play("0: pigsty at 3,10 p1 with token 3")
    assert drawn.scored == [(0, "pigsty", 2, 8), (0, "house", 1, 2)]
    assert drawn.table.tokens == ({2: 1}, {})


@rule("S7")
def test_with_the_prince_in_a_pigsty_token_3_is_not_asked_for():
    drawn = sokol("Z09 Z06 Z11 Z08", held=((3,), ())).play("""
        0: Z09 at 3,10 turned 3, prince on p1
        1: Z06 at 4,10
        0: Z11 at 3,9
    """)
    assert drawn.scored == [(0, "pigsty", 2, 8)]
    assert drawn.table.tokens == ({3: 1}, {})


# --- the prince at the end ---


def two_areas(tiles, first, between, second, kind, count):
    """Return what the end pays where player 0 controls two areas and holds `count` tokens of a `kind`."""
    drawn = sokol(tiles, held=((kind,) * count, ()), only=True)
    return drawn.play(f"0: {first}\n1: {between}\n0: {second}").paid


@rule("S7")
@pytest.mark.parametrize(
    ("large", "small", "paid"),
    [  # a meadow of 2 shrines and one of 1: points without token, by one token of kind 4, by two
        ("monk", "monk", (9, 2, 3)),
        ("prince", "monk", (15, 4, 5)),
        ("monk", "prince", (12, 2, 4)),
    ],
)
def test_the_prince_doubles_a_meadow_and_with_token_4_gives_eight_a_shrine(large, small, paid):
    script = (f"Z11 at 0,3, {large} on m1", "Z06 at 1,3 turned 1", f"Z03 at 10,4, {small} on m1")
    plain, one, two = paid
    for count, more in ((0, {}), (1, {(0, "token 4"): one}), (2, {(0, "token 4"): two})):
        assert two_areas("Z11 Z06 Z03", *script, 4, count) == {(0, "meadow"): plain} | more


@rule("S7")
@pytest.mark.parametrize(
    ("kind", "large", "small", "one", "two"),
    [  # a house, or pigsty, of 2 tiles and one of 1
        (7, "squire", "squire", 2, 3),
        (7, "prince", "squire", 4, 5),
        (7, "squire", "prince", 2, 4),
        (8, "farmer", "farmer", 4, 6),
        (8, "prince", "farmer", 8, 10),
        (8, "farmer", "prince", 4, 8),
    ],
)
def test_the_prince_doubles_tokens_7_and_8(kind, large, small, one, two):
    tiles, *script = {
        7: (
            "Z02 Z06 Z03",
            f"Z02 at 10,4 turned 2, {large} on h1",
            "Z06 at 3,10",
            f"Z03 at 0,3 turned 2, {small} on h1",
        ),
        8: ("Z07 Z11 Z12", f"Z07 at 3,10 turned 3, {large} on p1", "Z11 at 0,3", f"Z12 at 10,4, {small} on p1"),
    }[kind]
    assert two_areas(tiles, *script, kind, 1) == {(0, f"token {kind}"): one}
    assert two_areas(tiles, *script, kind, 2) == {(0, f"token {kind}"): two}


@rule("S7")
@pytest.mark.parametrize(
    ("large", "small", "one", "two"),
    [  # a road of 3 tiles and one with stocks of 2
        ("herald", "herald", 3, 5),
        ("prince", "herald", 6, 8),
        ("herald", "prince", 4, 7),  # the smaller one is the better one now
    ],
)
def test_the_prince_doubles_token_9(large, small, one, two):
    for count, paid in ((1, one), (2, two)):
        drawn = sokol("Z17 Z19 Z28", held=((9,) * count, ()), only=True).play(f"""
            0: Z17 at 9,10 turned 1, {large} on r1
            1: Z19 at 9,9 turned 1
            0: Z28 at 2,0 turned 3, {small} on r1
        """)
        assert drawn.paid == {(0, "token 9"): paid}


@rule("S7")
def test_the_opponents_prince_doubles_nothing_at_the_end():
    drawn = sokol("Z03 Z12 Z11 Z06 Z02 S02", held=((4,), ()), only=True).play("""
        0: Z03 at 0,3 turned 3, monk on m1
        1: Z12 at 1,3
        0: Z11 at 1,4, monk on m1
        1: Z06 at 2,3, prince on m1
        0: Z02 at 0,4 turned 1
        1: S02 at 2,4 turned 1
    """)
    #   0,3  0,4
    #        1,4     a meadow with the shrines of B, 0,3 and 2,3; two monks of player 0, the prince of player 1
    #   2,3  2,4
    assert drawn.area("B", "m1").followers == (2, 1)
    assert drawn.paid == {(0, "meadow"): 9, (0, "token 4"): 3}
