"""Tests of the oracle itself: the reference engine on small castles, the record checker on good and spoilt records.

Rules are cited by their number; those of Sokół have their tests in `test_reference_sokol.py` and
`test_reference_nests.py`.
"""

import copy
import json
import random
from collections import Counter

import pytest

from tests.support.record_checker import check_record
from tests.support.reference import STEPS, Box, ReferenceGame, facing_port, ports_of_side, read_box, turned_ports
from tests.support.small_castles import (
    BOTH_ENDS,
    EAST,
    NORTH,
    SOUTH,
    WEST,
    area_of,
    components,
    end_of,
    scored,
    small_game,
    start,
    tile_named,
    turn,
)

BOX = read_box("zamek")
WALL, TILES, _ = BOX


def generous(box: Box) -> Box:
    """A box with a token on every second field, so that many are taken and used."""
    towers = [[field, field + 1] for field in range(2, 38, 2)]
    return box._replace(board=box.board | {"towers": towers, "towerless": []})


GENEROUS = generous(BOX)
GENEROUS_WALL = GENEROUS.board

# --- ports -----------------------------------------------------------------------------------------------------------


def point_of(port: int) -> tuple[int, int]:
    """Where a port lies on a tile of 6 by 6 around (0, 0), x to the east and y to the south."""
    along = 2 * (port % 3) - 2
    return [(along, -3), (3, along), (-along, 3), (-3, -along)][port // 3]


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


def whole_game(seed: int, box: Box = BOX) -> ReferenceGame:
    """A game on the real tiles, shuffled by the seed."""
    rng, (wall, tiles, rules) = random.Random(seed), box
    deck = [tile["id"] for tile in tiles["tiles"]]
    kinds = [kind for kind in range(1, 10) for _ in range(2)]
    rng.shuffle(deck)
    rng.shuffle(kinds)
    fields = [fields[0] for fields in wall["towers"] if fields[0] not in wall["towerless"]]
    return ReferenceGame(wall, tiles, deck, dict(zip(fields, kinds, strict=False)), rules)


def test_z1_z5_the_castle_has_76_spaces_60_tiles_13_tokens_and_7_start_spaces():
    game = whole_game(1)
    assert game.castle.largest_empty_group() == len(game.castle.interior) == 76
    assert len(game.remaining) == 59 and len(game.tower_tokens) == 13 and 0 not in game.tower_tokens
    assert {cell for _, cell, _ in game.decisions()} == {tuple(start["cell"]) for start in WALL["starts"]}
    assert len(game.areas()) == sum(len(set(start["face"].split())) for start in WALL["starts"])


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


# --- whole games -----------------------------------------------------------------------------------------------------


def choose(game: ReferenceGame, rng: random.Random) -> tuple:
    """A random decision that packs tiles closely and sends to what can be completed, so that much is scored."""
    decisions = game.decisions()
    if game.phase == "place" and rng.random() < 0.8:
        return max(rng.sample(decisions, min(4, len(decisions))), key=lambda decision: count_filled(game, decision[1]))
    if game.phase == "send" and rng.random() < 0.8:
        wanted = [decision for decision in decisions if decision[1] and decision[1][0] != "m"]
        return rng.choice(wanted or [("send", None)])
    return rng.choice(decisions)


def count_filled(game: ReferenceGame, cell: tuple) -> int:
    """How many sides of an empty space touch the wall, a start space or a tile."""
    locations = [game.castle.neighbour(cell, side) for side in range(4)]
    return sum(location is None or game.castle.is_filled(location) for location in locations)


def play_out(game: ReferenceGame, seed: int, check=lambda game: None) -> ReferenceGame:
    """Play a game to its end, with a check before each decision."""
    rng = random.Random(seed)
    while game.phase != "over":
        check(game)
        game.play(choose(game, rng))
    return game


def points_of(game: ReferenceGame, location) -> dict[int, tuple]:
    """Port -> the point of the plane in which it lies, so that facing ports lie in one point."""
    if location in game.castle.starts:
        side = "NESW".index(game.castle.starts[location]["side"])
        (row, col), (down, right) = game.castle.starts[location]["cell"], STEPS[side]
        location = (row + down, col + right)
    return {port: (6 * location[1] + point_of(port)[0], 6 * location[0] + point_of(port)[1]) for port in range(12)}


def areas_by_points(game: ReferenceGame) -> set[frozenset]:
    """All areas, found another way: segments of one feature with a common point are merged until nothing changes."""
    groups = []
    for location in [*game.castle.starts, *game.board]:
        points = points_of(game, location)
        for name in game.castle.segments(location):
            own = {(name[0], points[port]) for port, owner in game.castle.ports(location).items() if owner == name}
            joined = [group for group in groups if group[1] & own]
            groups = [group for group in groups if not group[1] & own]
            groups.append(
                (
                    frozenset({(location, name)}).union(*(group[0] for group in joined)),
                    own.union(*(group[1] for group in joined)),
                )
            )
    return {segments for segments, _ in groups}


def check_invariants(game: ReferenceGame) -> None:
    """What must hold before every decision."""
    areas, decisions = game.areas(), game.decisions()
    assert len(decisions) == len(set(decisions)) and len(decisions) > (game.phase != "place")
    assert {area.segments for area in areas} == areas_by_points(game)
    assert sum(len(area.segments) for area in areas) == len(frozenset().union(*(area.segments for area in areas)))
    for player in (0, 1):
        standing = sum(area.followers[player] for area in areas)
        assert 0 <= game.supplies[player] <= 6
        assert game.supplies[player] + len(game.pieces[player]) + standing == 6 + len(game.rules.special_pieces)
    assert min(game.nests) >= 0 and game.nest_pool >= 0 and sum(game.nests) + game.nest_pool == game.rules.nests
    assert {cell for _, cell, _, _ in game.followers} <= set(game.board)
    used = [entry["token"] for played in [*game.turns, game.turn] for entry in played["scored"] if entry["token"]]
    used += [1 for played in game.turns if played["extra_turn"]]
    owned = [Counter(tokens) for tokens in [*game.tokens_usable, *game.tokens_fresh]]
    assert sum(owned, Counter(game.tower_tokens.values()) + Counter(used)) == Counter(game.tokens_at_start.values())
    drawn = [tile for tile, _ in game.board.values()] + game.discarded + [game.tile] * (game.phase == "place")
    assert sorted(drawn + game.remaining) == sorted(game.castle.tiles)
    if game.phase in ("place", "extra turn"):
        assert not any(area.is_complete and any(area.followers) for area in areas)
    if game.phase == "place":
        assert game.tokens_fresh == [{}, {}]


SOKOL, GATES = read_box("sokol"), read_box("sokol-gates")


@pytest.mark.parametrize(
    "seed, box", [(1, BOX), (2, BOX), (3, GENEROUS), (4, GENEROUS), (1, SOKOL), (3, generous(GATES))]
)
@pytest.mark.long
def test_whole_games_keep_the_invariants(seed, box):
    game = play_out(whole_game(seed, box), seed, check_invariants)
    assert len(game.board) + len(game.discarded) == len(box.tiles["tiles"]) and not game.remaining
    assert game.castle.largest_empty_group() <= len(game.castle.interior) - len(game.board)


# --- records ---------------------------------------------------------------------------------------------------------


def through_json(record: dict) -> dict:
    """The record as a reader of the file sees it."""
    return json.loads(json.dumps(record))


@pytest.mark.parametrize(
    "seed, box", [(5, BOX), (6, BOX), (7, GENEROUS), (8, GENEROUS), (5, SOKOL), (7, generous(GATES))]
)
@pytest.mark.long
def test_records_of_whole_games_are_accepted(seed, box):
    record = play_out(whole_game(seed, box), seed).record(seed=seed, players=("one", "two"))
    assert through_json(record) == record
    check_record(record, *box)


@pytest.mark.long
def test_records_of_games_broken_off_anywhere_are_accepted():
    records = {}
    game = play_out(whole_game(9, GENEROUS), 9, lambda game: records.update({len(game.turns): game.record()}))
    assert sorted(records) == list(range(len(game.turns)))
    for length in [0, 1, 2, 25, len(records) - 1]:
        assert records[length]["finished"] is False and len(records[length]["turns"]) == length
        check_record(records[length], GENEROUS_WALL, TILES)
        with pytest.raises(AssertionError, match="scores is"):
            check_record(records[length] | {"scores": [0, 99]}, GENEROUS_WALL, TILES)


@pytest.fixture(scope="module")
def rich_record() -> dict:
    """A finished record with an extra turn, a token used, a turn in which both score, and meadows at the end."""
    record = through_json(play_out(whole_game(10, GENEROUS), 10).record(seed=10))
    assert any(played["extra_turn"] for played in record["turns"])
    assert any(entry["token"] for played in record["turns"] for entry in played["scored"])
    assert two_scorers(record) and {"meadow", "family house"} <= {entry["reason"] for entry in record["end"]}
    return record


def first_turn(record: dict, key: str) -> dict:
    """The first turn in which a field is not empty or false."""
    return next(played for played in record["turns"] if played[key])


def first_entry(record: dict, key: str = "points") -> dict:
    """The first scored area in which a field is not null."""
    return next(entry for played in record["turns"] for entry in played["scored"] if entry[key] is not None)


def two_scorers(record: dict) -> dict:
    """A turn in which both players score."""
    return next(played for played in record["turns"] if len({entry["player"] for entry in played["scored"]}) == 2)


def discard_the_last_tile_early(record: dict) -> None:
    record["turns"][5]["discarded"].append(record["turns"].pop()["tile"])


def swap_a_taken_token(record: dict) -> None:
    entry, tokens = first_entry(record, "took"), record["tokens"]
    tower = str(entry["score"] - entry["score"] % 2)  # the generous wall's towers begin on even fields
    other = next(field for field, kind in tokens.items() if kind != tokens[tower])
    tokens[tower], tokens[other] = tokens[other], tokens[tower]


def follow_the_end_with_a_turn(record: dict) -> None:
    record["turns"].append(
        {"player": 0, "discarded": ["Z01"], "tile": None, "follower": None, "scored": [], "extra_turn": False}
    )


SPOILT = {  # what is done to the rich record -> words of the sentence that must name it
    "other format": (lambda r: r.update(format="zamek-record/2"), "format is"),
    "other ruleset": (lambda r: r.update(ruleset="sokol"), "ruleset is"),
    "no seed": (lambda r: r.pop("seed"), "lacks the key 'seed'"),
    "no scores": (lambda r: r.pop("scores"), "lacks the key 'scores'"),
    "seed in words": (lambda r: r.update(seed="7"), "seed is '7'"),
    "one player": (lambda r: r.update(players=["alone"]), "players is malformed"),
    "tower without token": (lambda r: r["tokens"].pop("2"), "tokens lie on"),
    "token beside the towers": (lambda r: r["tokens"].update({"98": 1}), "tokens lie on"),
    "tenth kind": (lambda r: r["tokens"].update({"2": 10}), r"tokens\['2'\] is 10"),
    "three of a kind": (lambda r: r["tokens"].update({"2": 1, "4": 1, "6": 1}), "tokens of kind 1"),
    "tokens exchanged": (swap_a_taken_token, r"scored\[\d\].took is"),
    "broken off with an end": (lambda r: r.update(finished=False), "'end'"),
    "finished without an end": (lambda r: r.pop("end"), "'end'"),
    "broken off after the end": (lambda r: (r.pop("end"), r.update(finished=False)), "its last tile was drawn"),
    "finished in words": (lambda r: r.update(finished="no"), "finished is"),
    "turn without a key": (lambda r: r["turns"][3].pop("extra_turn"), r"turns\[3\] lacks the key 'extra_turn'"),
    "turn with a new key": (lambda r: r["turns"][3].update(time=1), r"turns\[3\] has the unknown key 'time'"),
    "turn that is a list": (lambda r: r["turns"].insert(3, []), r"turns\[3\] must be an object"),
    "wrong player": (lambda r: r["turns"][0].update(player=1), r"turns\[0\].player is 1"),
    "third player": (lambda r: r["turns"][0].update(player=2), r"turns\[0\].player is 2"),
    "player true": (lambda r: r["turns"][1].update(player=True), r"turns\[1\].player is True"),
    "tile twice": (lambda r: r["turns"][5].update(tile=r["turns"][4]["tile"]), r"turns\[5\] draws .* drawn before"),
    "unknown tile": (lambda r: r["turns"][5].update(tile="Z61"), r"turns\[5\] draws 'Z61'"),
    "cell taken": (lambda r: r["turns"][5].update(cell=r["turns"][4]["cell"]), r"turns\[5\]: .* may not be placed"),
    "cell outside": (lambda r: r["turns"][5].update(cell=[0, 0]), r"turns\[5\]: .* may not be placed"),
    "cell malformed": (lambda r: r["turns"][5].update(cell=[0]), r"turns\[5\].cell is malformed"),
    "no cell": (lambda r: r["turns"][5].update(cell=None), r"turns\[5\].cell is malformed"),
    "fifth rotation": (lambda r: r["turns"][5].update(rotation=4), r"turns\[5\].rotation is 4"),
    "unfounded discard": (discard_the_last_tile_early, r"turns\[5\].discarded\[0\]: .* could have been placed"),
    "unknown segment": (lambda r: first_turn(r, "follower")["follower"].update(segment="h9"), "may not be sent"),
    "prince": (lambda r: first_turn(r, "follower")["follower"].update(piece="prince"), "piece is 'prince'"),
    "follower without piece": (lambda r: first_turn(r, "follower")["follower"].pop("piece"), "lacks the key 'piece'"),
    "follower withheld": (lambda r: first_turn(r, "scored").update(follower=None), r"turns\[\d+\]"),
    "scored by the other": (lambda r: first_entry(r).update(player=1 - first_entry(r)["player"]), r"\].player is"),
    "other feature": (lambda r: first_entry(r).update(feature="meadow"), r"scored\[0\].feature is 'meadow'"),
    "at elsewhere": (lambda r: first_entry(r).update(at=[0, 0, "m1"]), r"scored\[0\].at is"),
    "at malformed": (lambda r: first_entry(r).update(at=[0, 0]), r"scored\[0\].at is malformed"),
    "other size": (lambda r: first_entry(r).update(tiles=9), r"scored\[0\].tiles is 9"),
    "other points": (lambda r: first_entry(r).update(points=99), r"scored\[0\].points is 99"),
    "points as a word": (lambda r: first_entry(r).update(points="2"), r"scored\[0\].points is '2'"),
    "other score": (lambda r: first_entry(r).update(score=99), r"scored\[0\].score is 99"),
    "token taken from nowhere": (lambda r: first_entry(r, "took").update(took=None), r"\].took is None"),
    "token not owned": (lambda r: first_entry(r).update(token=2), r"scored\[0\].token is 2"),
    "token not used": (lambda r: first_entry(r, "token").update(token=None), r"turns\[\d+\]"),
    "nests in the base game": (lambda r: first_entry(r).update(nests=1), r"scored\[0\].nests is 1"),
    "scored without a key": (lambda r: first_entry(r).pop("nests"), r"scored\[0\] lacks the key 'nests'"),
    "opponent scored first": (lambda r: two_scorers(r)["scored"].reverse(), r"scored\[0\]"),
    "area not scored": (lambda r: first_turn(r, "scored")["scored"].pop(), "scored has 0 entries"),
    "area scored twice": (lambda r: first_turn(r, "scored")["scored"].append(first_entry(r)), "scored has 2 entries"),
    "impossible extra turn": (lambda r: r["turns"][0].update(extra_turn=True), r"turns\[0\].extra_turn is true"),
    "extra turn denied": (lambda r: first_turn(r, "extra_turn").update(extra_turn=False), r"turns\[\d+\].player is"),
    "turn missing at the end": (lambda r: r["turns"].pop(), "1 of its tiles were not drawn"),
    "turn after the end": (follow_the_end_with_a_turn, r"turns\[60\] follows"),
    "turns exchanged": (lambda r: r["turns"].insert(0, r["turns"].pop(1)), r"turns\[0\]"),
    "end points": (lambda r: r["end"][0].update(points=r["end"][0]["points"] + 1), "end: the sum"),
    "end entry missing": (lambda r: r["end"].pop(), "end: the sum"),
    "end entry of the other": (lambda r: r["end"][0].update(player=1 - r["end"][0]["player"]), "end: the sum"),
    "end entry for nests": (lambda r: r["end"].append({"player": 0, "reason": "nests", "points": 0}), "'nests'"),
    "end entry negative": (lambda r: r["end"][0].update(points=-1), "negative"),
    "end entry with a new key": (lambda r: r["end"][0].update(note=""), "unknown key 'note'"),
    "end an object": (lambda r: r.update(end={}), "end must be a list"),
    "final scores": (lambda r: r.update(scores=[r["scores"][0] + 1, r["scores"][1]]), "scores is"),
    "three scores": (lambda r: r.update(scores=[1, 2, 3]), "scores is malformed"),
}


@pytest.mark.parametrize("what", SPOILT)
@pytest.mark.long
def test_a_spoilt_record_is_rejected_with_the_place_named(rich_record, what):
    spoil, sentence = SPOILT[what]
    record = copy.deepcopy(rich_record)
    spoil(record)
    with pytest.raises(AssertionError, match=sentence):
        check_record(record, GENEROUS_WALL, TILES)


def split_an_end_entry(record: dict) -> None:
    entry = record["end"].pop(0)
    record["end"] += [entry | {"points": entry["points"] - 1}, entry | {"points": 1}]


def move_at_within_the_area(record: dict) -> None:
    """Say, where the area has several tiles, another of them."""
    game = ReferenceGame(GENEROUS_WALL, TILES, [played["tile"] for played in record["turns"]], {})
    for played in record["turns"]:
        game.board[tuple(played["cell"])] = (played["tile"], played["rotation"])
    for entry in (entry for played in record["turns"] for entry in played["scored"]):
        area = area_of(game, tuple(entry["at"][:2]), entry["at"][2])
        (row, col), name = max(segment for segment in area.segments if segment[0] in game.board)
        entry["at"] = [row, col, name]


@pytest.mark.parametrize(
    "change",
    [
        split_an_end_entry,
        move_at_within_the_area,
        lambda r: r["end"].append({"player": 0, "reason": "token 6", "points": 0}),
        lambda r: r["end"].reverse(),
        lambda r: r.update(finished=True, event="a Sunday", date="2024-05-05", settings=[{}, {}]),
    ],
)
@pytest.mark.long
def test_what_the_format_leaves_free_is_accepted(rich_record, change):
    record = copy.deepcopy(rich_record)
    change(record)
    assert record != rich_record
    check_record(record, GENEROUS_WALL, TILES)


SMALL = components("###", "field1 crossing1 field2 crossing2")


def small_record() -> dict:
    """A record with a discarded tile and a last turn without a placement."""
    game = ReferenceGame(*SMALL, ["field1", "crossing1", "field2", "crossing2"], {})
    turn(game, (0, 0), send="m1")
    turn(game, (0, 1))
    return through_json(game.record())


def test_a_last_turn_without_a_tile_is_accepted_with_or_without_a_cell():
    record = small_record()
    assert [played["discarded"] for played in record["turns"]] == [[], ["crossing1"], ["crossing2"]]
    check_record(record, *SMALL)
    del record["turns"][2]["cell"], record["turns"][2]["rotation"]
    check_record(record, *SMALL)


def place_what_fits_nowhere(record: dict) -> None:
    record["turns"][1].update(tile="crossing1", discarded=[])
    record["turns"][2].update(discarded=["field2", "crossing2"])


def discard_what_fits_and_stop(record: dict) -> None:
    empty = record["turns"].pop()
    record["turns"][1] = empty | {"player": 1, "discarded": ["crossing1", "field2", "crossing2"]}


def stop_with_tiles_left(record: dict) -> None:
    empty = record["turns"].pop()
    record["turns"][1] = empty | {"player": 1, "discarded": ["crossing1"]}


SPOILT_SMALL = {
    "empty turn of the other": (lambda r: r["turns"][2].update(player=1), r"turns\[2\].player is 1"),
    "empty turn without discards": (lambda r: r["turns"][2].update(discarded=[]), r"turns\[2\].discarded is empty"),
    "empty turn with a cell": (lambda r: r["turns"][2].update(cell=[0, 2]), r"turns\[2\].cell must be None"),
    "empty turn with a follower": (lambda r: r["turns"][2].update(follower={}), r"turns\[2\].follower must be None"),
    "empty turn with an extra turn": (lambda r: r["turns"][2].update(extra_turn=True), "extra_turn must be False"),
    "empty turn missing": (lambda r: r["turns"].pop(), "1 of its tiles were not drawn"),
    "tile that fits nowhere": (place_what_fits_nowhere, r"turns\[1\].tile: crossing1 fits nowhere"),
    "discards that fit": (discard_what_fits_and_stop, r"turns\[1\].discarded\[1\]: field2 could have been placed"),
    "empty turn with tiles left": (stop_with_tiles_left, r"turns\[1\].tile is null, but there were tiles left"),
    "discards in numbers": (lambda r: r["turns"][1].update(discarded=[7]), r"turns\[1\].discarded is no list"),
    "follower on a taken area": (lambda r: r["turns"][1].update(follower=r["turns"][0]["follower"]), "no free area"),
}


@pytest.mark.parametrize("what", SPOILT_SMALL)
def test_a_spoilt_small_record_is_rejected_with_the_place_named(what):
    spoil, sentence = SPOILT_SMALL[what]
    record = small_record()
    spoil(record)
    with pytest.raises(AssertionError, match=sentence):
        check_record(record, *SMALL)


def test_a_road_turned_away_from_a_road_is_rejected():
    parts = components("##", "straight1 straight2", [start("A", (0, 0), "W", "m1 r1 m1")])
    game = ReferenceGame(*parts, ["straight1", "straight2"], {})
    turn(game, (0, 0), EAST)
    record = game.record()
    check_record(record, *parts)
    record["turns"][0]["rotation"] = SOUTH
    with pytest.raises(AssertionError, match=r"turns\[0\]: straight1 may not be placed"):
        check_record(record, *parts)
