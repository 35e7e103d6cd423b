"""Whole games of Castle, the card game, on both engines side by side: the same options, the same steps, one record.

Stored games are still played as they are recorded.
"""

import pytest

from tests.support.castle.board import DEALT
from tests.support.castle_lockstep import STORED, Lockstep, load, play_at_random
from tests.support.games import few


@pytest.mark.parametrize("players", DEALT)
@pytest.mark.parametrize("number", range(few(4, 1)))
def test_random_games_are_the_same(players, number):
    assert play_at_random(players, number)["end"] is not None


@pytest.mark.long
@pytest.mark.parametrize("players", DEALT)
def test_many_random_games_are_the_same(players):
    for number in range(1000, 1000 + few(150, 20)):
        play_at_random(players, number)


def test_a_game_in_which_nobody_plays_a_card_ends_alike():
    game = Lockstep(2, 0)
    while options := game.slow.options():
        game.play(min(option for option in options if option[0] != "play"))
    assert (game.slow.end, len(game.slow.turns)) == ("quiet", 200)


@pytest.mark.parametrize("game", STORED)
def test_a_stored_game_is_played_as_it_was(game):
    stored, found = load()[STORED.index(game)], play_at_random(*game)
    for number, (then, now) in enumerate(zip(stored["turns"], found["turns"], strict=False)):
        assert then == now, f"turns[{number}]"
    assert stored == found


@pytest.mark.parametrize(
    "field, what",
    [
        ("known", "what is known"),
        ("hand", "the hands"),
        ("pawns", "the supply"),
        ("removed", "the removed cards"),
        ("exchange", "the exchange"),
        ("options", "the options"),
    ],
)
def test_a_difference_is_named(field, what):
    game = Lockstep(3, 0)
    game.fast.states[field][..., 0] += 1
    with pytest.raises(AssertionError, match=f"now: {what} is"):
        game.compare("now")
