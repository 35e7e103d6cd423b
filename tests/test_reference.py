"""Tests of the oracle itself: the reference engine on small castles.

Rules are cited by their number; those of Sokół have their tests in `test_reference_sokol.py` and
`test_reference_nests.py`. Whole games are in `test_reference_games.py`.
"""

import pytest

from tests.support.reference import STEPS, ReferenceGame, facing_port, ports_of_side, turned_ports
from tests.support.reference_games import BOX, point_of, whole_game
from tests.support.small_castles import (
    BOTH_ENDS,
    EAST,
    NORTH,
    SOUTH,
    WEST,
    area_of,
    end_of,
    scored,
    small_game,
    start,
    tile_named,
    turn,
)

# --- ports -----------------------------------------------------------------------------------------------------------


def test_z6_facing_ports_touch_and_a_quarter_turn_is_clockwise():
    for port in range(12):
        (x, y), (down, right) = point_of(port), STEPS[port // 3]
        assert point_of(facing_port(port)) == (x - 6 * right, y - 6 * down)
        assert point_of((port + 3) % 12) == (-y, x)


def test_z6_sides_are_read_clockwise_and_a_single_name_covers_no_middle():
    assert ports_of_side(1, "h1 r1 m2") == {3: "h1", 4: "r1", 5: "m2"}
    assert ports_of_side(3, "p1") == {9: "p1", 11: "p1"}
    assert ports_of_side(2, "h1|m1") == {6: "h1", 8: "m1"}
    ports = turned_ports(tile_named("bend1"), EAST)
    assert {port for port, name in ports.items() if name == "r1"} == {4, 7}
    assert (ports[3], ports[5]) == ("m1", "m2")


def test_z2_a_start_space_shows_its_face_on_the_side_towards_the_interior():
    game = small_game("##", "bend1", [start("A", (0, 0), "W", "h1 r1 m1")])
    turn(game, (0, 0), WEST)
    assert game.castle.ports("A") == {3: "h1", 4: "r1", 5: "m1"}
    assert area_of(game, "A", "r1").segments == {("A", "r1"), ((0, 0), "r1")}
    assert area_of(game, "A", "m1").segments == {("A", "m1"), ((0, 0), "m1")}  # south of the road
    assert area_of(game, "A", "h1").segments == {("A", "h1")}


# --- placing ---------------------------------------------------------------------------------------------------------


def test_z1_z5_the_castle_has_76_spaces_60_tiles_13_tokens_and_7_start_spaces():
    game, starts = whole_game(1), BOX.board["starts"]
    assert game.castle.largest_empty_group() == len(game.castle.interior) == 76
    assert len(game.remaining) == 59 and len(game.tower_tokens) == 13 and 0 not in game.tower_tokens
    assert {cell for _, cell, _ in game.decisions()} == {tuple(start["cell"]) for start in starts}
    assert len(game.areas()) == sum(len(set(start["face"].split())) for start in starts)


@pytest.mark.parametrize("face, legal", [("m1 r1 m1", {1, 3}), ("h1", {0, 2})])
def test_z10_road_meets_road_and_the_wall_takes_anything(face, legal):
    game = small_game("##", "straight1", [start("A", (0, 0), "W", face)])
    assert game.decisions() == [("place", (0, 0), rotation) for rotation in sorted(legal)]
    for illegal in [("place", (0, 0), 1 - min(legal)), ("place", (0, 1), min(legal)), ("place", (0, 2), 0)]:
        with pytest.raises(ValueError):
            game.play(illegal)


def test_z9_every_legal_rotation_counts_even_where_the_face_looks_the_same():
    assert small_game("##", "field1").decisions() == [("place", (0, 0), rotation) for rotation in range(4)]


def test_z11_a_tile_that_fits_nowhere_is_discarded_and_the_next_one_drawn():
    game = small_game("##", "crossing1 fountain1 field1 field2")
    assert (game.tile, game.discarded, game.remaining) == ("field1", ["crossing1", "fountain1"], ["field2"])
    turn(game, (0, 0))
    assert game.turns[0]["discarded"] == ["crossing1", "fountain1"] and game.phase == "place"


def test_z11_with_no_tile_left_to_draw_the_game_ends_with_an_empty_turn():
    game = small_game("##", "field1 crossing1")
    turn(game, (0, 0))
    assert (game.phase, game.player, game.tile, game.decisions()) == ("over", 1, None, [])
    assert game.turns[-1] == {
        "player": 1,
        "discarded": ["crossing1"],
        "tile": None,
        "cell": None,
        "rotation": None,
        "follower": None,
        "scored": [],
        "extra_turn": False,
    }


# --- areas -----------------------------------------------------------------------------------------------------------


def test_z8_a_fountain_parts_the_road_and_a_crossing_joins_it():
    game = small_game("###", "straight1 fountain1 crossing1", [start("A", (0, 0), "W", "m1 r1 m1")])
    turn(game, (0, 0), EAST)
    turn(game, (0, 1))
    turn(game, (0, 2))
    assert area_of(game, "A", "r1").tiles == 3 and area_of(game, (0, 2), "r1").tiles == 2
    assert area_of(game, (0, 1), "r1").segments == {((0, 1), "r1")}


def test_z12_nobody_is_sent_where_somebody_stands_or_from_an_empty_supply():
    game = small_game("##", "field1 house1")
    turn(game, (0, 0), send="m1")
    game.play(("place", (0, 1), NORTH))
    assert game.decisions() == [("send", None), ("send", "h1", "follower")]
    with pytest.raises(ValueError):
        game.play(("send", "m1", "follower"))
    empty = small_game("##", "field1 field2")
    empty.followers += [(0, (9, 9), "m1", "follower")] * 6
    empty.play(("place", (0, 0), NORTH))
    assert (empty.phase, empty.player) == ("place", 1)


def test_z12_the_send_is_passed_over_when_every_area_of_the_tile_is_taken():
    game = small_game("###", "field1 field2 field3")
    turn(game, (0, 0), send="m1")
    game.play(("place", (0, 1), NORTH))
    assert (game.phase, game.player) == ("place", 0)


def test_z14_followers_of_merged_areas_stay():
    game = small_game("###", "field1 field2 field3", [start("A", (0, 0), "W", "m1"), start("B", (0, 2), "E", "m1")])
    turn(game, (0, 0), send="m1")
    turn(game, (0, 2), send="m1")
    turn(game, (0, 1))
    assert area_of(game, "A", "m1").followers == [1, 1] and game.supplies == [5, 5]


def test_z15_z18_a_follower_on_a_road_the_tile_completes_scores_and_comes_home():
    game = small_game("##", "road1 field1", [start("A", (0, 0), "W", "m1 r1 m1")])
    turn(game, (0, 0), WEST, send="r1")
    assert scored(game, "player", "feature", "at", "tiles", "points") == [(0, "road", [0, 0, "r1"], 2, 2)]
    assert (game.scores, game.supplies) == ([2, 0], [6, 6])


def test_z16_a_tile_completes_a_house_it_is_not_part_of():
    game = small_game("##", "house1 field1 field2")
    turn(game, (0, 0), EAST, send="h1")
    assert area_of(game, (0, 0), "h1").open_ports == 2 and not game.turns[0]["scored"]
    turn(game, (0, 1))
    assert game.turns[1]["scored"][0]["player"] == 0 and game.scores == [1, 0]


def test_z16_the_wall_ends_a_house_and_a_start_space_of_its_feature_belongs_to_it():
    for face, rotation, tiles in [("h1", WEST, 2), ("p1", WEST, 1), ("h1", NORTH, 1)]:
        game = small_game("##", "house1 field1", [start("A", (0, 0), "W", face)])
        assert not area_of(game, "A", f"{face}").is_complete
        turn(game, (0, 0), rotation, send="h1")
        assert scored(game, "tiles", "points") == [(tiles, tiles)] and game.family_houses == [tiles, 0]


def test_z16_a_loop_of_road_is_complete():
    game = small_game("## ##", "bend1 bend2 bend3 bend4", [start("A", (0, 0), "N", "m1")])
    turn(game, (0, 0), EAST, send="r1")
    for cell, rotation in [((0, 1), SOUTH), ((1, 1), WEST), ((1, 0), NORTH)]:
        assert game.scores == [0, 0]
        turn(game, cell, rotation)
    assert scored(game, "player", "tiles", "points", "score") == [(0, 4, 4, 4)]


def test_z16_a_meadow_is_never_completed():
    game = small_game("#", "field1")
    turn(game, (0, 0), send="m1")
    meadow = area_of(game, "A", "m1")
    assert (meadow.tiles, meadow.open_ports, meadow.is_complete) == (2, 0, False) and game.followers


def test_z18_a_tile_with_two_segments_in_a_house_counts_once():
    game = small_game("## ##", "neighbours1 corner1 corner2 corner3", [start("A", (0, 0), "W", "m1")])
    turn(game, (0, 0), EAST, send="h2")
    turn(game, (0, 1), SOUTH)
    turn(game, (1, 1), WEST)
    turn(game, (1, 0), NORTH)
    assert scored(game, "tiles", "points") == [(4, 4)]


def test_z12_two_segments_of_one_tile_in_one_area_are_two_places_to_stand():
    game = small_game("## ##", "corner1 corner2 corner3 neighbours1", [start("A", (0, 1), "N", "m1")])
    for cell, rotation in [((0, 1), SOUTH), ((1, 1), WEST), ((1, 0), NORTH)]:
        turn(game, cell, rotation)
    game.play(("place", (0, 0), EAST))
    assert game.decisions() == [("send", None), *(("send", name, "follower") for name in ("h1", "h2", "m1"))]
    game.play(("send", "h2", "follower"))
    assert scored(game, "player", "tiles") == [(1, 4)]


def test_z18_stocks_double_the_road_and_a_pigsty_gives_two_a_tile():
    game = small_game(
        "#### ####", "stocks1 pigsty1 stocks2 pigsty2", [start("A", (0, 0), "W", "m1"), start("B", (1, 0), "W", "m1")]
    )
    turn(game, (0, 0), EAST, send="r1")
    turn(game, (1, 0), EAST, send="p1")
    turn(game, (0, 1), WEST)
    turn(game, (1, 1), WEST)
    assert scored(game, "player", "feature", "tiles", "points") == [(0, "road", 2, 4), (1, "pigsty", 2, 4)]


# --- scoring ---------------------------------------------------------------------------------------------------------


def house_and_pigsty(owners: tuple, deck: str = "house1 pigsty1 field1 field2", tokens=None) -> ReferenceGame:
    """Player 0 is about to close, with one field, a house of 1 tile (1 point) and a pigsty of 1 tile (2 points)."""
    game = small_game("### ###", deck, BOTH_ENDS, tokens)
    turn(game, (0, 0), EAST)
    turn(game, (0, 2), WEST)
    game.followers += [(owners[0], (0, 0), "h1", "follower"), (owners[1], (0, 2), deck.split()[1][0] + "1", "follower")]
    return game


def test_z17_z20_a_tie_scores_nothing_and_all_followers_come_home():
    game = small_game("###", "house1 house2 hall1", BOTH_ENDS)
    turn(game, (0, 0), EAST, send="h1")
    turn(game, (0, 2), WEST, send="h1")
    game.play(("place", (0, 1), NORTH))
    assert game.decisions() == [("send", None), ("send", "m1", "follower")]
    game.play(("send", None))
    assert scored(game, "player") == [] and game.supplies == [6, 6] and game.scores == [0, 0]


def test_z17_a_majority_scores_and_the_others_come_home_too():
    game = small_game("###", "house1 house2 hall1", BOTH_ENDS)
    turn(game, (0, 0), EAST, send="h1")
    turn(game, (0, 2), WEST, send="h1")
    game.followers.append((1, (0, 2), "h1", "follower"))
    turn(game, (0, 1))
    assert scored(game, "player", "points") == [(1, 3)] and game.supplies == [6, 6]


@pytest.mark.parametrize("first, took", [("house", [None, 6]), ("pigsty", [6, None])])
def test_z19_z22_the_active_player_chooses_the_order_and_each_rest_counts(first, took):
    game = house_and_pigsty((0, 0), tokens={(2, 3): 6})
    turn(game, (0, 1))
    assert game.phase == "score" and game.tile == "field1" and len(game.decisions()) == 2
    areas = {area.feature: area for area in game.areas() if area.followers == [1, 0]}
    game.play(("score", areas[first].segments, None))
    assert game.phase == "place" and game.scores == [3, 0] and game.tokens_usable == [{6: 1}, {}]
    assert [value for (value,) in scored(game, "took")] == took


@pytest.mark.parametrize("owners", [(1, 0), (0, 1)])
def test_z19_the_active_players_area_comes_first_and_leaves_no_choice(owners):
    game = house_and_pigsty(owners)
    turn(game, (0, 1))
    assert scored(game, "player") == [(0,), (1,)] and game.phase == "place"


def test_z19_the_active_player_orders_the_opponents_areas_too():
    game = house_and_pigsty((1, 1))
    game.tokens_usable[1][2] = 1  # of no use on player 0's turn
    turn(game, (0, 1))
    assert game.phase == "score" and [token for _, _, token in game.decisions()] == [None, None]


def test_z21_only_a_larger_house_takes_the_family_houses_place():
    game = house_and_pigsty((0, 0))
    game.family_houses[0] = 2
    turn(game, (0, 1))
    game.play(game.decisions()[0])
    assert game.family_houses == [2, 0]


@pytest.mark.parametrize("score, took", [(20, None), (21, 4), (22, 4), (23, None), (122, 4), (123, None), (100, None)])
def test_z22_a_marker_takes_a_token_where_it_rests_on_any_lap(score, took):
    game = small_game("##", "house1 field1", tokens={(21, 22): 4})
    game.scores[0] = score - 1
    turn(game, (0, 0), NORTH, send="h1")
    assert scored(game, "score", "took") == [(score, took)]
    assert game.tower_tokens == ({} if took else {21: 4})


def test_z23_a_token_asks_even_for_a_single_house_and_doubles_points_not_size():
    game = small_game("##", "house1 field1")
    game.tokens_usable[0] = {2: 1, 3: 1}
    turn(game, (0, 0), NORTH, send="h1")
    assert [decision[2] for decision in game.decisions()] == [None, 2]
    game.play(game.decisions()[1])
    assert scored(game, "points", "token") == [(2, 2)] and game.family_houses == [1, 0]
    assert game.tokens_usable[0] == {3: 1}


def test_z23_a_token_taken_in_this_turn_cannot_be_used_in_it():
    game = house_and_pigsty((0, 0), tokens={(1, 2): 3})
    turn(game, (0, 1))
    house = next(decision for decision in game.decisions() if ((0, 0), "h1") in decision[1])
    game.play(house)
    assert scored(game, "feature", "points", "took") == [("house", 1, 3), ("pigsty", 2, None)]


def test_z23_one_token_of_a_kind_serves_one_area():
    game = house_and_pigsty((0, 0), deck="house1 house2 field1 field2")
    game.tokens_usable[0] = {2: 1}
    turn(game, (0, 1))
    assert len(game.decisions()) == 4
    game.play(next(decision for decision in game.decisions() if decision[2] == 2))
    assert scored(game, "points", "token") == [(2, 2), (1, None)]


def test_z25_an_extra_turn_is_offered_for_a_usable_token_one_at_a_time():
    game = small_game("###", "field1 field2 field3 field4")
    game.tokens_usable[0] = {1: 2}
    turn(game, (0, 0))
    assert (game.phase, game.tile, game.remaining) == ("extra turn", None, ["field2", "field3", "field4"])
    game.play(("extra turn", True))
    assert (game.phase, game.player, game.tokens_usable[0]) == ("place", 0, {1: 1})
    turn(game, (0, 1))
    game.play(("extra turn", False))
    assert (game.player, game.tokens_usable[0]) == (1, {1: 1})
    assert [played["extra_turn"] for played in game.turns] == [True, False]


def test_z25_a_token_taken_in_a_turn_serves_only_in_the_extra_turn_after_it():
    game = small_game("###", "house1 field1 field2", tokens={(1, 2): 1})
    turn(game, (0, 0), NORTH, send="h1")
    assert game.player == 1 and game.tokens_usable == [{1: 1}, {}]
    game = small_game("###", "house1 field1 field2", tokens={(1, 2): 1})
    game.tokens_usable[0] = {1: 1}
    turn(game, (0, 0), NORTH, send="h1")
    assert (game.phase, game.tokens_usable[0], game.tokens_fresh[0]) == ("extra turn", {1: 1}, {1: 1})
    game.play(("extra turn", True))
    assert (game.tokens_usable[0], game.tokens_fresh[0]) == ({1: 1}, {})
    turn(game, (0, 1))
    assert game.phase == "extra turn"


def test_z25_z26_no_extra_turn_after_the_last_tile():
    game = small_game("##", "field1")
    game.tokens_usable[0] = {1: 1}
    turn(game, (0, 0))
    assert (game.phase, game.player) == ("over", 0)
    with pytest.raises(ValueError):
        game.play(("extra turn", False))


# --- the end ---------------------------------------------------------------------------------------------------------


def meadow_position() -> ReferenceGame:
    """Two meadows parted by houses: the start's shrine and one more in the west, one shrine in the east."""
    game = small_game("###", "shrine1 meadows1 shrine2", [start("A", (0, 0), "W", "m1", ["m1"])])
    game.board.update({(0, 0): ("shrine1", 0), (0, 1): ("meadows1", EAST), (0, 2): ("shrine2", 0)})
    return game


def test_z27_a_meadow_gives_three_a_shrine_to_the_majority():
    game = meadow_position()
    game.followers += [(0, (0, 0), "m1", "follower"), (1, (0, 2), "m1", "follower")]
    assert end_of(game) == {(0, "meadow"): 6, (1, "meadow"): 3}
    game.followers.append((1, (0, 0), "m1", "follower"))
    assert end_of(game) == {(1, "meadow"): 3}


def test_z23_z24_kind_4_adds_one_a_shrine_on_different_controlled_meadows():
    game = meadow_position()
    game.followers += [(0, (0, 0), "m1", "follower"), (0, (0, 2), "m1", "follower")]
    assert end_of(game, ({4: 1}, {4: 2})) == {(0, "meadow"): 9, (0, "token 4"): 2}
    assert end_of(game, ({4: 2}, {})) == {(0, "meadow"): 9, (0, "token 4"): 3}
    game.followers.pop()
    assert end_of(game, ({4: 2}, {})) == {(0, "meadow"): 6, (0, "token 4"): 2}


@pytest.mark.parametrize(
    "sizes, tokens, winner",
    [
        ((3, 2), ({}, {}), 0),
        ((3, 3), ({}, {}), None),
        ((0, 0), ({}, {}), None),
        ((0, 1), ({}, {}), 1),
        ((3, 4), ({5: 1}, {}), 0),
        ((3, 7), ({5: 2}, {}), None),
        ((3, 6), ({5: 2}, {}), 0),
        ((0, 1), ({5: 2}, {}), 1),
    ],
)
def test_z28_the_larger_family_house_scores_the_largest_empty_group(sizes, tokens, winner):
    game = small_game("##.## #...# ####.", "field1")
    game.board[1, 0] = ("field1", 0)
    game.board[2, 0] = ("field1", 0)
    assert end_of(game, tokens, sizes) == ({} if winner is None else {(winner, "family house"): 3})


def test_z28_spaces_joined_by_corners_are_not_one_group():
    assert small_game("#. .#", "field1").castle.largest_empty_group() == 1


@pytest.mark.parametrize(
    "kind, tile, name, a_tile", [(7, "house", "h1", 1), (8, "pigsty", "p1", 2), (9, "stocks", "r1", 1)]
)
def test_z29_kinds_7_to_9_pay_for_one_unfinished_area_each(kind, tile, name, a_tile):
    face = {"house": "h1", "pigsty": "p1", "stocks": "m1 r1 m1"}[tile]
    game = small_game("####", f"{tile}1 {tile}2 {tile}3", [start("A", (0, 0), "W", face)])
    game.board.update({(0, 0): (f"{tile}1", EAST), (0, 3): (f"{tile}2", WEST)})
    game.followers += [(0, (0, 0), name, "follower"), (0, (0, 3), name, "follower")]
    reason = f"token {kind}"
    assert end_of(game) == {}
    assert end_of(game, ({kind: 1}, {kind: 1})) == {(0, reason): a_tile}
    assert end_of(game, ({kind: 2}, {})) == {(0, reason): 2 * a_tile}
    game.board[0, 1] = (f"{tile}3", WEST)  # completes the western area
    assert end_of(game, ({kind: 2}, {})) == {(0, reason): a_tile}


def test_z24_the_largest_unfinished_area_is_chosen():
    game = small_game("#####", "house1 hall1 house2")
    game.board.update({(0, 0): ("house1", EAST), (0, 1): ("hall1", NORTH), (0, 4): ("house2", WEST)})
    game.followers += [(1, (0, 0), "h1", "follower"), (1, (0, 4), "h1", "follower")]
    assert end_of(game, ({}, {7: 1})) == {(1, "token 7"): 2}
    assert end_of(game, ({}, {7: 2})) == {(1, "token 7"): 3}


def test_z24_kind_6_gives_five_each_and_a_tie_controls_nothing():
    game = small_game("##", "house1 house2")
    game.board[0, 0] = ("house1", EAST)
    game.followers += [(0, (0, 0), "h1", "follower"), (1, (0, 0), "h1", "follower")]
    assert end_of(game, ({6: 2, 7: 1}, {6: 1, 7: 2})) == {(0, "token 6"): 10, (1, "token 6"): 5}


def test_z23_a_token_taken_in_the_last_turn_counts_at_the_end():
    game = small_game("##", "house1", tokens={(1, 2): 6})
    turn(game, (0, 0), NORTH, send="h1")
    assert game.phase == "over" and game.tokens_fresh == [{}, {}]
    assert game.end_entries() == [
        {"player": 0, "reason": "family house", "points": 1},
        {"player": 0, "reason": "token 6", "points": 5},
    ]
    assert game.scores == [7, 0]
