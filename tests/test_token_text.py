"""Special tokens in words: one name for each kind, wherever it is shown."""

import pytest

from zamek_env import Game
from zamek_env.components.token_text import describe_token, name_token

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
