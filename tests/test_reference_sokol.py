"""Tests of the oracle in the rules S1 to S7, in small castles: what Sokół adds, whom it sends, what that pays."""

import pytest

from tests.support.reference import Area, read_box, widen
from tests.support.small_castles import (
    BOTH_ENDS,
    EAST,
    NORTH,
    SOKOL,
    WEST,
    area_of,
    end_of,
    scored,
    small_game,
    start,
    turn,
    two_halves,
)

# --- components ------------------------------------------------------------------------------------------------------


def test_s1_a_column_and_then_a_row_are_inserted_where_the_gates_are():
    gates = [
        {"between": [3, 4], "side": "N", "column": 2, "start": "m1 r1 m2"},
        {"between": [7, 8], "side": "E", "row": 1},
        {"between": [11, 12], "side": "S", "column": 2, "start": "h1"},
        {"between": [15, 16], "side": "W", "row": 1},
    ]
    wall = {"interior": ["..##", "###.", ".##."], "gates": gates, "starts": [start("A", (1, 0), "W", "m1")]}
    wide = widen(wall | {"starts": [*wall["starts"], start("B", (0, 3), "E", "p1"), start("C", (2, 1), "S", "m1")]})
    assert wide["interior"] == ["...##", "...#.", "####.", ".###."]
    #  columns apart  ..|##   ..|.##     rows apart   ...##        a space only where both
    #                 ##|#.   ##|##.                  ...#.   <-   its neighbours are one
    #                 .#|#.   .#|##.                  ####.
    assert [(one["id"], *one["cell"], one["side"]) for one in wide["starts"]] == [
        ("A", 2, 0, "W"),
        ("B", 0, 4, "E"),
        ("C", 3, 1, "S"),
        ("gate 3", 2, 2, "N"),
        ("gate 11", 3, 2, "S"),
    ]
    assert wall["interior"] == ["..##", "###.", ".##."]  # the base game's wall stays


def test_s1_the_castle_has_94_spaces_9_start_spaces_and_78_tiles():
    for ruleset in ("sokol", "sokol-gates"):
        wall, tiles, rules = read_box(ruleset)
        assert sum(row.count("#") for row in wall["interior"]) == 94
        assert len(wall["starts"]) == 9 and len(tiles["tiles"]) == 78
        gates = {one["id"]: (one["cell"], one["side"], one["face"]) for one in wall["starts"][7:]}
        assert gates == {"gate 27": ([1, 6], "N", "m1 r1 m2"), "gate 69": ([10, 6], "S", "h1 r1 p1")}
        assert (rules.name, rules.halting_gates) == (ruleset, ruleset == "sokol-gates")
    wall, tiles, rules = read_box("zamek")
    assert sum(row.count("#") for row in wall["interior"]) == 76 and len(tiles["tiles"]) == 60
    assert (rules.special_pieces, rules.nests, rules.halting_gates) == ((), 0, False)


def test_s2_each_player_has_a_prince_and_a_falconer_and_twelve_nests_lie_in_the_pool():
    game = small_game("##", "field1", rules=SOKOL)
    assert (game.supplies, game.pieces) == ([6, 6], [("prince", "falconer")] * 2)
    assert (game.nests, game.nest_pool) == ([0, 0], 12)
    base = small_game("##", "field1")
    assert (base.pieces, base.nest_pool) == ([(), ()], 0)


def test_s3_chapels_touch_anything_and_join_chapels_only():
    game = small_game("###", "field1 close1 chapel1", BOTH_ENDS, rules=SOKOL)
    turn(game, (0, 0))
    for rotation in range(4):
        assert ("place", (0, 1), rotation) in game.decisions()
    turn(game, (0, 1), NORTH)  # its chapel looks east
    turn(game, (0, 2), WEST, send="c1")
    assert scored(game, "feature", "tiles", "points", "at") == [("chapel", 2, 3, [0, 1, "c1"])]


# --- sending ---------------------------------------------------------------------------------------------------------


def sendings(game) -> set[str]:
    """What may be sent, in words."""
    assert game.phase == "send"
    return {"nobody" if one[1] is None else f"{one[2]} on {one[1]}" for one in game.decisions()}


def test_s4_prince_and_falconer_go_where_a_follower_may_but_to_no_completed_area():
    game = small_game("##", "close1 field1", [start("A", (0, 0), "S", "m1")], rules=SOKOL)
    game.play(("place", (0, 0), NORTH))  # house to the wall, chapel to the east, pigsty to a meadow, meadow to the wall
    assert area_of(game, (0, 0), "h1").is_complete and area_of(game, (0, 0), "p1").is_complete
    followers = {f"follower on {name}" for name in ("h1", "c1", "p1", "m1")}
    assert sendings(game) == {"nobody", *followers} | {
        f"{piece} on {name}" for piece in ("prince", "falconer") for name in ("c1", "m1")
    }
    for illegal in (("send", "h1", "prince"), ("send", "p1", "falconer"), ("send", "h1", "king"), ("send", "c1")):
        with pytest.raises(ValueError):
            game.play(illegal)
    game.play(("send", "m1", "prince"))
    assert game.turns[0]["follower"] == {"segment": "m1", "piece": "prince"}
    assert (game.supplies, game.pieces) == ([6, 6], [("falconer",), ("prince", "falconer")])


def test_s4_without_a_follower_left_a_special_piece_may_still_go():
    game = small_game("##", "close1 field1", [start("A", (0, 0), "S", "m1")], rules=SOKOL)
    game.followers += [(0, (9, 9), "m1", "follower")] * 6 + [(0, (9, 9), "m1", "falconer")]
    game.play(("place", (0, 0), NORTH))
    assert sendings(game) == {"nobody", "prince on c1", "prince on m1"}


def test_s4_the_send_is_passed_over_where_only_special_pieces_are_left_and_every_area_is_complete():
    face = [start("A", (0, 0), "W", "m1"), start("B", (0, 1), "E", "m1")]
    game = small_game("##", "field1 chapel1 chapel2", face, rules=SOKOL)
    turn(game, (0, 0), send="m1")
    game.followers += [(1, (9, 9), "m1", "follower")] * 6
    game.play(("place", (0, 1), NORTH))  # the chapel is complete, the meadow taken
    assert game.phase == "over" and game.turns[1]["follower"] is None and not game.turns[1]["scored"]


# --- majorities and points -------------------------------------------------------------------------------------------


def test_s5_each_counts_as_one_and_returns():
    game = two_halves("hall1", ((0, "prince"), (1, "follower")))
    game.followers.append((1, (0, 2), "h1", "falconer"))
    assert area_of(game, (0, 2), "h1").followers == [0, 2]
    turn(game, (0, 1))
    assert scored(game, "player", "points") == [(1, 3)]  # two against one; player 0's prince changes nothing
    assert (game.followers, game.supplies, game.pieces) == ([], [6, 6], [("prince", "falconer")] * 2)


@pytest.mark.parametrize("tiles, points", [*enumerate([1, 3, 6, 10, 15, 21, 28, 36, 36, 36], start=1)])
def test_s6_a_completed_chapel_pays_by_its_size(tiles, points):
    area = Area("chapel", frozenset(), tiles, 0, [1, 0], 0, 0, 0, frozenset())
    assert area.points(None) == points


def test_s6_a_chapel_of_three_tiles_pays_six_points_and_an_unfinished_one_nothing():
    game = two_halves("nave1", ((0, "follower"), (0, "follower")), deck="chapel1 chapel2")
    assert end_of(game, ({7: 2, 8: 2, 9: 2}, {})) == {}
    turn(game, (0, 1))
    assert scored(game, "player", "feature", "tiles", "points") == [(0, "chapel", 3, 6)]
    assert game.family_houses == [0, 0]


@pytest.mark.parametrize(
    "deck, middle, points",
    [
        ("house1 house2", "hall1", 6),
        ("chapel1 chapel2", "nave1", 12),
        ("pigsty1 pigsty2", "pigsty3", 8),  # two pigsties; the third closes the western one, 2 tiles
        ("stocks1 road2", "straight1", 12),  # S7 [ours]: 4 a tile
        ("road1 road2", "straight1", 6),
    ],
)
def test_s7_the_prince_doubles_what_his_owner_scores(deck, middle, points):
    game = two_halves(middle, ((0, "prince"), (0, "follower")), deck=deck)
    if deck.startswith("pigsty"):
        game.followers.pop()
        turn(game, (0, 1), WEST)
    else:
        turn(game, (0, 1), EAST if middle == "straight1" else NORTH)
    assert scored(game, "player", "points") == [(0, points)]
    assert game.family_houses == [3 if deck.startswith("house") else 0, 0]  # tiles, not points


@pytest.mark.parametrize("owner, tokens", [(0, [None]), (1, [None, 2])])
def test_s7_what_the_own_prince_doubles_no_token_doubles_again(owner, tokens):
    game = two_halves("hall1", ((owner, "prince"), (0, "follower")))
    game.followers.append((0, (0, 0), "h1", "follower"))
    game.tokens_usable[0] = {2: 1}
    game.play(("place", (0, 1), NORTH))
    game.play(("send", None))
    if len(tokens) == 1:  # without a choice: scored
        assert scored(game, "points", "token") == [(6, None)] and game.tokens_usable[0] == {2: 1}
    else:
        assert [decision[2] for decision in game.decisions()] == tokens
        game.play(game.decisions()[1])
        assert scored(game, "points", "token") == [(6, 2)]


def prince_on(tile: str, name: str, owner: int = 0):
    """Two unfinished areas of player 0, the larger in the west without, the smaller in the east with a prince."""
    face = {"house": "h1", "pigsty": "p1", "stocks": "m1 r1 m1"}[tile]
    turned = "hall1" if tile == "house" else f"{tile}3"
    game = small_game("####", f"{tile}1 {tile}2 {turned}", [start("A", (0, 0), "W", face)], rules=SOKOL)
    game.board.update({(0, 0): (f"{tile}1", EAST), (0, 3): (f"{tile}2", WEST)})
    game.followers += [(0, (0, 0), name, "follower"), (0, (0, 3), name, "follower"), (owner, (0, 3), name, "prince")]
    return game


@pytest.mark.parametrize(
    "kind, tile, name, points", [(7, "house", "h1", 2), (8, "pigsty", "p1", 4), (9, "stocks", "r1", 2)]
)
def test_s7_the_prince_doubles_tokens_7_to_9(kind, tile, name, points):
    game, reason = prince_on(tile, name), f"token {kind}"
    assert end_of(game, ({kind: 1}, {kind: 2})) == {(0, reason): points}
    assert end_of(game, ({kind: 2}, {})) == {(0, reason): points + points // 2}


def test_s7_the_best_area_for_a_token_is_the_one_that_the_prince_doubles():
    game = small_game("#####", "house1 hall1 house2", rules=SOKOL)
    game.board.update({(0, 0): ("house1", EAST), (0, 1): ("hall1", NORTH), (0, 4): ("house2", WEST)})
    game.followers += [(1, (0, 0), "h1", "prince"), (1, (0, 4), "h1", "follower"), (0, (8, 8), "h1", "prince")]
    assert end_of(game, ({}, {7: 1})) == {(1, "token 7"): 4}
    game.followers[:2] = [(1, (0, 0), "h1", "follower"), (1, (0, 4), "h1", "prince")]
    assert end_of(game, ({}, {7: 1})) == {(1, "token 7"): 2}
    assert end_of(game, ({}, {7: 2})) == {(1, "token 7"): 4}


def test_s7_the_prince_doubles_a_meadow_and_with_token_4_gives_eight_a_shrine():
    game = small_game("###", "shrine1 meadows1 shrine2", [start("A", (0, 0), "W", "m1", ["m1"])], rules=SOKOL)
    game.board.update({(0, 0): ("shrine1", 0), (0, 1): ("meadows1", EAST), (0, 2): ("shrine2", 0)})
    game.followers += [(0, (0, 0), "m1", "prince"), (0, (0, 2), "m1", "follower")]  # 2 shrines and 1
    assert end_of(game) == {(0, "meadow"): 12 + 3}
    assert end_of(game, ({4: 1}, {})) == {(0, "meadow"): 15, (0, "token 4"): 4}
    assert end_of(game, ({4: 2}, {})) == {(0, "meadow"): 15, (0, "token 4"): 5}
    game.followers.append((1, (0, 2), "m1", "prince"))
    assert end_of(game, ({4: 2}, {})) == {(0, "meadow"): 12, (0, "token 4"): 4}
    game.followers[:] = [(0, (0, 0), "m1", "follower"), (0, (0, 2), "m1", "prince")]  # 2 shrines, and 1 that counts 2
    assert end_of(game, ({4: 1}, {})) == {(0, "meadow"): 12, (0, "token 4"): 2}
    assert end_of(game, ({4: 2}, {})) == {(0, "meadow"): 12, (0, "token 4"): 4}


def test_s7_the_opponents_prince_does_not_double_ones_meadow():
    game = small_game("##", "shrine1 field1", rules=SOKOL)
    game.board[0, 0] = ("shrine1", 0)
    game.followers += [(1, (0, 0), "m1", "prince"), *[(0, (0, 0), "m1", "follower")] * 2]
    assert end_of(game, ({4: 1}, {})) == {(0, "meadow"): 3, (0, "token 4"): 1}
