"""Games compare by value, hidden part included; their public keys by what lies on the table, and by nothing else."""

import copy
import pickle
from itertools import pairwise

import numpy as np
import pytest

from tests.support.deals import deal_tiles
from tests.support.games import few, play_greedily, play_randomly
from zamek_env import Game
from zamek_env.components.box_folder import RULESETS
from zamek_env.ruleset import get_ruleset


def move_on(game):
    """Play 30 decisions and return the game."""
    for number in range(30):
        legal = game.legal_actions()
        game.step(legal[number % len(legal)])
    return game


# --- equality ---


@pytest.mark.parametrize("ruleset", RULESETS)
def test_games_are_equal_where_their_states_are(ruleset):
    game = move_on(Game(ruleset, seed=1))
    assert game == move_on(Game(ruleset, seed=1))
    assert game == game.copy() == copy.deepcopy(game) == pickle.loads(pickle.dumps(game))
    assert game != Game(ruleset, seed=1)
    assert game != move_on(Game(ruleset, seed=2))
    twin = game.copy()
    twin.step(twin.legal_actions()[0])
    assert game != twin


def test_a_game_differs_from_one_with_another_hidden_part():
    game, twin = move_on(Game(seed=1)), move_on(Game(seed=1))
    twin.redeal(np.random.default_rng(1))
    assert game != twin and game.public_key() == twin.public_key()


@pytest.mark.compiles
def test_games_of_other_rulesets_and_other_things_are_unequal():
    games = [Game(ruleset, seed=1) for ruleset in RULESETS]
    assert [game for game in games if game == games[0]] == games[:1]
    assert all(Game(seed=1) != other for other in (None, 1, "zamek", Game(seed=1).position()))


def test_a_game_cannot_be_hashed_because_it_changes():
    with pytest.raises(TypeError, match="unhashable"):
        hash(Game(seed=1))


# --- public keys ---


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_key_tells_nothing_hidden(ruleset):
    """Neither the order of the deck, nor the tokens on the towers, nor the seed, nor the actions played."""
    for number, game in enumerate(play_randomly(Game(ruleset, seed=4), 4)):
        if number % 15 == 0 or game.is_terminal:
            key = game.public_key()
            assert type(key) is bytes and len(key) == 32
            if not game.ruleset.sizes.hides_hands:
                assert {game.public_key(player) for player in (0, 1)} == {key}
            for seed in range(3):
                twin = game.copy()
                twin.redeal(np.random.default_rng(seed))
                assert twin.public_key() == game.concealed(np.random.default_rng(seed)).public_key() == key
                assert Game.parse_position(game.format_position(), seed=seed).public_key() == key


@pytest.mark.parametrize("ruleset", RULESETS)
def test_no_two_positions_of_a_game_share_a_key(ruleset):
    for play in (play_randomly, play_greedily)[: few(2, 1)]:
        positions = [(game.public_key(), game.position()) for game in play(Game(ruleset, seed=6), 6)]
        assert len({key for key, _ in positions}) == len(positions)
        assert all(first != second for (_, first), (_, second) in pairwise(positions))


@pytest.mark.compiles
def test_all_rulesets_have_keys_of_their_own():
    lines = ("carcassonne; 0 place X", "carcassonne-no-farmers; 0 place X", "sokol; 0 place Z33", "zamek; 0 place Z33")
    assert len({Game.parse_position(line).public_key() for line in lines}) == len(lines)


@pytest.mark.compiles
def test_whatever_is_public_changes_the_key():
    start = "sokol-gates; 0 place Z33; board Z17@2,0E; pieces 2,0.r1 : -; score 27:12; taken 12 22; tokens 2 : 1"
    changes = [
        ("0 place", "1 place"), ("Z33", "Z34"), ("Z17", "Z28"), ("0E", "0W"), ("2,0.r1 : -", "2,0.m1 : -"),
        ("2,0.r1 : -", "- : 2,0.r1"), ("2,0.r1 : -", "prince@2,0.r1 : -"), ("pieces 2,0.r1 : -; ", ""),
        ("27:12", "12:27"), ("27:12", "27:13"), ("taken 12 22", "taken 12 25"), ("2 : 1", "1 : 2"),
        ("2 : 1", "2 1 : -"),
        ("2 : 1", "2 : -; used 1"), ("2 : 1", "2 : 1; out Z40"), ("2 : 1", "2 : 1; nests 1:0"),
        ("2 : 1", "2 : 1; nests 0:1"), ("2 : 1", "2 : 1; gate 0"),
    ]  # fmt: skip
    lines = [start, *(start.replace(old, new, 1) for old, new in changes)]
    games = []
    for line in lines:
        try:
            games.append(Game.parse_position(line, seed=1))
        except ValueError as error:
            assert "Z28" in line or "0W" in line, (line, error)  # these do not fit there
    assert len(games) >= len(lines) - 2
    with_house = games[0].copy()
    with_house.raw_states["family_house"][0, 0] = 2
    games.append(with_house)
    assert len({game.public_key() for game in games}) == len(games)


def lay(ruleset, script):
    """Return a game in which the tiles of `script`, a list of actions in notation, are drawn and laid so."""
    tiles = [text.partition("@")[0] for text in script]
    ruleset = get_ruleset(ruleset)
    deck, rest = deal_tiles(ruleset, tiles)
    game = Game.from_deal(ruleset, deck + rest, sorted(ruleset.tables[0].token_pool.tolist()))
    for text in script:
        game.step(game.parse_action(text))
        if game.phase == "send":
            game.step(game.parse_action("-"))
    return game


@pytest.mark.parametrize(
    ("ruleset", "script", "other"),
    [
        ("zamek", ["Z17@2,0E", "Z11@0,3N", "Z28@1,7N"], ["Z28@1,7N", "Z11@0,3N", "Z17@2,0E"]),
        ("carcassonne", ["U@0,1N", "E@-1,0S", "U@0,-1N"], ["U@0,-1N", "E@-1,0S", "U@0,1N"]),
        ("carcassonne", ["U@0,1N", "U@0,-1N", "E@-1,0S", "U@0,2N"], ["E@-1,0S", "U@0,-1N", "U@0,1N", "U@0,2N"]),
    ],
)
def test_one_position_has_one_key_whatever_the_order_in_which_its_tiles_were_laid(ruleset, script, other):
    first, second = lay(ruleset, script), lay(ruleset, other)
    lines = [game.format_position().split("; ") for game in (first, second)]
    assert lines[0] == lines[1]
    assert first.public_key() == second.public_key() and first != second
    assert first.legal_actions() == second.legal_actions()


@pytest.mark.parametrize("player", [2, -1, "0", True, 0.0])
def test_a_player_there_is_not_is_refused(player):
    with pytest.raises(ValueError, match=r"^player must be one of None, 0, 1, not "):
        Game(seed=1).public_key(player)
