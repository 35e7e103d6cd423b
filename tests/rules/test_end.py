"""The end of the game and what counts there, tokens of kinds 4 to 9 included (rules Z23, Z24, Z26–Z30)."""

import pytest

from tests.support.drawn import Drawn
from zamek_env.core.end_scoring import sum_token_points

rule = pytest.mark.rule

# Player 0 controls two meadows: B, 0,3 and 1,3 with 2 shrines, and 9,4 with 1.
TWO_MEADOWS = "Z11 Z06 Z03"
TWO_MONKS = """
    0: Z11 at 0,3, monk on m1
    1: Z06 at 1,3 turned 1
    0: Z03 at 9,4, monk on m1
"""

# Player 0 controls an unfinished house of 2 tiles, 9,4 and F, and one of 1 tile, 0,3.
TWO_HOUSES = "Z02 Z06 Z03"
TWO_SQUIRES = """
    0: Z02 at 9,4 turned 2, squire on h1
    1: Z06 at 3,9
    0: Z03 at 0,3 turned 2, squire on h1
"""

# Player 0 controls an unfinished pigsty of 2 tiles, 3,9 and D, and one of 1 tile, 9,4.
TWO_PIGSTIES = "Z07 Z11 Z12"
TWO_FARMERS = """
    0: Z07 at 3,9 turned 3, farmer on p1
    1: Z11 at 0,3
    0: Z12 at 9,4, farmer on p1
"""

# Player 0 controls an unfinished road of 3 tiles, E, 8,9 and 8,8, and one with stocks of 2 tiles, A and 2,0.
TWO_ROADS = "Z17 Z19 Z28"
TWO_HERALDS = """
    0: Z17 at 8,9 turned 1, herald on r1
    1: Z19 at 8,8 turned 1
    0: Z28 at 2,0 turned 3, herald on r1
"""

# Both players have one squire in the same unfinished house, round 1,4.
SHARED_HOUSE = "Z11 Z03 Z02 Z01"
ONE_SQUIRE_EACH = """
    0: Z11 at 0,3
    1: Z03 at 1,3 turned 2, squire on h1
    0: Z02 at 0,4 turned 2, squire on h1
    1: Z01 at 1,4
"""


# --- when the game ends ---


@rule("Z26")
def test_the_game_ends_with_the_turn_in_which_the_last_tile_is_placed():
    drawn = Drawn("Z08 Z12", only=True).play("0: Z08 at 0,3")
    assert not drawn.game.is_terminal
    drawn.play("1: Z12 at 9,4 turned 2, ...")
    assert drawn.options() == ["farmer on p1", "nobody", "squire on h1"]  # that turn is played out
    drawn.play("1: squire on h1")
    assert drawn.scored == [(1, "house", 2, 2)]
    assert drawn.game.is_terminal
    assert drawn.game.legal_actions() == []
    assert drawn.game.current_player == -1


@rule("Z26")
def test_tokens_left_on_towers_count_for_nobody():
    drawn = Drawn("Z08", towers={12: 6, 22: 6}, only=True).play("0: Z08 at 0,3")
    assert drawn.table.towers >= {12, 22}
    assert drawn.paid == {}
    assert drawn.table.scores == (0, 0)


@rule("Z22", "Z27")
def test_end_scoring_takes_no_tokens():
    drawn = Drawn("Z11", towers={12: 6}, only=True).set_earlier(scores=(9, 0)).play("0: Z11 at 0,3, monk on m1")
    assert drawn.table.scores == (12, 0)  # a tower
    assert 12 in drawn.table.towers
    assert drawn.table.tokens == drawn.table.fresh_tokens == ({}, {})


@rule("Z29")
def test_unfinished_roads_houses_and_pigsties_give_nothing():
    assert Drawn(TWO_HOUSES, only=True).play(TWO_SQUIRES).paid == {}
    assert Drawn(TWO_PIGSTIES, only=True).play(TWO_FARMERS).paid == {}
    drawn = Drawn(TWO_ROADS, only=True).play(TWO_HERALDS)
    assert drawn.paid == {}
    assert drawn.table.scores == (0, 0)
    assert drawn.table.supplies == (4, 6)


# --- meadows ---


@rule("Z27", "Z2")
def test_the_shrine_of_a_start_space_counts():
    drawn = Drawn("Z11", only=True).play("0: Z11 at 0,3, monk on m1")
    assert drawn.paid == {(0, "meadow"): 3}
    assert drawn.table.scores == (3, 0)


@rule("Z27")
def test_each_controlled_meadow_gives_three_points_a_shrine():
    drawn = Drawn(TWO_MEADOWS, only=True).play(TWO_MONKS)
    assert drawn.area("B", "m1").marks == 2
    assert drawn.area((9, 4), "m1").marks == 1
    assert drawn.paid == {(0, "meadow"): 9}


@rule("Z27")
def test_a_complete_meadow_counts_like_an_open_one():
    drawn = Drawn("Z10", only=True).play("0: Z10 at 0,3, monk on m1")
    assert drawn.area("B", "m1").open_ports == 0
    assert drawn.paid == {(0, "meadow"): 3}


@rule("Z27")
def test_a_meadow_without_monks_or_without_shrines_gives_nothing():
    assert Drawn("Z11", only=True).play("0: Z11 at 0,3").paid == {}
    assert Drawn("Z11", only=True).play("0: Z11 at 9,4, monk on m1").paid == {}


@rule("Z27")
def test_with_as_many_monks_as_the_opponent_nobody_scores_a_meadow():
    drawn = Drawn("Z03 Z12 Z06 Z11 Z02", only=True).play("""
        0: Z03 at 0,3 turned 3, monk on m1
        1: Z12 at 1,3
        0: Z06 at 9,4
        1: Z11 at 1,4, monk on m1
        0: Z02 at 0,4 turned 1
    """)
    assert drawn.area("B", "m1").followers == (1, 1)
    assert drawn.area("B", "m1").marks == 2
    assert drawn.paid == {}


@rule("Z27")
def test_more_monks_take_all_the_shrines_of_a_meadow():
    drawn = Drawn("Z01 Z06 Z16 Z08 Z03 Z11", only=True).play("""
        0: Z01 at 0,3
        1: Z06 at 1,3, monk on m1
        0: Z16 at 0,4, monk on m1
        1: Z08 at 2,3
        0: Z03 at 2,4, monk on m1
        1: Z11 at 1,4
    """)
    #         0,4
    #   1,3   1,4     1,4 joins player 1's meadow at 1,3 (1 shrine) with player 0's at 0,4 and 2,4 (1 shrine)
    #         2,4
    assert drawn.area((1, 4), "m1").followers == (2, 1)
    assert drawn.paid == {(0, "meadow"): 6}


# --- family house ---


@rule("Z28")
def test_the_larger_family_house_pays_the_largest_empty_group():
    drawn = Drawn("Z12 Z13 Z11 Z03", only=True).play("""
        0: Z12 at 9,4 turned 2, squire on h1
        1: Z13 at 2,0 turned 3
        0: Z11 at 2,1
        1: Z03 at 1,1
    """)
    #       (0,1)          1,0 is cut off from the others: it touches 0,1 with a corner only
    #  (1,0) 1,1
    #   2,0  2,1
    assert drawn.paid == {(0, "family house"): 76 - 4 - 1}
    assert drawn.table.scores == (2 + 71, 0)


@rule("Z28")
def test_the_largest_group_of_empty_spaces_need_not_be_the_first():
    drawn = Drawn("Z12 Z11 Z06 Z03 Z08", only=True).play("""
        0: Z12 at 9,4 turned 2, squire on h1
        1: Z11 at 0,3
        0: Z06 at 0,2
        1: Z03 at 1,2
        0: Z08 at 1,1
    """)
    #       (0,1) 0,2      0,1 is cut off; it is the first space of the castle
    #  (1,0) 1,1  1,2
    assert drawn.paid == {(0, "family house"): 76 - 5 - 1}


@rule("Z28")
@pytest.mark.parametrize(
    ("houses", "paid"),
    [
        ((4, 3), {(0, "family house"): 75}),
        ((3, 4), {(1, "family house"): 75}),
        ((4, 4), {}),
        ((0, 1), {(1, "family house"): 75}),
        ((0, 0), {}),
    ],
)
def test_the_larger_family_house_counts_and_with_a_tie_neither(houses, paid):
    drawn = Drawn("Z08", only=True).set_earlier(family_houses=houses).play("0: Z08 at 0,3")
    assert drawn.paid == paid


@rule("Z28", "Z23")
@pytest.mark.parametrize(
    ("houses", "held", "paid"),
    [
        ((3, 4), ((5,), ()), {(0, "family house"): 75}),  # 5 to 4
        ((2, 4), ((5,), ()), {}),  # 4 to 4
        ((1, 4), ((5,), ()), {(1, "family house"): 75}),  # 3 to 4
        ((3, 4), ((5,), (5,)), {(1, "family house"): 75}),  # 5 to 6
    ],
)
def test_token_5_adds_two_tiles_to_the_family_house(houses, held, paid):
    drawn = Drawn("Z08", held=held, only=True).set_earlier(family_houses=houses).play("0: Z08 at 0,3")
    assert drawn.paid == paid


@rule("Z24", "Z23")
@pytest.mark.parametrize(
    ("houses", "paid"), [((2, 5), {(0, "family house"): 75}), ((1, 5), {}), ((1, 6), {(1, "family house"): 75})]
)
def test_two_tokens_5_add_four_tiles(houses, paid):
    drawn = Drawn("Z08", held=((5, 5), ()), only=True).set_earlier(family_houses=houses).play("0: Z08 at 0,3")
    assert drawn.paid == paid


@rule("Z23", "Z28")
@pytest.mark.parametrize(("houses", "paid"), [((0, 1), {(1, "family house"): 75}), ((0, 0), {})])
def test_token_5_is_useless_without_a_family_house(houses, paid):
    drawn = Drawn("Z08", held=((5, 5), ()), only=True).set_earlier(family_houses=houses).play("0: Z08 at 0,3")
    assert drawn.paid == paid


# --- tokens of kinds 4 and 6 to 9 ---


@rule("Z23", "Z24")
@pytest.mark.parametrize(("held", "points"), [((4,), 2), ((4, 4), 3)])
def test_token_4_adds_a_point_a_shrine_on_the_best_meadow_and_a_second_on_another(held, points):
    drawn = Drawn(TWO_MEADOWS, held=(held, ()), only=True).play(TWO_MONKS)
    assert drawn.paid == {(0, "meadow"): 9, (0, "token 4"): points}
    assert drawn.table.scores == (9 + points, 0)


@rule("Z24")
def test_two_tokens_4_are_not_used_on_one_meadow():
    drawn = Drawn("Z11", held=((4, 4), ()), only=True).play("0: Z11 at 0,3, monk on m1")
    assert drawn.paid == {(0, "meadow"): 3, (0, "token 4"): 1}


@rule("Z23")
@pytest.mark.parametrize(("held", "points"), [((6,), 5), ((6, 6), 10)])
def test_token_6_gives_five_points(held, points):
    drawn = Drawn("Z08", held=((), held), only=True).play("0: Z08 at 0,3")
    assert drawn.paid == {(1, "token 6"): points}
    assert drawn.table.scores == (0, points)


@rule("Z23", "Z24", "Z29")
@pytest.mark.parametrize(("held", "points"), [((7,), 2), ((7, 7), 3)])
def test_token_7_pays_the_best_unfinished_house(held, points):
    drawn = Drawn(TWO_HOUSES, held=(held, ()), only=True).play(TWO_SQUIRES)
    assert drawn.paid == {(0, "token 7"): points}


@rule("Z23", "Z24", "Z29")
@pytest.mark.parametrize(("held", "points"), [((8,), 4), ((8, 8), 6)])
def test_token_8_pays_the_best_unfinished_pigsty(held, points):
    drawn = Drawn(TWO_PIGSTIES, held=(held, ()), only=True).play(TWO_FARMERS)
    assert drawn.paid == {(0, "token 8"): points}


@rule("Z23", "Z24", "Z29")
@pytest.mark.parametrize(("held", "points"), [((9,), 3), ((9, 9), 5)])
def test_token_9_pays_the_best_unfinished_road(held, points):
    drawn = Drawn(TWO_ROADS, held=(held, ()), only=True).play(TWO_HERALDS)
    assert drawn.paid == {(0, "token 9"): points}


@rule("Z24")
@pytest.mark.parametrize(
    ("kind", "step"),
    [
        (7, "Z02 at 9,4 turned 2, squire on h1"),
        (8, "Z07 at 3,9 turned 3, farmer on p1"),
        (9, "Z28 at 2,0 turned 3, herald on r1"),
    ],
)
def test_two_tokens_of_a_kind_are_not_used_on_one_area(kind, step):
    one = Drawn(step[:3], held=((kind,), ()), only=True).play(f"0: {step}")
    two = Drawn(step[:3], held=((kind, kind), ()), only=True).play(f"0: {step}")
    assert one.paid == two.paid == {(0, f"token {kind}"): 4 if kind == 8 else 2}


@rule("Z24")
def test_an_area_with_two_followers_of_one_player_is_still_one_area():
    drawn = Drawn("Z11 Z03 Z02 Z06 Z12 Z01", held=((7, 7), ()), only=True).play("""
        0: Z11 at 0,3
        1: Z03 at 1,3 turned 2, squire on h1
        0: Z02 at 0,4 turned 2, squire on h1
        1: Z06 at 2,3
        0: Z12 at 2,4, squire on h1
        1: Z01 at 1,4
    """)
    assert drawn.area((1, 4), "h1").followers == (2, 1)
    assert drawn.paid == {(0, "token 7"): 4}


@rule("Z24")
def test_an_area_with_as_many_followers_of_both_players_is_controlled_by_neither():
    drawn = Drawn(SHARED_HOUSE, held=((7,), (7,)), only=True).play(ONE_SQUIRE_EACH)
    assert drawn.area((1, 4), "h1").followers == (1, 1)
    assert drawn.paid == {}


@rule("Z23", "Z24")
def test_tokens_do_not_serve_the_areas_of_the_opponent():
    assert Drawn(TWO_HOUSES, held=((), (7, 8)), only=True).play(TWO_SQUIRES).paid == {}
    drawn = Drawn(TWO_MEADOWS, held=((), (4,)), only=True).play(TWO_MONKS)
    assert drawn.paid == {(0, "meadow"): 9}


@rule("Z23", "Z29")
def test_token_7_is_of_no_use_on_a_house_that_was_completed():
    drawn = Drawn("Z12", held=((7,), ()), only=True).play("0: Z12 at 9,4 turned 2, squire on h1")
    assert drawn.paid == {(0, "family house"): 75}


@rule("Z23")
@pytest.mark.parametrize("kind", [1, 2, 3])
def test_tokens_1_to_3_count_nothing_at_the_end(kind):
    drawn = Drawn("Z02", held=((kind, kind), ()), only=True).play("0: Z02 at 9,4 turned 2, squire on h1")
    assert drawn.paid == {}


@rule("Z23")
def test_a_token_taken_in_the_last_turn_counts_at_the_end():
    drawn = Drawn("Z12", towers={12: 6}, only=True).set_earlier(scores=(10, 0))
    drawn.play("0: Z12 at 9,4 turned 2, squire on h1")
    assert drawn.took == [(0, 6, 12)]
    assert drawn.paid == {(0, "token 6"): 5, (0, "family house"): 75}
    assert drawn.table.scores == (12 + 5 + 75, 0)


# --- who wins ---


@rule("Z30")
@pytest.mark.parametrize(
    ("scores", "returns"),
    [((51, 50), (1.0, -1.0)), ((50, 51), (-1.0, 1.0)), ((50, 50), (0.0, 0.0)), ((99, 150), (-1.0, 1.0))],
)
def test_most_points_win_and_equal_points_share_the_victory(scores, returns):
    drawn = Drawn("Z08", only=True).set_earlier(scores=scores)
    assert drawn.game.returns() == (0.0, 0.0)  # not over yet
    drawn.play("0: Z08 at 0,3")
    assert drawn.table.scores == scores
    assert drawn.game.returns() == returns


@rule("Z30")
def test_the_end_scoring_decides_who_wins():
    drawn = Drawn("Z11", only=True).set_earlier(scores=(50, 52)).play("0: Z11 at 0,3, monk on m1")
    assert drawn.table.scores == (53, 52)
    assert drawn.game.returns() == (1.0, -1.0)


@rule("Z23", "Z24")
def test_a_token_for_something_else_adds_no_points_of_its_own():
    drawn = Drawn("Z12 Z11", held=((1, 2, 3, 5, 6), ()))
    drawn.set_earlier(family_houses=(3, 1))
    tables, state = drawn.game.ruleset.tables[0], drawn.game.raw_states[0]
    assert [sum_token_points(tables, state, kind, 0) for kind in (1, 2, 3, 5, 6)] == [0, 0, 0, 0, 5]
    assert [sum_token_points(tables, state, kind, 1) for kind in (1, 2, 3, 5, 6)] == [0] * 5
