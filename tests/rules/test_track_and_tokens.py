"""The order of scoring, the score track, its towers, and the tokens used during the game (rules Z19, Z22–Z25)."""

import pytest

from tests.support.drawn import Drawn
from zamek_env import IllegalActionError

rule = pytest.mark.rule

# Z11 at 3,8 completes a house of 1 tile (1 point) at 4,8 and a pigsty of 2 tiles (4 points), 3,9 and D.
#
#     (3,8)  3,9  D
#      4,8   4,9
HOUSE_AND_PIGSTY = "Z09 Z06 Z12 Z03 Z11 Z08"
BOTH_OF_PLAYER_0 = """
    0: Z09 at 3,9 turned 3, farmer on p1
    1: Z06 at 4,9
    0: Z12 at 4,8, squire on h1
    1: Z03 at 0,3
"""

# The same with two houses of 1 tile each, at 3,9 and at 4,8.
TWO_HOUSES = "Z02 Z06 Z12 Z03 Z11 Z08"
BOTH_HOUSES_OF_PLAYER_0 = """
    0: Z02 at 3,9, squire on h1
    1: Z06 at 4,9
    0: Z12 at 4,8, squire on h1
    1: Z03 at 0,3
"""

# A house of 2 tiles (2 points), 9,4 and F; a pigsty of 2 tiles (4 points), 3,9 and D.
HOUSE = "Z12 at 9,4 turned 2, squire on h1"
PIGSTY = "Z07 at 3,9 turned 2, farmer on p1"


# --- the order of scoring ---


@rule("Z19")
def test_the_active_player_chooses_which_area_is_scored_next():
    drawn = Drawn(HOUSE_AND_PIGSTY).play(BOTH_OF_PLAYER_0).play("0: Z11 at 3,8, nobody, ...")
    assert drawn.options() == ["house at 4,8 h1", "pigsty at 3,9 p1"]
    drawn.play("0: pigsty at 3,9 p1")
    assert drawn.scored == [(0, "pigsty", 2, 4), (0, "house", 1, 1)]


@rule("Z19")
def test_a_slot_without_an_area_cannot_be_scored():
    game = Drawn(HOUSE_AND_PIGSTY).play(BOTH_OF_PLAYER_0).play("0: Z11 at 3,8, nobody, ...").game
    with pytest.raises(IllegalActionError, match=r"no area waits to be scored in slot 2 \(Z19\)"):
        game.step(game.ruleset.actions.score(2, False))


@rule("Z19", "Z22")
@pytest.mark.parametrize(("order", "took"), [("house at 4,8 h1", [(0, 6, 12)]), ("pigsty at 3,9 p1", [])])
def test_the_order_decides_whether_the_marker_rests_on_a_tower(order, took):
    drawn = Drawn(HOUSE_AND_PIGSTY, towers={12: 6}).set_earlier(scores=(11, 0)).play(BOTH_OF_PLAYER_0)
    drawn.play(f"0: Z11 at 3,8, {order}")
    # 11 + 1 = 12, a tower, then 16; or 11 + 4 = 15, then 16
    assert drawn.table.scores == (16, 0)
    assert drawn.took == took
    assert (12 in drawn.table.towers) == (took == [])


@rule("Z19", "Z22")
def test_the_active_player_orders_the_opponents_areas_too_and_every_rest_counts():
    drawn = (
        Drawn("Z09 Z06 Z12 Z11 Z03", towers={12: 6})
        .set_earlier(scores=(11, 0))
        .play("""
        0: Z09 at 3,9 turned 3, farmer on p1
        1: Z06 at 4,9
        0: Z12 at 4,8, squire on h1
        1: Z11 at 3,8, nobody, ...
    """)
    )
    assert drawn.table.player == 1
    assert drawn.options() == ["house at 4,8 h1", "pigsty at 3,9 p1"]
    drawn.play("1: house at 4,8 h1")
    assert drawn.took == [(0, 6, 12)]
    assert drawn.table.tokens == ({6: 1}, {})


@rule("Z19")
def test_the_active_players_pigsty_is_scored_before_the_opponents_house():
    drawn = Drawn("Z09 Z06 Z03 Z12 Z11 Z08").play("""
        0: Z09 at 3,9 turned 3, farmer on p1
        1: Z06 at 4,9
        0: Z03 at 0,3
        1: Z12 at 4,8, squire on h1
        0: Z11 at 3,8
    """)
    assert drawn.scored == [(0, "pigsty", 2, 4), (1, "house", 1, 1)]


@rule("Z19")
def test_the_active_players_house_is_scored_before_the_opponents_pigsty():
    drawn = Drawn("Z03 Z09 Z10 Z06 Z12 Z01 Z11 Z08").play("""
        0: Z03 at 0,3
        1: Z09 at 3,9 turned 3, farmer on p1
        0: Z10 at 9,4
        1: Z06 at 4,9
        0: Z12 at 4,8, squire on h1
        1: Z01 at 1,3
        0: Z11 at 3,8
    """)
    assert drawn.scored == [(0, "house", 1, 1), (1, "pigsty", 2, 4)]


@rule("Z19", "Z23")
def test_a_token_decision_is_made_before_the_move_of_each_area():
    drawn = Drawn(HOUSE_AND_PIGSTY, held=((2, 3), ())).play(BOTH_OF_PLAYER_0).play("0: Z11 at 3,8, nobody, ...")
    assert drawn.options() == [
        "house at 4,8 h1",
        "house at 4,8 h1 with token 2",
        "pigsty at 3,9 p1",
        "pigsty at 3,9 p1 with token 3",
    ]
    drawn.play("0: house at 4,8 h1, ...")
    assert drawn.options() == ["pigsty at 3,9 p1", "pigsty at 3,9 p1 with token 3"]
    drawn.play("0: pigsty at 3,9 p1 with token 3")
    assert drawn.scored == [(0, "house", 1, 1), (0, "pigsty", 2, 8)]
    assert drawn.table.tokens == ({2: 1}, {})


@rule("Z19", "Z16", "Z20")
@pytest.mark.parametrize("step", [1, -1])
def test_one_tile_may_complete_six_areas_scored_in_any_order(step):
    drawn = Drawn("Z52 Z53 Z56 Z33 Z57 Z11 Z58 Z25 Z50 Z06 Z60 Z08").play("""
        0: Z52 at 3,9 turned 2, squire on h1
        1: Z53 at 3,8 turned 1, herald on r2
        0: Z56 at 4,9 turned 2, herald on r2
        1: Z33 at 3,7 turned 1, squire on h1
        0: Z57 at 5,9 turned 3, farmer on p1
        1: Z11 at 0,3
        0: Z58 at 5,8 turned 3, herald on r2
        1: Z25 at 5,7 turned 3
        0: Z50 at 4,7 turned 3, herald on r3
        1: Z06 at 0,4
    """)
    #   3,7 ═ 3,8   3,9       ═ ║ houses and a pigsty, joined already
    #          │     ║
    #   4,7 ─(4,8)─ 4,9       four roads that all end in 4,8, a fountain
    #          │     ║
    #   5,7   5,8   5,9
    assert drawn.scored == []
    assert drawn.table.supplies == (1, 4)
    drawn.play("0: Z60 at 4,8 turned 3, squire on h1, ...")  # a house of its own, of 1 tile, closed all round
    assert drawn.table.supplies == (0, 4)
    due = {
        "house at 3,9 h1": (0, "house", 2, 2),
        "house at 4,8 h1": (0, "house", 1, 1),
        "pigsty at 4,9 p1": (0, "pigsty", 2, 4),
        "road at 4,7 r3": (0, "road", 2, 2),
        "road at 4,8 r3": (0, "road", 2, 2),
        "road at 4,8 r4": (0, "road", 2, 2),
    }
    assert drawn.options() == list(due)
    order = list(due)[::step]
    drawn.play(f"0: {', '.join(order[:-1])}, ...")  # the last one is then scored without a choice
    assert drawn.scored == [due[area] for area in order]
    assert drawn.table.scores == (13, 0)
    assert drawn.options() == ["house at 3,7 h1", "road at 3,8 r2"]  # the opponent's
    drawn.play("0: road at 3,8 r2")
    assert drawn.scored[6:] == [(1, "road", 2, 2), (1, "house", 2, 2)]
    assert drawn.table.scores == (13, 4)
    assert drawn.table.supplies == (6, 6)
    assert drawn.table.followers == ()


# --- towers ---


@rule("Z22")
@pytest.mark.parametrize(
    ("before", "rest", "took"),
    [
        (9, 11, None),  # the field before a tower
        (10, 12, 3),  # its first field
        (11, 13, 3),  # its second
        (12, 14, None),  # the field after it
        (54, 56, 5),
        (55, 57, 5),
        (98, 100, None),  # field 0: that tower holds no token
        (99, 101, None),  # field 1
        (110, 112, 3),  # field 12 on the second lap
        (111, 113, 3),
        (211, 213, 3),  # … and on the third
        (154, 156, 5),
        (113, 115, None),
    ],
)
def test_a_marker_takes_the_token_of_a_tower_on_which_it_comes_to_rest_on_any_lap(before, rest, took):
    drawn = Drawn("Z12 Z11", towers={12: 3, 56: 5}).set_earlier(scores=(before, 0))
    drawn.play(f"0: {HOUSE}")
    assert drawn.table.scores == (rest, 0)
    assert drawn.took == ([] if took is None else [(0, took, rest)])
    assert drawn.table.tokens == ({} if took is None else {took: 1}, {})


@rule("Z22")
def test_passing_a_tower_takes_nothing():
    drawn = Drawn("Z07 Z11", towers={12: 6}).set_earlier(scores=(11, 0)).play(f"0: {PIGSTY}")
    assert drawn.table.scores == (15, 0)
    assert drawn.took == []
    assert 12 in drawn.table.towers


@rule("Z22")
def test_the_marker_of_the_opponent_takes_a_token_too():
    drawn = (
        Drawn("Z03 Z11 Z08", towers={12: 6})
        .set_earlier(scores=(11, 0))
        .play("""
        0: Z03 at 0,3 turned 2, squire on h1
        1: Z11 at 0,4
    """)
    )
    assert drawn.took == [(0, 6, 12)]
    assert drawn.table.tokens == ({6: 1}, {})


@rule("Z22")
def test_a_tower_is_emptied_once_for_both_players_and_all_laps():
    drawn = (
        Drawn("Z12 Z08 Z11 Z07 Z03", towers={12: 6})
        .set_earlier(scores=(10, 108))
        .play(f"""
        0: {HOUSE}
        1: Z08 at 0,3
        0: Z11 at 1,3
        1: {PIGSTY}
    """)
    )
    assert drawn.table.scores == (12, 112)
    assert drawn.took == [(0, 6, 12)]


@rule("Z22", "Z19")
@pytest.mark.parametrize(
    ("last_turns", "took", "tokens"),
    [("0: Z11 at 3,8", [(0, 6, 13)], ({6: 1}, {})), ("0: Z08 at 0,4\n1: Z11 at 3,8", [(1, 6, 12)], ({}, {6: 1}))],
)
def test_the_active_players_marker_takes_the_token_of_a_shared_tower(last_turns, took, tokens):
    last = " ".join(line[3:6] for line in last_turns.splitlines())
    drawn = (
        Drawn(f"Z09 Z06 Z03 Z12 {last}", towers={12: 6})
        .set_earlier(scores=(9, 11))
        .play("""
        0: Z09 at 3,9 turned 3, farmer on p1
        1: Z06 at 4,9
        0: Z03 at 0,3
        1: Z12 at 4,8, squire on h1
    """)
    )
    drawn.play(last_turns)  # 9 + 4 = 13 by the pigsty, 11 + 1 = 12 by the house: the two fields of one tower
    assert drawn.table.scores == (13, 12)
    assert drawn.took == took
    assert drawn.table.tokens == tokens


@rule("Z22", "Z23", "Z25")
def test_three_tokens_taken_in_one_turn_serve_from_the_owners_next_turn_on():
    drawn = Drawn("Z09 Z10 Z12 Z01 Z04 Z14 Z11 Z08 Z03 Z06", towers={56: 3, 59: 1, 62: 2}).set_earlier(scores=(55, 0))
    drawn.play("""
        0: Z09 at 3,9 turned 3, farmer on p1
        1: Z10 at 4,9
        0: Z12 at 4,8, squire on h1
        1: Z01 at 4,7
        0: Z04 at 3,7 turned 3, farmer on p1
        1: Z14 at 1,7
    """)
    #   3,7  (3,8)  3,9  D     a pigsty of 1 tile, a pigsty of 2 tiles with D,
    #   4,7   4,8   4,9        and a house of 1 tile at 4,8: 2, 4 and 1 points
    drawn.play("0: Z11 at 3,8, house at 4,8 h1, ...")  # 56, where token 3 lay: it serves neither pigsty now
    assert drawn.options() == ["pigsty at 3,7 p1", "pigsty at 3,9 p1"]
    drawn.play("0: pigsty at 3,9 p1")  # 60; then 62 without a choice, and no extra turn with the token of 59
    assert drawn.scored == [(0, "house", 1, 1), (0, "pigsty", 2, 4), (0, "pigsty", 1, 2)]
    assert drawn.took == [(0, 3, 56), (0, 1, 60), (0, 2, 62)]
    assert drawn.table.tokens == ({1: 1, 2: 1, 3: 1}, {})
    assert drawn.table.player == 1
    drawn.play("""
        1: Z08 at 5,9
        0: Z03 at 9,4 turned 3, squire on h1, house at 9,4 h1 with token 2, extra turn
        0: Z06 at 0,3, farmer on p1, pigsty at 0,3 p1 with token 3
    """)
    assert drawn.scored[3:] == [(0, "house", 2, 4), (0, "pigsty", 1, 4)]
    assert drawn.table.scores == (70, 0)
    assert drawn.table.tokens == ({}, {})


# --- tokens of kinds 2 and 3 ---


@rule("Z23")
def test_token_2_makes_a_house_pay_two_points_a_tile():
    drawn = Drawn("Z12 Z11", held=((2,), ())).play(f"0: {HOUSE}, ...")
    assert drawn.options() == ["house at 9,4 h1", "house at 9,4 h1 with token 2"]
    drawn.play("0: house at 9,4 h1 with token 2")
    assert drawn.scored == [(0, "house", 2, 4)]
    assert drawn.table.tokens == ({}, {})


@rule("Z23")
def test_token_3_makes_a_pigsty_pay_four_points_a_tile():
    drawn = Drawn("Z07 Z11", held=((3,), ())).play(f"0: {PIGSTY}, pigsty at 3,9 p1 with token 3")
    assert drawn.scored == [(0, "pigsty", 2, 8)]
    assert drawn.table.tokens == ({}, {})


@rule("Z23")
def test_tokens_2_and_3_need_not_be_used():
    drawn = Drawn("Z12 Z11", held=((2,), ())).play(f"0: {HOUSE}, house at 9,4 h1")
    assert drawn.scored == [(0, "house", 2, 2)]
    assert drawn.table.tokens == ({2: 1}, {})
    drawn = Drawn("Z07 Z11", held=((3,), ())).play(f"0: {PIGSTY}, pigsty at 3,9 p1")
    assert drawn.scored == [(0, "pigsty", 2, 4)]
    assert drawn.table.tokens == ({3: 1}, {})


@rule("Z23")
def test_token_2_is_of_no_use_on_a_pigsty_or_road_nor_token_3_on_a_house_or_road():
    drawn = Drawn("Z07 Z11", held=((2,), ())).play(f"0: {PIGSTY}")  # not asked
    assert drawn.scored == [(0, "pigsty", 2, 4)]
    drawn = Drawn("Z12 Z11", held=((3,), ())).play(f"0: {HOUSE}")
    assert drawn.scored == [(0, "house", 2, 2)]
    drawn = Drawn("Z13 Z11", held=((2, 3), ())).play("0: Z13 at 2,0 turned 3, herald on r1")
    assert drawn.scored == [(0, "road", 2, 2)]


@rule("Z23")
def test_the_explanation_says_that_no_token_fits():
    drawn = Drawn(HOUSE_AND_PIGSTY, held=((2,), ())).play(BOTH_OF_PLAYER_0).play("0: Z11 at 3,8, nobody, ...")
    assert drawn.why_illegal("pigsty at 3,9 p1 with token 3").endswith(
        "player 0 holds no token that may be used on a pigsty now (Z23)"
    )


@rule("Z23")
def test_at_most_one_token_is_used_on_an_area():
    drawn = Drawn("Z12 Z11", held=((2, 2), ())).play(f"0: {HOUSE}, house at 9,4 h1 with token 2")
    assert drawn.scored == [(0, "house", 2, 4)]
    assert drawn.table.tokens == ({2: 1}, {})


@rule("Z23")
def test_any_number_of_tokens_is_used_in_a_turn():
    drawn = Drawn(TWO_HOUSES, held=((2, 2), ())).play(BOTH_HOUSES_OF_PLAYER_0)
    drawn.play("0: Z11 at 3,8, house at 3,9 h1 with token 2, house at 4,8 h1 with token 2")
    assert drawn.scored == [(0, "house", 1, 2), (0, "house", 1, 2)]
    assert drawn.table.tokens == ({}, {})


@rule("Z23")
def test_one_token_serves_one_of_two_areas():
    drawn = Drawn(TWO_HOUSES, held=((2,), ())).play(BOTH_HOUSES_OF_PLAYER_0)
    drawn.play("0: Z11 at 3,8, house at 4,8 h1 with token 2")  # the other is then scored without a choice
    assert drawn.scored == [(0, "house", 1, 2), (0, "house", 1, 1)]


@rule("Z23")
@pytest.mark.parametrize("held", [((2,), ()), ((), (2,)), ((2,), (2,))])
def test_the_opponents_area_is_scored_without_a_token_whoever_holds_one(held):
    drawn = Drawn("Z03 Z11 Z08", held=held).play("""
        0: Z03 at 0,3 turned 2, squire on h1
        1: Z11 at 0,4
    """)
    assert drawn.scored == [(0, "house", 1, 1)]
    assert drawn.table.tokens == tuple({2: 1} if kinds else {} for kinds in held)


@rule("Z19", "Z23")
def test_the_opponents_two_areas_are_ordered_without_his_tokens():
    drawn = Drawn("Z09 Z06 Z12 Z11 Z03", held=((2, 3), (2, 3))).play("""
        0: Z09 at 3,9 turned 3, farmer on p1
        1: Z06 at 4,9
        0: Z12 at 4,8, squire on h1
        1: Z11 at 3,8, nobody, ...
    """)
    assert drawn.options() == ["house at 4,8 h1", "pigsty at 3,9 p1"]
    assert drawn.why_illegal("house at 4,8 h1 with token 2").endswith("and this house is the opponent's")
    assert "(Z23)" in drawn.why_illegal("pigsty at 3,9 p1 with token 3")


# --- when a token may be used ---


@rule("Z23")
def test_a_token_is_used_in_a_later_turn_of_its_owner():
    drawn = Drawn("Z12 Z11 Z07 Z08", towers={12: 3}).set_earlier(scores=(10, 0)).play(f"0: {HOUSE}")
    assert drawn.table.tokens == ({3: 1}, {})
    drawn.play(f"""
        1: Z11 at 0,3
        0: {PIGSTY}, pigsty at 3,9 p1 with token 3
    """)
    assert drawn.scored == [(0, "house", 2, 2), (0, "pigsty", 2, 8)]


@rule("Z23")
def test_a_token_is_not_used_in_the_turn_in_which_it_was_taken():
    drawn = Drawn(HOUSE_AND_PIGSTY, towers={12: 3}).set_earlier(scores=(11, 0)).play(BOTH_OF_PLAYER_0)
    drawn.play("0: Z11 at 3,8, house at 4,8 h1")  # rests on tower 12; the pigsty then leaves no choice
    assert drawn.took == [(0, 3, 12)]
    assert drawn.scored == [(0, "house", 1, 1), (0, "pigsty", 2, 4)]
    assert drawn.table.tokens == ({3: 1}, {})


@rule("Z23", "Z19")
def test_a_token_taken_in_this_turn_is_shown_but_not_offered():
    drawn = Drawn(HOUSE_AND_PIGSTY, towers={12: 3}, held=((3,), ())).set_earlier(scores=(11, 0))
    drawn.play(BOTH_OF_PLAYER_0).play("0: Z11 at 3,8, house at 4,8 h1, ...")
    assert drawn.table.tokens == ({3: 1}, {})
    assert drawn.table.fresh_tokens == ({3: 1}, {})
    drawn.play("0: pigsty at 3,9 p1 with token 3")
    assert drawn.table.tokens == ({3: 1}, {})  # the fresh one


@rule("Z22", "Z23")
def test_a_token_taken_in_the_opponents_turn_serves_in_the_owners_next_one():
    drawn = Drawn("Z03 Z11 Z08 Z12", towers={12: 2}, held=((), (1,))).set_earlier(scores=(11, 0))
    drawn.play("""
        0: Z03 at 0,3 turned 2, squire on h1
        1: Z11 at 0,4, extra turn
        1: Z08 at 3,9
    """)
    assert drawn.took == [(0, 2, 12)]
    drawn.play(f"0: {HOUSE}, house at 9,4 h1 with token 2")
    assert drawn.scored == [(0, "house", 1, 1), (0, "house", 2, 4)]
    assert drawn.table.tokens == ({}, {})


@rule("Z23", "Z25")
def test_a_token_taken_in_a_turn_is_usable_in_the_extra_turn_after_it():
    drawn = Drawn("Z12 Z07 Z11", towers={12: 3}, held=((1,), ())).set_earlier(scores=(10, 0))
    drawn.play(f"""
        0: {HOUSE}, extra turn
        0: {PIGSTY}, pigsty at 3,9 p1 with token 3
    """)
    assert drawn.took == [(0, 3, 12)]
    assert drawn.scored == [(0, "house", 2, 2), (0, "pigsty", 2, 8)]


@rule("Z23", "Z25")
def test_an_extra_turn_token_is_not_used_in_the_turn_in_which_it_was_taken():
    drawn = Drawn("Z12 Z11 Z08 Z06", towers={12: 1}).set_earlier(scores=(10, 0)).play(f"0: {HOUSE}")
    assert drawn.table.player == 1
    drawn.play("""
        1: Z11 at 0,3
        0: Z08 at 3,9, extra turn
    """)
    assert drawn.table.player == 0


@rule("Z23")
def test_a_used_token_leaves_the_game():
    drawn = Drawn("Z12 Z11", held=((2,), ()))
    towers = drawn.table.towers
    drawn.play(f"0: {HOUSE}, house at 9,4 h1 with token 2")
    assert drawn.table.tokens == drawn.table.fresh_tokens == ({}, {})
    assert drawn.table.towers == towers


# --- extra turns ---


@rule("Z25")
def test_an_extra_turn_is_a_turn_like_any_other():
    drawn = Drawn("Z11 Z12 Z08 Z06", held=((1,), ())).play("0: Z11 at 0,3, monk on m1, ...")
    assert drawn.options() == ["extra turn", "no extra turn"]
    drawn.play(f"""
        0: extra turn
        0: {HOUSE}
    """)
    assert drawn.scored == [(0, "house", 2, 2)]
    assert drawn.table.player == 1
    assert drawn.table.tokens == ({}, {})


@rule("Z25")
def test_an_extra_turn_may_be_refused():
    drawn = Drawn("Z11 Z08", held=((1,), ())).play("0: Z11 at 0,3, no extra turn")
    assert drawn.table.player == 1
    assert drawn.table.tokens == ({1: 1}, {})


@rule("Z25")
def test_the_opponents_token_gives_no_extra_turn():
    drawn = Drawn("Z11 Z08", held=((), (1,))).play("0: Z11 at 0,3")
    assert drawn.table.player == 1


@rule("Z25")
def test_two_extra_turn_tokens_are_used_one_after_another():
    drawn = Drawn("Z11 Z12 Z08 Z06", held=((1, 1), ())).play("0: Z11 at 0,3, extra turn")
    assert drawn.table.phase == "place"  # not asked again
    assert drawn.table.tokens == ({1: 1}, {})
    drawn.play("""
        0: Z12 at 9,4, extra turn
        0: Z08 at 3,9
    """)
    assert drawn.table.player == 1
    assert drawn.table.tokens == ({}, {})


@rule("Z25", "Z23")
def test_a_token_taken_in_an_extra_turn_serves_at_its_end():
    drawn = Drawn("Z12 Z11 Z08 Z06", towers={12: 1}, held=((1,), ())).set_earlier(scores=(10, 0))
    drawn.play(f"0: {HOUSE}, extra turn")
    assert drawn.took == [(0, 1, 12)]
    assert drawn.table.tokens == ({1: 1}, {})  # the one just taken
    drawn.play("""
        0: Z11 at 0,3, extra turn
        0: Z08 at 3,9
    """)
    assert drawn.table.player == 1
    assert drawn.table.tokens == ({}, {})


@rule("Z25")
def test_an_extra_turn_is_decided_before_the_next_tile_is_seen():
    drawn = Drawn("Z11 Z12 Z08", held=((1,), ())).play("0: Z11 at 0,3, nobody, ...")
    assert drawn.table.phase == "extra turn"
    assert drawn.table.tile is None
    assert {"Z12", "Z08"} <= drawn.table.remaining.keys()


@rule("Z25")
def test_an_extra_turn_is_offered_only_while_tiles_remain():
    drawn = Drawn("Z11", held=((1,), ()), only=True).play("0: Z11 at 0,3")
    assert drawn.game.is_terminal
    assert drawn.table.tokens == ({1: 1}, {})
