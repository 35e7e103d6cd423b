"""Turn, action 2: where a follower may be sent (rules Z12–Z15)."""

import re

import pytest

from tests.support.drawn import Drawn
from zamek_env import IllegalActionError

rule = pytest.mark.rule

# Player 0 sends all six followers; none of their areas is completed, nor met by player 1.
SIX_SENT = """
    0: Z11 at 0,3, monk on m1
    1: Z06 at 1,3
    0: Z17 at 2,0 turned 1, herald on r1
    1: Z03 at 1,2
    0: Z09 at 3,9 turned 1, farmer on p1
    1: Z02 at 2,3
    0: Z13 at 6,2 turned 3, monk on m1
    1: Z10 at 2,2
    0: Z12 at 9,4, squire on h1
    1: Z01 at 3,3
    0: Z14 at 1,7, squire on h1
"""
SIX_SENT_TILES = "Z11 Z06 Z17 Z03 Z09 Z02 Z13 Z10 Z12 Z01 Z14"


# --- free segments ---


@rule("Z12")
def test_a_follower_may_go_to_any_free_segment_of_the_tile_just_placed_or_stay():
    drawn = Drawn("Z13 Z08 Z11").play("0: Z13 at 2,0 turned 3, ...")
    assert drawn.options() == ["farmer on p1", "herald on r1", "monk on m1", "nobody"]
    drawn.play("0: nobody")
    assert drawn.table.followers == ()


@rule("Z12")
def test_a_follower_goes_to_the_tile_just_placed_only():
    drawn = Drawn("Z13 Z01 Z11").play("""
        0: Z13 at 2,0 turned 3
        1: Z01 at 0,3, ...
    """)
    assert drawn.options() == ["nobody", "squire on h1"]  # not to Z13, which is free
    drawn.play("1: squire on h1")
    assert drawn.table.followers == ((1, (0, 3), "h1", "follower"),)
    assert drawn.table.supplies == (6, 5)


@rule("Z12")
def test_a_segment_that_the_tile_does_not_have_is_refused():
    game = Drawn("Z13 Z11").play("0: Z13 at 2,0 turned 3, ...").game
    with pytest.raises(IllegalActionError, match=r"Z13 has only 3 segments \(Z12\)"):
        game.step(game.ruleset.actions.send(3))


@rule("Z12")
def test_nobody_is_sent_where_the_opponent_stands_in_the_area():
    drawn = Drawn("Z17 Z19 Z11").play("""
        0: Z17 at 2,0 turned 1, herald on r1
        1: Z19 at 2,1 turned 1, ...
    """)
    assert drawn.options() == ["farmer on p1", "monk on m1", "nobody"]
    assert drawn.why_illegal("herald on r1").endswith("a follower stands in the road of r1 already (Z12)")


@rule("Z12")
def test_the_same_holds_for_the_player_who_began():
    drawn = Drawn("Z11 Z17 Z19 Z08").play("""
        0: Z11 at 0,3
        1: Z17 at 2,0 turned 1, herald on r1
        0: Z19 at 2,1 turned 1, ...
    """)
    assert drawn.options() == ["farmer on p1", "monk on m1", "nobody"]
    assert "(Z12)" in drawn.why_illegal("herald on r1")


@rule("Z12")
def test_an_own_follower_at_the_far_end_occupies_the_area():
    drawn = Drawn("Z17 Z19 Z21 Z11").play("""
        0: Z17 at 2,0 turned 1, herald on r1
        1: Z19 at 2,1 turned 1
        0: Z21 at 2,2 turned 1, ...
    """)
    assert drawn.options() == ["monk on m1", "nobody", "squire on h1"]
    assert "(Z12)" in drawn.why_illegal("herald on r1")


@rule("Z12")
def test_two_segments_in_one_free_area_are_two_places_to_stand():
    drawn = Drawn("Z14 Z41 Z11").play("""
        0: Z14 at 3,9 turned 3
        1: Z41 at 3,8 turned 1, ...
    """)
    # 3,8 Z41 shows h1, road, h2 to Z14 in the east, which is a house all over
    assert drawn.area((3, 8), "h1") == drawn.area((3, 8), "h2")
    assert drawn.options() == ["herald on r1", "monk on m1", "nobody", "squire on h1", "squire on h2"]


# --- when nobody can be sent ---


@rule("Z12")
def test_with_no_follower_in_supply_the_send_is_skipped():
    drawn = Drawn(f"{SIX_SENT_TILES} Z28 Z08 Z55").play(SIX_SENT)
    assert drawn.table.supplies == (0, 6)
    drawn.play("""
        1: Z28 at 8,9 turned 1
        0: Z08 at 4,3, ...
    """)
    assert drawn.table.phase == "place"  # Z08 lies alone in a free area, yet the turn is over
    assert drawn.table.player == 1


@rule("Z12")
def test_with_all_segments_occupied_the_send_is_skipped():
    drawn = Drawn("Z09 Z08 Z11").play("""
        0: Z09 at 3,9 turned 1, farmer on p1
        1: Z08 at 4,9, ...
    """)
    assert drawn.table.phase == "place"
    assert drawn.table.player == 0
    assert drawn.table.supplies == (5, 6)


@rule("Z12", "Z20")
def test_a_follower_that_returns_is_available_from_the_owners_next_turn():
    drawn = Drawn(f"{SIX_SENT_TILES} Z28 Z08 Z07 Z05 Z55").play(SIX_SENT)
    drawn.play("""
        1: Z28 at 8,9 turned 1
        0: Z08 at 8,4, ...
    """)
    # Z08 covered the last open side of the house at 9,4, whose squire came home; but the send came before that
    assert drawn.scored == [(0, "house", 1, 1)]
    assert drawn.table.player == 1
    assert drawn.table.supplies == (1, 6)
    drawn.play("""
        1: Z07 at 8,3
        0: Z05 at 8,5, ...
    """)
    assert drawn.table.phase == "send"


@rule("Z12", "Z20", "Z25")
def test_a_follower_that_returns_is_available_in_the_extra_turn_right_after():
    six_sent = re.sub("(0: .*)", r"\1, no extra turn", SIX_SENT)
    drawn = Drawn(f"{SIX_SENT_TILES} Z28 Z08 Z07 Z55", held=((1,), ())).play(six_sent)
    drawn.play("""
        1: Z28 at 8,9 turned 1
        0: Z08 at 8,4, extra turn
        0: Z07 at 8,3, ...
    """)
    assert drawn.scored == [(0, "house", 1, 1)]
    assert drawn.table.player == 0
    assert drawn.table.phase == "send"
    assert drawn.table.supplies == (1, 6)


# --- roles ---


@rule("Z13")
def test_the_role_follows_from_the_feature():
    drawn = Drawn("Z38 Z11").play("0: Z38 at 2,0 turned 3, ...")
    assert {step: drawn.game.describe(action) for step, action in zip(drawn.options(), sends(drawn), strict=True)} == {
        "farmer on p1": "send a farmer to pigsty p1",
        "herald on r1": "send a herald to road r1",
        "monk on m1": "send a monk to meadow m1",
        "nobody": "send nobody",
        "squire on h1": "send a squire to house h1",
    }


def sends(drawn):
    """Return the legal actions in the order of `drawn.options()`."""
    return [drawn.decisions[drawn.read_step(step)] for step in drawn.options()]


@rule("Z13", "Z16", "Z27")
def test_a_monk_lies_in_a_complete_meadow_to_the_end_of_the_game():
    drawn = Drawn("Z10 Z11 Z08", only=True).play("""
        0: Z10 at 0,3, monk on m1
        1: Z11 at 0,4
        0: Z08 at 3,9
    """)
    # the meadow of B ends at Z10, which shows house on its other sides
    assert drawn.area("B", "m1").open_ports == 0
    assert drawn.scored == []
    assert drawn.table.followers == ((0, (0, 3), "m1", "follower"),)
    assert drawn.table.supplies == (5, 6)
    assert drawn.paid == {(0, "meadow"): 3}


# --- merging and completing ---


@rule("Z14")
def test_when_areas_with_followers_merge_all_followers_stay():
    drawn = Drawn("Z11 Z03 Z02 Z01 Z06").play("""
        0: Z11 at 0,3
        1: Z03 at 1,3 turned 2, squire on h1
        0: Z02 at 0,4 turned 2, squire on h1
        1: Z01 at 1,4
    """)
    assert drawn.area((1, 4), "h1").followers == (1, 1)
    assert drawn.table.followers == ((0, (0, 4), "h1", "follower"), (1, (1, 3), "h1", "follower"))
    assert drawn.table.supplies == (5, 5)


@rule("Z14")
def test_merged_meadows_keep_the_monks_of_both_players():
    drawn = Drawn("Z03 Z12 Z06 Z11 Z02 Z08").play("""
        0: Z03 at 0,3 turned 3, monk on m1
        1: Z12 at 1,3
        0: Z06 at 9,4
        1: Z11 at 1,4, monk on m1
        0: Z02 at 0,4 turned 1
    """)
    assert drawn.area("B", "m1").followers == (1, 1)
    assert drawn.table.supplies == (5, 5)


@rule("Z15")
def test_a_follower_sent_to_a_completed_area_returns_at_once():
    drawn = Drawn("Z12 Z11").play("0: Z12 at 9,4 turned 2, squire on h1")
    assert drawn.scored == [(0, "house", 2, 2)]
    assert drawn.table.followers == ()
    assert drawn.table.supplies == (6, 6)
