"""Sokół: falcon nests, from the pool and back, and at the end (rules S8–S11)."""

import pytest

from tests.support.drawn import Drawn

pytestmark = pytest.mark.plays("sokol")
rule = pytest.mark.rule

# A chapel of 1 tile with a nest, whose only side lies to the wall: complete at once.
CHAPEL = "S05 at 0,3 turned 1, preacher on c1"

# The same chapel open to 1,3, which Z11 closes.
OPEN_CHAPEL = "S05 at 0,3 turned 3, {piece} on c1"
CLOSED = "Z11 at 1,3"

# Z08 at 1,3 completes player 0's chapel at 0,3, with a nest, and player 1's house at 1,4, with the falconer.
#
#     0,3   0,4
#    (1,3)  1,4
TWO_TAKERS = """
    0: S05 at 0,3 turned 3, preacher on c1
    1: Z11 at 0,4
    0: Z06 at 10,4
    1: Z03 at 1,4, falconer on h1
"""


def sokol(tiles, **more):
    """Return a drawn position of the ruleset `sokol`."""
    return Drawn(tiles, ruleset="sokol", **more)


def open_chapel(piece, **earlier):
    """Return the position after player 1 has closed player 0's chapel of one nest."""
    drawn = sokol("S05 Z11 Z06").set_earlier(**earlier)
    return drawn.play(f"0: {OPEN_CHAPEL.format(piece=piece)}\n1: {CLOSED}")


# --- what the scorer takes ---


@rule("S9")
def test_the_scorer_of_a_chapel_takes_its_nests():
    drawn = sokol("S05 Z11").play(f"0: {CHAPEL}")
    assert drawn.scored == [(0, "chapel", 1, 1)]
    assert drawn.took_nests == [(0, "chapel", 1)]
    assert drawn.table.nests == (1, 0)
    assert drawn.table.nest_pool == 11


@rule("S9")
def test_nests_are_taken_from_pigsties_and_roads_too():
    drawn = sokol("S04 Z11").play("0: S04 at 3,10, farmer on p1")  # pigsty to D and to the wall
    assert drawn.scored == [(0, "pigsty", 2, 4)]
    assert drawn.took_nests == [(0, "pigsty", 1)]
    drawn = sokol("S15 Z13 Z11").play("""
        0: S15 at 1,6, herald on r1
        1: Z13 at 1,7 turned 3
    """)
    #  gate 27
    #    1,6 ─ 1,7     a road of 3 tiles with the nest of S15
    assert drawn.scored == [(0, "road", 3, 3)]
    assert drawn.took_nests == [(0, "road", 1)]


@rule("S9")
def test_every_nest_of_the_area_counts():
    drawn = sokol("S04 S05 Z11").play("""
        0: S04 at 10,4 turned 3, preacher on c1
        1: S05 at 10,5
    """)
    assert drawn.scored == [(0, "chapel", 2, 3)]
    assert drawn.table.nests == (2, 0)
    assert drawn.table.nest_pool == 10


@rule("S9")
@pytest.mark.parametrize(("piece", "other"), [("preacher", "preacher"), ("falconer", "prince"), ("prince", "falconer")])
def test_with_a_tie_nobody_takes_nests(piece, other):
    drawn = sokol("S05 Z11 Z06 S02 Z08 S04 Z12").play(f"""
        0: S05 at 0,3 turned 2, {piece} on c1
        1: Z11 at 1,3
        0: Z06 at 10,4
        1: S02 at 1,4, {other} on c1
        0: Z08 at 1,5
    """)
    assert drawn.area((0, 3), "c1").followers == (1, 0)
    drawn.play("1: S04 at 0,4")
    #   0,3 ─ 0,4
    #          │      a chapel of 3 tiles with 2 nests, one piece of each player
    #         1,4
    assert drawn.area((0, 4), "c1").nests == 2
    assert drawn.area((0, 4), "c1").open_ports == 0
    assert drawn.scored == []
    assert drawn.table.nests == (0, 0)
    assert drawn.table.nest_pool == 12
    assert drawn.table.followers == ()


@rule("S9")
def test_a_complete_area_without_pieces_keeps_its_nests():
    drawn = sokol("S05 Z11").play("0: S05 at 0,3 turned 1, nobody")
    assert drawn.area((0, 3), "c1").open_ports == 0
    assert drawn.table.nests == (0, 0)


# --- the falconer ---


@rule("S8", "S9")
@pytest.mark.parametrize(("piece", "nests"), [("preacher", 1), ("prince", 1), ("falconer", 2)])
def test_the_falconer_brings_one_nest_more_on_the_opponents_turn_too(piece, nests):
    drawn = open_chapel(piece)
    assert drawn.took_nests == [(0, "chapel", nests)]
    assert drawn.table.nests == (nests, 0)


@rule("S8")
def test_the_falconer_brings_a_nest_where_there_is_none():
    drawn = sokol("Z03 Z11 Z08").play("""
        0: Z03 at 0,3 turned 2, falconer on h1
        1: Z11 at 0,4
    """)
    assert drawn.took_nests == [(0, "house", 1)]
    drawn = sokol("Z03 Z11 Z08").play("""
        0: Z03 at 0,3 turned 2, squire on h1
        1: Z11 at 0,4
    """)
    assert drawn.took_nests == []


@rule("S8")
@pytest.mark.parametrize(("piece", "nests"), [("falconer", 0), ("squire", 0)])
def test_the_opponents_falconer_brings_nothing(piece, nests):
    drawn = sokol("Z11 Z03 Z02 Z06 Z12 Z08 Z10 Z09").play(f"""
        0: Z11 at 0,3
        1: Z03 at 1,3 turned 2, {piece} on h1
        0: Z02 at 0,4 turned 2, squire on h1
        1: Z06 at 2,3
        0: Z12 at 2,4, squire on h1
        1: Z08 at 10,4
        0: Z10 at 1,4 turned 1
    """)
    assert drawn.scored == [(0, "house", 4, 4)]
    assert drawn.table.nests == (nests, nests)


@rule("S8")
def test_a_falconer_in_a_meadow_or_an_unfinished_area_brings_nothing():
    drawn = sokol("Z16 S01 Z11", held=((), (7,)), only=True).play("""
        0: Z16 at 2,0 turned 3, falconer on m2
        1: S01 at 0,3, falconer on c1
        0: Z11 at 10,4
    """)
    assert drawn.area((2, 0), "m2").open_ports == 0  # complete, and yet no area that is ever scored with nests
    assert drawn.table.nests == (0, 0)
    assert drawn.paid == {}


# --- a pool that is too small ---


@rule("S10")
@pytest.mark.parametrize(
    ("before", "piece", "taken", "after"),
    [  # the chapel has one nest; the falconer brings another
        ((6, 5), "preacher", 1, (7, 5)),  # the pool just holds enough: nobody returns any
        ((5, 5), "falconer", 2, (7, 5)),
        ((6, 5), "falconer", 2, (3, 0)),  # both return 5, then 2 of 11 are taken
        ((5, 6), "falconer", 2, (2, 1)),
        ((6, 6), "preacher", 1, (1, 0)),
        ((3, 9), "falconer", 2, (2, 6)),
        ((11, 0), "falconer", 1, (12, 0)),  # the poorer player has none to return: the pool reaches only partly
        ((0, 11), "falconer", 1, (1, 11)),
        ((12, 0), "falconer", 0, (12, 0)),
        ((0, 12), "preacher", 0, (0, 12)),
    ],
)
def test_with_too_small_a_pool_both_return_as_many_as_the_poorer_one_has(before, piece, taken, after):
    drawn = open_chapel(piece, nests=before)
    assert drawn.took_nests == ([(0, "chapel", taken)] if taken else [])
    assert drawn.table.nests == after
    assert drawn.table.nest_pool == 12 - sum(after)


@rule("S10")
def test_only_what_is_due_makes_players_return_nests():
    drawn = sokol("Z12 Z11").set_earlier(nests=(6, 6)).play("0: Z12 at 10,4 turned 2, squire on h1")
    assert drawn.scored == [(0, "house", 2, 2)]  # without a nest
    assert drawn.table.nests == (6, 6)


@rule("S10")
@pytest.mark.parametrize(
    ("last_turns", "taken", "after"),
    [
        # player 0's chapel first takes the last one; then both return 5, and player 1 takes one
        ("0: Z08 at 1,3", [(0, "chapel", 1), (1, "house", 1)], (2, 1)),
        # player 1's house first: 6 each; then both return 6, and player 0 takes one
        ("0: Z12 at 3,10\n1: Z08 at 1,3", [(1, "house", 1), (0, "chapel", 1)], (1, 0)),
    ],
)
def test_two_players_who_take_nests_in_one_turn_do_so_one_after_the_other(last_turns, taken, after):
    last = " ".join(line[3:6] for line in last_turns.splitlines())
    drawn = sokol(f"S05 Z11 Z06 Z03 {last} Z09").set_earlier(nests=(6, 5)).play(TWO_TAKERS).play(last_turns)
    assert drawn.took_nests == taken
    assert drawn.table.nests == after


# --- the end ---


@rule("S11")
@pytest.mark.parametrize(
    ("nests", "paid"), [((3, 2), {(0, "nests"): 93}), ((0, 1), {(1, "nests"): 93}), ((4, 4), {}), ((0, 0), {})]
)
def test_more_nests_pay_the_largest_group_of_empty_spaces(nests, paid):
    drawn = sokol("Z08", only=True).set_earlier(nests=nests).play("0: Z08 at 0,3")
    assert drawn.paid == paid
    assert drawn.table.scores == tuple(paid.get((player, "nests"), 0) for player in (0, 1))


@rule("S11")
def test_nests_and_family_house_are_paid_each_for_itself():
    drawn = sokol("Z08", only=True).set_earlier(nests=(1, 2), family_houses=(2, 1)).play("0: Z08 at 0,3")
    assert drawn.paid == {(0, "family house"): 93, (1, "nests"): 93}


@rule("S11")
def test_nests_taken_in_the_last_turn_count():
    drawn = sokol("S05", only=True).play(f"0: {CHAPEL}")
    assert drawn.paid == {(0, "nests"): 93}
    assert drawn.table.scores == (1 + 93, 0)
