"""Turn, action 1: where a tile may be placed, and tiles that fit nowhere (rules Z9–Z11)."""

import random

import pytest

from tests.support.drawn import Drawn
from tests.support.games import IS_COMPILED
from zamek_env import Game
from zamek_env.core import log

rule = pytest.mark.rule

ANY = {0, 1, 2, 3}

# Four dead ends close the roads of A, C, E and G; then all that can be built on has no road.
ROADS_CLOSED = """
    0: Z13 at 2,0 turned 3
    1: Z14 at 1,7
    0: Z15 at 8,9 turned 1
    1: Z16 at 6,2 turned 3
"""


NUM_DEALS = 300
FORCED_IN = [45, 99, 166, 203, 226]  # those of them in which there is a tile with a single legal placement


# --- where a tile fits ---


@rule("Z9", "Z10")
def test_the_first_tile_touches_a_start_space_and_meets_its_road_with_road():
    drawn = Drawn("Z17 Z11")  # a straight road, from north to south
    assert drawn.placements() == {
        (2, 0): {1, 3},
        (0, 3): {1, 3},
        (1, 7): {0, 2},
        (3, 9): {0, 2},
        (8, 9): {1, 3},
        (9, 4): {1, 3},
        (6, 2): {1, 3},
    }
    assert "(Z9)" in drawn.why_illegal("Z17 at 5,5")
    assert "(Z9)" in drawn.why_illegal("Z17 at 2,1")
    assert "(Z10)" in drawn.why_illegal("Z17 at 2,0")
    assert "(Z10)" in drawn.why_illegal("Z17 at 1,7 turned 1")


@rule("Z9", "Z10")
def test_a_later_tile_touches_a_start_space_or_a_tile_with_a_full_side():
    drawn = Drawn("Z17 Z11").play("0: Z17 at 2,0 turned 1")
    assert drawn.placements() == {(0, 3): ANY, (3, 9): ANY, (9, 4): ANY, (1, 0): ANY}
    assert "a tile lies on (2, 0) already (Z9)" in drawn.why_illegal("Z11 at 2,0")
    assert "touches neither a tile nor a start space (Z9)" in drawn.why_illegal("Z11 at 1,1")  # only a corner
    assert "(Z10)" in drawn.why_illegal("Z11 at 2,1")  # where the road goes on


@rule("Z10")
def test_a_tile_fits_on_all_sides_that_touch_something():
    drawn = Drawn("Z17 Z11 Z02 Z27").play("""
        0: Z17 at 2,0 turned 1
        1: Z11 at 1,0
        0: Z02 at 1,1
    """)
    #   1,0    1,1
    #   2,0 ── (2,1)      a road from the west, none from the north; Z27 is a bend
    assert drawn.placements()[2, 1] == {2}
    assert drawn.why_illegal("Z27 at 2,1 turned 3").endswith(
        "the north side of Z27 is road, but (1, 1) shows plain there (Z10)"
    )
    assert drawn.why_illegal("Z27 at 2,1 turned 1").endswith(
        "the west side of Z27 is plain, but (2, 0) shows road there (Z10)"
    )
    assert "(Z10)" in drawn.why_illegal("Z27 at 2,1")


@rule("Z10")
def test_the_wall_accepts_a_road():
    drawn = Drawn("Z14 Z27").play("0: Z14 at 1,7")
    # 1,8 lies in a corner, wall in the north and east; the bend may lead into both, but not into 1,7
    assert drawn.placements()[1, 8] == {0, 1}
    assert "(Z10)" in drawn.why_illegal("Z27 at 1,8 turned 2")


@rule("Z10")
def test_house_pigsty_and_meadow_may_touch_one_another_in_any_way():
    drawn = Drawn("Z08 Z01 Z11")
    assert drawn.placements() == {(0, 3): ANY, (3, 9): ANY, (9, 4): ANY}  # a pigsty to a meadow, a pigsty, a house
    drawn.play("0: Z08 at 9,4")
    assert drawn.placements() == {(0, 3): ANY, (3, 9): ANY, (9, 3): ANY, (8, 4): ANY, (9, 5): ANY}
    drawn.play("1: Z01 at 8,4")
    assert drawn.placements()[8, 3] == drawn.placements()[9, 5] == ANY


@rule("Z9", "Z12", "Z19", "Z25")
def test_a_placement_is_asked_for_even_where_only_one_is_legal_and_nothing_else_is():
    three_roads = range(44, 56)  # Z45 to Z56: drawn last, they find few places or only one
    ruleset, tokens = Game(seed=0).ruleset, [*range(1, 10)] * 2
    forced_in = []
    for seed in range(NUM_DEALS) if IS_COMPILED else FORCED_IN:
        rng = random.Random(seed)
        early = [tile for tile in range(60) if tile not in three_roads]
        game = Game.from_deal(ruleset, rng.sample(early, len(early)) + rng.sample(three_roads, 12), tokens)
        while not game.is_terminal:
            legal = game.legal_actions()
            if game.phase == "place" and len(legal) == 1:
                forced_in.append(seed)
            assert len(legal) >= (1 if game.phase == "place" else 2)
            game.step(rng.choice(legal))
    assert forced_in == FORCED_IN


# --- tiles that fit nowhere ---


@rule("Z11")
def test_a_tile_that_fits_nowhere_leaves_the_game_and_the_player_draws_again():
    drawn = Drawn("Z13 Z14 Z15 Z16 Z57 Z58 Z11").play(ROADS_CLOSED)
    assert drawn.table.player == 0
    assert drawn.table.tile == "Z11"
    assert drawn.table.discarded == {"Z57": 1, "Z58": 1}  # crossings
    assert not drawn.table.remaining.keys() & {"Z57", "Z58", "Z11"}


@rule("Z11")
@pytest.mark.parametrize("player, last_step", [(0, "no extra turn"), (1, "extra turn")])
def test_every_tile_that_fits_nowhere_is_noted_in_order_for_the_player_who_drew_it(player, last_step):
    drawn = Drawn("Z13 Z14 Z15 Z16 Z57 Z58 Z11", held=((), (1,)))
    drawn.play(f"""
        0: Z13 at 2,0 turned 3
        1: Z14 at 1,7, no extra turn
        0: Z15 at 8,9 turned 1
        1: Z16 at 6,2 turned 3, {last_step}
    """)
    events = drawn.game.last_events
    assert events[:, log.LOGGED_EVENT].tolist() == [log.DISCARDED] * 2
    assert events[:, log.LOGGED_PLAYER].tolist() == [player] * 2 == [drawn.table.player] * 2
    assert [drawn.game.ruleset.tile(number).id for number in events[:, log.LOGGED_SUBJECT]] == ["Z57", "Z58"]
    assert not events[:, log.LOGGED_SUBJECT + 1 :].any()


@rule("Z11", "Z26")
def test_when_no_tile_is_left_to_draw_the_game_ends_with_that_turn():
    drawn = Drawn("Z13 Z14 Z15 Z16 Z57", only=True).play(ROADS_CLOSED)
    assert drawn.game.is_terminal
    assert drawn.table.player == 0  # whose turn it was, without a tile
    assert "Z57" in drawn.table.discarded
    assert drawn.scored == []


@rule("Z11", "Z25")
def test_the_turn_without_a_tile_has_no_extra_turn():
    drawn = Drawn("Z13 Z14 Z15 Z16 Z57 Z58", held=((1,), ()), only=True).play("""
        0: Z13 at 2,0 turned 3, no extra turn
        1: Z14 at 1,7
        0: Z15 at 8,9 turned 1, no extra turn
        1: Z16 at 6,2 turned 3
    """)
    assert drawn.game.is_terminal
    assert drawn.table.tokens == ({1: 1}, {})
    assert "the game is over" in drawn.why_illegal("extra turn")


@rule("Z11", "Z25")
def test_an_extra_turn_in_which_no_tile_fits_ends_the_game_too():
    drawn = Drawn("Z13 Z14 Z15 Z16 Z57", held=((), (1,)), only=True).play("""
        0: Z13 at 2,0 turned 3
        1: Z14 at 1,7, no extra turn
        0: Z15 at 8,9 turned 1
        1: Z16 at 6,2 turned 3, extra turn
    """)
    assert drawn.game.is_terminal
    assert drawn.table.player == 1
    assert drawn.table.tokens == ({}, {})
