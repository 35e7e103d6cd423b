"""Stored games of Castle, the card game: both engines still play them as they are recorded."""

import pytest

from tests.support.castle_golden import GAMES, find_difference, load
from tests.support.castle_lockstep import play_at_random

RECORDS = load()
KINDS = {
    "draw", "exchange", "play", "take_back", "move", "remove", "to_exchange", "pawns", "rearrange", "swap", "steal",
    "give", "award", "decline", "void",
}  # fmt: skip


@pytest.mark.parametrize(
    "number", range(len(GAMES)), ids=[f"{players} players, deal {deal}" for players, deal in GAMES]
)
def test_a_stored_game_is_played_as_it_was(number):
    difference = find_difference(RECORDS[number], play_at_random(*GAMES[number]))
    assert not difference, difference


def test_the_stored_games_show_nearly_every_kind_of_step():
    found = {step["do"] for record in RECORDS for turn in record["turns"] for step in turn["steps"]}
    assert found >= KINDS


def test_a_difference_names_the_turn():
    record = RECORDS[0]
    other = record | {"turns": [*record["turns"][:3], {"player": 1, "steps": []}, *record["turns"][4:]]}
    assert find_difference(record, other).startswith("turns[3] was ")
    assert find_difference(record, record | {"end": "quiet"}) == "['end'] differ"
    assert find_difference(record, dict(record)) == ""
