"""The variant in which the gates halt the markers (rule S12), ruleset `sokol-gates`."""

import pytest

from tests.support.drawn import Drawn

pytestmark = pytest.mark.plays("sokol-gates")
rule = pytest.mark.rule

HOUSE = "Z12 at 10,4 turned 2, squire on h1"  # 2 tiles, 2 points
PIGSTY = "Z07 at 3,10 turned 2, farmer on p1"  # 2 tiles, 4 points
LONELY_HOUSE = "Z12 at 0,3, squire on h1"  # 1 tile, 1 point

# Z11 at 3,9 completes player 0's house of 1 point at 4,9 and pigsty of 4 points, 3,10 and D.
HOUSE_AND_PIGSTY = "Z09 Z06 Z12 Z03 Z11 Z08"
BOTH_OF_PLAYER_0 = """
    0: Z09 at 3,10 turned 3, farmer on p1
    1: Z06 at 4,10
    0: Z12 at 4,9, squire on h1
    1: Z03 at 0,3
"""

MOVES = [  # score, at the gate after it; points; the same afterwards
    (24, False, 2, 26, False),
    (25, False, 2, 27, False),  # exactly on the field before the gate
    (26, False, 2, 27, True),  # one point too many
    (24, False, 4, 27, True),
    (27, False, 1, 27, True),  # from that field a point leads to the gate
    (27, False, 4, 27, True),  # and all others are lost
    (27, True, 1, 28, False),  # from the gate to the field after it
    (27, True, 4, 31, False),
    (28, False, 4, 32, False),
    (46, False, 1, 47, False),
    (46, False, 4, 47, True),
    (68, False, 2, 69, True),
    (91, False, 2, 91, True),
    (91, True, 2, 93, False),
    (99, False, 4, 103, False),  # no gate at the end of a lap
    (126, False, 1, 127, False),  # the gate of the second lap
    (126, False, 2, 127, True),
    (127, False, 2, 127, True),
    (127, True, 4, 131, False),
    (246, False, 4, 247, True),  # and of the third
]


def gates(tiles, **more):
    """Return a drawn position of the ruleset `sokol-gates`."""
    return Drawn(tiles, ruleset="sokol-gates", **more)


@rule("S12")
@pytest.mark.parametrize(("score", "at_gate", "points", "after", "halted"), MOVES)
def test_a_marker_halts_at_a_gate_and_what_is_left_is_lost(score, at_gate, points, after, halted):
    step = {1: LONELY_HOUSE, 2: HOUSE, 4: PIGSTY}[points]
    drawn = gates(f"{step[:3]} Z11").set_earlier(scores=(score, 0), at_gate=(at_gate, False)).play(f"0: {step}")
    assert drawn.scored[0][3] == points  # what the area is worth
    assert drawn.table.scores == (after, 0)
    assert drawn.table.at_gate == (halted, False)


@rule("S12")
@pytest.mark.parametrize("gate", [227, 247, 269, 291])
def test_each_gate_halts_a_marker_on_its_third_lap_and_lets_it_go_on(gate):
    drawn = gates("Z03 Z11 Z07 Z08 Z12 Z06").set_earlier(scores=(gate - 1, gate - 200), at_gate=(False, True))
    drawn.play("0: Z03 at 0,3 turned 1, squire on h1")  # 1 point: exactly on the field before the gate
    assert drawn.table.scores == (gate, gate - 200)
    assert drawn.table.at_gate == (False, True)
    drawn.play(f"1: Z11 at 1,3\n0: {PIGSTY}")  # 4 points: one to the gate, three are lost
    assert drawn.table.scores == (gate, gate - 200)
    assert drawn.table.at_gate == (True, True)
    drawn.play(f"1: Z08 at 1,4\n0: {HOUSE}")  # 2 points: from the gate to the second field after it
    assert drawn.scored == [(0, "house", 1, 1), (0, "pigsty", 2, 4), (0, "house", 2, 2)]
    assert drawn.table.scores == (gate + 2, gate - 200)
    assert drawn.table.at_gate == (False, True)  # the opponent's, two laps behind, is where it was
    assert drawn.took == []


@rule("S12")
def test_the_opponents_marker_halts_as_well():
    drawn = (
        gates("Z03 Z11 Z08")
        .set_earlier(scores=(27, 0), at_gate=(False, True))
        .play("""
        0: Z03 at 0,3 turned 2, squire on h1
        1: Z11 at 0,4
    """)
    )
    assert drawn.table.scores == (27, 0)
    assert drawn.table.at_gate == (True, True)


@rule("S12")
def test_without_the_variant_markers_step_over_the_gates():
    drawn = Drawn("Z07 Z11", ruleset="sokol").set_earlier(scores=(26, 0)).play(f"0: {PIGSTY}")
    assert drawn.table.scores == (30, 0)
    assert drawn.table.at_gate == (False, False)
    drawn = Drawn("Z12 Z11").set_earlier(scores=(26, 0)).play("0: Z12 at 9,4 turned 2, squire on h1")
    assert drawn.table.scores == (28, 0)


@rule("S12")
@pytest.mark.parametrize(
    ("order", "scored", "after", "halted"),
    [
        # 26 + 1 rests on 27; then the pigsty brings nothing but the gate
        ("house at 4,9 h1", [(0, "house", 1, 1), (0, "pigsty", 2, 4)], 27, True),
        # 26 + 4 halts at the gate; then the house leads to 28
        ("pigsty at 3,10 p1", [(0, "pigsty", 2, 4), (0, "house", 1, 1)], 28, False),
    ],
)
def test_every_area_is_a_move_of_its_own(order, scored, after, halted):
    drawn = gates(HOUSE_AND_PIGSTY).set_earlier(scores=(26, 0)).play(BOTH_OF_PLAYER_0)
    drawn.play(f"0: Z11 at 3,9, {order}")
    assert drawn.scored == scored
    assert drawn.table.scores == (after, 0)
    assert drawn.table.at_gate == (halted, False)


@rule("S12")
def test_points_are_lost_but_family_house_token_and_followers_are_as_ever():
    drawn = gates("Z12 Z11", held=((2,), ())).set_earlier(scores=(27, 0))
    drawn.play(f"0: {HOUSE}, house at 10,4 h1 with token 2")
    assert drawn.scored == [(0, "house", 2, 4)]
    assert drawn.table.scores == (27, 0)
    assert drawn.table.family_houses == (2, 0)
    assert drawn.table.tokens == ({}, {})
    assert drawn.table.supplies == (6, 6)


@rule("S12")
def test_nests_are_taken_though_all_points_are_lost():
    drawn = gates("S05 Z11").set_earlier(scores=(27, 0)).play("0: S05 at 0,3 turned 1, preacher on c1")
    assert drawn.table.scores == (27, 0)
    assert drawn.table.at_gate == (True, False)
    assert drawn.table.nests == (1, 0)


@rule("S12")
def test_a_prince_doubles_what_the_gate_takes():
    drawn = (
        gates("Z03 Z11 Z08")
        .set_earlier(scores=(26, 0))
        .play("""
        0: Z03 at 0,3 turned 2, prince on h1
        1: Z11 at 0,4
    """)
    )
    assert drawn.scored == [(0, "house", 1, 2)]
    assert drawn.table.scores == (27, 0)
    assert drawn.table.at_gate == (True, False)


@rule("S12")
def test_a_halted_marker_takes_no_token_and_the_next_rest_on_a_tower_does():
    drawn = gates("Z07 Z11 Z12 Z08", towers={34: 6}).set_earlier(scores=(31, 0), at_gate=(False, False))
    drawn.play(f"0: {PIGSTY}")  # 35, a tower
    assert drawn.took == [(0, 6, 35)]
    drawn = gates("Z07 Z11 Z12 Z08", towers={25: 6, 34: 3}).set_earlier(scores=(24, 0)).play(f"0: {PIGSTY}")
    assert drawn.table.at_gate == (True, False)
    assert drawn.took == []
    assert drawn.table.towers >= {25, 34}


@rule("S12")
@pytest.mark.parametrize(("score", "at_gate"), [(26, False), (27, False), (27, True)])
def test_the_end_scoring_knows_no_gates(score, at_gate):
    drawn = gates("Z11", only=True).set_earlier(scores=(score, 0), at_gate=(at_gate, False))
    drawn.play("0: Z11 at 0,3, monk on m1")
    assert drawn.paid == {(0, "meadow"): 3}
    assert drawn.table.scores == (score + 3, 0)
