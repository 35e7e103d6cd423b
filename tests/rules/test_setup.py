"""The table at the start, and what is hidden from both players (rules Z1–Z5, Z31)."""

from collections import Counter

import numpy as np
import pytest

from tests.support.drawn import Drawn
from tests.support.games import few
from zamek_env import Game, load_components

rule = pytest.mark.rule

COMPONENTS = load_components()
WALL = COMPONENTS.board


# --- the wall ---


@rule("Z1")
def test_the_wall_encloses_76_spaces():
    assert WALL.interior == (
        ".####.....",
        "#########.",
        "#########.",
        "..########",
        "..########",
        "..########",
        "..########",
        "..########",
        "..########",
        "...######.",
    )
    assert len(WALL.cells) == 4 + 9 + 9 + 6 * 8 + 6 == 76


@rule("Z1")
def test_the_track_has_100_fields_and_14_towers():
    assert len(WALL.track) == 100
    assert len(WALL.towers) == 14
    assert all(second == first + 1 for first, second in WALL.towers)
    assert (0, 1) in WALL.towers
    assert (56, 57) in WALL.towers


@rule("Z2")
def test_seven_start_spaces_lie_on_the_inner_edge_and_show_features_on_one_side():
    shown = {
        start.id: (start.cell, "NESW"[start.side], " ".join(segment.name for segment in start.tile.segments))
        for start in WALL.starts
    }
    assert shown == {
        "A": ((2, 0), "W", "m1 r1 m2"),
        "B": ((0, 3), "N", "m1"),
        "C": ((1, 7), "N", "h1 r1 m1"),
        "D": ((3, 9), "E", "p1"),
        "E": ((8, 9), "E", "m1 r1 p1"),
        "F": ((9, 4), "S", "h1"),
        "G": ((6, 2), "W", "m1 r1 h1"),
    }


@rule("Z2")
def test_a_start_space_is_part_of_the_areas_that_touch_it():
    drawn = Drawn("Z08 Z11").play("0: Z08 at 3,9")  # a pigsty all over, beside D
    assert drawn.area("D", "p1").segments == {("D", "p1"), ((3, 9), "p1")}
    assert drawn.area("D", "p1").tiles == 2


@rule("Z2")
def test_no_follower_is_sent_to_a_start_space_though_its_area_is_free():
    drawn = Drawn("Z12 Z11").play("0: Z12 at 0,3, ...")  # its house lies towards B
    assert drawn.options() == ["farmer on p1", "nobody", "squire on h1"]
    drawn.play("0: squire on h1")
    assert drawn.area("B", "m1").followers == (0, 0)


# --- the box ---


@rule("Z3")
def test_there_are_60_tiles_each_once_and_no_two_faces_are_alike():
    assert [tile.id for tile in COMPONENTS.tiles] == [f"Z{number:02}" for number in range(1, 61)]
    faces = set()
    for tile in COMPONENTS.tiles:
        turned = []
        for rotation in range(4):
            pieces = [
                (piece.feature, piece.marks, tuple(sorted((port + 3 * rotation) % 12 for port in piece.ports)))
                for piece in tile.segments
            ]
            turned.append(tuple(sorted(pieces)))
        faces.add(min(turned))
    assert len(faces) == 60


@rule("Z3")
def test_stocks_stand_on_roads_and_shrines_on_meadows_only():
    assert {feature.name: feature.mark for feature in COMPONENTS.features} == {
        "house": None,
        "pigsty": None,
        "road": "stocks",
        "meadow": "shrines",
    }
    marked = {piece.feature for tile in COMPONENTS.tiles for piece in tile.segments if piece.marks}
    assert marked == {"road", "meadow"}


@rule("Z3", "Z9")
def test_each_tile_is_drawn_once():
    game = Game(seed=3)
    drawn = []
    while not game.is_terminal:
        if game.phase == "place":
            drawn.append(game.position().tile)
        game.step(game.legal_actions()[0])
    assert sorted([*drawn, *game.position().discarded.elements()]) == [f"Z{number:02}" for number in range(1, 61)]


@rule("Z4")
def test_there_are_18_tokens_and_6_followers_a_player():
    assert {token.kind: token.count for token in COMPONENTS.tokens} == dict.fromkeys(range(1, 10), 2)
    table = Game(seed=1).position()
    assert table.supplies == (6, 6)
    assert table.scores == (0, 0)
    assert table.family_houses == (0, 0)
    assert table.tokens == table.fresh_tokens == ({}, {})
    assert table.board == {}
    assert table.player == 0


@rule("Z5")
def test_a_token_lies_on_every_tower_but_the_first():
    game = Game(seed=1)
    assert game.position().towers == {12, 22, 25, 34, 39, 42, 56, 59, 62, 76, 79, 82, 95}
    dealt = game.state[0]["token_deal"].tolist()
    assert Counter(dealt) == dict.fromkeys(range(1, 10), 2)
    assert len(dealt) - len(game.position().towers) == 5


@rule("Z5")
def test_tiles_and_tokens_are_shuffled():
    decks, tokens = [], []
    for seed in range(few(1000, 1000)):
        state = Game(seed=seed).state[0]
        decks.append(state["deck"].tolist())
        tokens.append(state["token_deal"].tolist())
    assert all(sorted(deck) == list(range(60)) for deck in decks)
    for deck_index in (0, 1, 30, 59):
        assert {deck[deck_index] for deck in decks} == set(range(60))
    for number in range(18):  # towers first, then the box
        assert {kinds[number] for kinds in tokens} == set(range(1, 10))


# --- what is hidden ---


def deal(deck, tokens):
    return Game.from_deal(Game(seed=0).ruleset, deck, tokens)


def assert_same_view(game, other):
    """Assert that nothing a player may know, see or do tells the two games apart."""
    assert game.position() == other.position()
    assert game.legal_actions() == other.legal_actions()
    for player in (0, 1):
        mine, theirs = game.observe(player), other.observe(player)
        assert np.array_equal(mine["planes"], theirs["planes"])
        assert np.array_equal(mine["vector"], theirs["vector"])


@rule("Z31")
def test_the_order_of_tiles_and_the_tokens_on_towers_are_hidden():
    deck, tokens = list(range(60)), sorted([*range(1, 10)] * 2)
    game = deal(deck, tokens)
    other = deal(deck[:4] + deck[:3:-1], tokens[::-1])  # the first four tiles are the same
    for _ in range(3):
        while True:
            assert_same_view(game, other)
            action = game.legal_actions()[-1]
            game.step(action)
            other.step(action)
            if game.phase == "place":
                break
    assert len(game.position().towers) == 13  # no token was seen so far


@rule("Z31")
def test_what_was_drawn_is_known_and_what_remains_as_a_set():
    drawn = Drawn("Z13 Z14 Z15 Z16 Z57 Z12 Z11", towers={12: 3}).set_earlier(scores=(10, 0))
    drawn.play("""
        0: Z13 at 2,0 turned 3
        1: Z14 at 1,7
        0: Z15 at 8,9 turned 1
        1: Z16 at 6,2 turned 3
        0: Z12 at 9,4 turned 2, squire on h1
    """)
    table = drawn.table
    assert table.discarded == {"Z57": 1}
    assert table.remaining.keys() == {f"Z{number:02}" for number in range(1, 61)} - {
        *("Z13", "Z14", "Z15", "Z16", "Z57", "Z12", "Z11")
    }
    assert table.towers == {22, 25, 34, 39, 42, 56, 59, 62, 76, 79, 82, 95}
    assert table.tokens == ({3: 1}, {})


@rule("Z31")
def test_a_redeal_shuffles_what_is_hidden_and_nothing_else():
    drawn = Drawn("Z12 Z11", towers={12: 3}).set_earlier(scores=(10, 0))
    drawn.play("0: Z12 at 9,4 turned 2, squire on h1")  # takes the token of tower 12
    before, state = drawn.game.copy(), drawn.game.state[0]
    next_tiles, tower_22, boxed = set(), set(), set()
    for seed in range(300):
        game = before.copy()
        game.redeal(np.random.default_rng(seed))
        if seed < few(300, 60):
            assert_same_view(before, game)
        redealt = game.state[0]
        assert redealt["deck"][:2].tolist() == state["deck"][:2].tolist()  # Z12 and Z11
        assert redealt["token_deal"][0] == 3
        assert sorted(redealt["token_deal"].tolist()) == sorted(state["token_deal"].tolist())
        next_tiles.add(int(redealt["deck"][2]))
        tower_22.add(int(redealt["token_deal"][1]))
        boxed |= set(redealt["token_deal"][13:].tolist())
    assert len(next_tiles) == 58
    assert tower_22 == boxed == set(range(1, 10))  # nobody knows which five stayed in the box
