"""Sentences on the outcome of a step and on tokens: every number and every name in them."""

from types import SimpleNamespace

import pytest

from tests.records.test_explain import DOUBLED, ROAD_AND_HOUSE
from zamek_env import Game
from zamek_env.components.token_text import describe_token, name_token
from zamek_env.hints import NOBODY_STANDS, find_hints
from zamek_env.records.step_text import describe_news

SCORED = {"token": None, "took": None, "nests": 0}
LAID = "zamek; 0 place Z33"


def describe(line, *news):
    """Return the sentences of `news` of a game that stands as a position line says."""
    return [*describe_news(SimpleNamespace(game=Game.parse_position(line, seed=1)), news)]


def score(player, feature, at, tiles, points, score, **more):
    """Return the news of an area that was scored."""
    entry = {"player": player, "feature": feature, "at": at, "tiles": tiles, "points": points, "score": score}
    return "scored", SCORED | entry | more


def test_news_name_who_scored_what_and_why():
    assert describe(
        f"{LAID}; {ROAD_AND_HOUSE}",
        ("discarded", "Z21"),
        score(0, "road", [7, 9, "r1"], 5, 10, 12),
        score(1, "house", [8, 8, "h1"], 2, 4, 5, token=2, took=3),
        score(0, "pigsty", [9, 8, "p1"], 1, 4, 16, token=3),
        score(1, "house", [8, 8, "h1"], 2, 3, 5),
        ("paid", {"player": 1, "reason": "token 6", "points": 5}),
        ("paid", {"player": 0, "reason": "meadow", "points": 1}),
    ) == [
        "Z21 fits nowhere and leaves the game.",
        "Player 0 scores road 7,9.r1: 10 points (5 tiles × 2 with stocks), 12 in all.",
        "Player 1 scores house 8,8.h1: 4 points (2 tiles × 2 by the token house ×2), 5 in all, "
        "with the token pigsty ×4 from a tower.",
        "Player 0 scores pigsty 9,8.p1: 4 points (1 tile × 4 by the token pigsty ×4), 16 in all.",
        "Player 1 scores house 8,8.h1: 3 points, 5 in all.",
        "At the end player 1: 5 points for the token +5 points.",
        "At the end player 0: 1 point for meadow.",
    ]


@pytest.mark.compiles
def test_news_of_the_expansion_name_prince_and_nests():
    assert describe(
        DOUBLED,
        score(1, "pigsty", [0, 2, "p1"], 4, 16, 18, nests=1),
        score(1, "chapel", [0, 1, "c1"], 2, 3, 21, nests=2),
        score(0, "chapel", [0, 1, "c1"], 2, 6, 9),
    ) == [
        "Player 1 scores pigsty 0,2.p1: 16 points (4 tiles × 2, doubled by the prince), 18 in all, with 1 nest.",
        "Player 1 scores chapel 0,1.c1: 3 points (by its size, 2 tiles), 21 in all, with 2 nests.",
        "Player 0 scores chapel 0,1.c1: 6 points (by its size, 2 tiles, doubled by the prince), 9 in all.",
    ]


# --- what an area is worth so far ---


def hint_of(game, cell, segment):
    """Return what is said of the area of a segment."""
    (text,) = [hint.text for hint in find_hints(game.ruleset, game.state[0]) if (cell, segment) in hint.segments]
    return text


def test_a_hint_says_who_holds_an_area_and_what_it_is_worth():
    game = Game.parse_position(f"zamek; 1 send Z49@9,8; {ROAD_AND_HOUSE}; pieces 7,9.r1 : 8,8.h1", seed=1)
    assert hint_of(game, (7, 9), "r1") == "road of 5 tiles, complete; held by player 0; 10 points so far"
    assert hint_of(game, (8, 8), "h1") == "house of 2 tiles, complete; held by player 1; 2 points so far"
    assert hint_of(game, (7, 9), "h1") == f"house of 2 tiles, 4 open; {NOBODY_STANDS}; 2 points so far"
    assert hint_of(game, (9, 8), "r3") == "road of 1 tile, complete"
    assert hint_of(game, (8, 9), "m1") == f"meadow of 2 tiles; {NOBODY_STANDS}; 3 points so far"


@pytest.mark.compiles
def test_a_hint_counts_what_the_prince_doubles():
    game = Game.parse_position(DOUBLED, seed=1)
    assert hint_of(game, (0, 2), "p1") == "pigsty of 4 tiles, complete; held by player 1; 16 points so far"
    assert hint_of(game, (0, 1), "c1") == "chapel of 2 tiles, complete; held by player 1; 3 points so far"


def test_a_hint_says_that_a_tie_holds_nothing():
    pieces = "pieces 7,9.h1 : 8,9.h1"
    game = Game.parse_position(f"{LAID}; {ROAD_AND_HOUSE}; {pieces}", seed=1)
    assert hint_of(game, (7, 9), "h1") == "house of 2 tiles, 4 open; tied, so nobody holds it; 2 points so far"


# --- special tokens ---


ZAMEK = Game("zamek", seed=1).ruleset.components
NAMES = {
    1: "extra turn",
    2: "house ×2",
    3: "pigsty ×4",
    4: "shrines +1",
    5: "family house +2",
    6: "+5 points",
    7: "unfinished house",
    8: "unfinished pigsty",
    9: "unfinished road",
}


def test_each_kind_has_a_name_of_its_own():
    assert {token.kind: name_token(ZAMEK, token.kind) for token in ZAMEK.tokens} == NAMES


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (2, "When you score a house in your turn, you may spend it for 2 points a tile."),
        (4, "At the end 1 point more for each of the shrines in a meadow of yours."),
        (5, "At the end your family house counts as 2 tiles larger."),
        (9, "At the end 1 point a tile of an unfinished road of yours."),
    ],
)
def test_what_a_kind_does_is_said_with_its_numbers(kind, words):
    assert describe_token(ZAMEK, kind) == words


def test_a_kind_that_is_not_in_the_box_has_a_number_and_does_nothing():
    assert name_token(ZAMEK, 99) == "kind 99" and describe_token(ZAMEK, 99) == ""
