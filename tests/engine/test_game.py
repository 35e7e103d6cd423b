"""`Game`: what it refuses, what it leaves as it was, what its copies share, and what it says in words."""

import copy
import os
import pickle
import re
import subprocess
import sys

import numpy as np
import pytest

from tests.support.games import few, finish, play_randomly
from zamek_env import Game, IllegalActionError
from zamek_env.base.chance import MAX_DEAL
from zamek_env.castle_cards import CastleCards
from zamek_env.hints import find_hints
from zamek_env.render import draw_rgb, draw_svg
from zamek_env.ruleset import get_ruleset
from zamek_env.single import ZamekEnv


def snapshot(game):
    """Return all that can change in a game."""
    return game.state.tobytes(), game.history, game.seed, game.last_events.tobytes()


def after(decisions, seed=1):
    """Return a game in which so many random decisions were made."""
    for number, game in enumerate(play_randomly(Game(seed=seed), seed)):
        if number == decisions:
            return game
    raise AssertionError("the game was over before")


# --- dealing ---


@pytest.mark.parametrize("seed", [0, MAX_DEAL, np.int8(7), np.uint64(MAX_DEAL), np.int64(12)])
def test_whole_numbers_of_any_type_are_seeds(seed):
    game = Game(seed=seed)
    assert game.seed == int(seed) and type(game.seed) is int
    assert game.state.tobytes() == Game(seed=int(seed)).state.tobytes()


def test_without_a_seed_the_deal_is_random_but_can_be_repeated():
    games = [Game() for _ in range(5)]
    assert len({game.seed for game in games}) == 5
    assert games[0].state.tobytes() == Game(seed=games[0].seed).state.tobytes()


def test_the_game_of_cards_is_said_to_be_another_class():
    with pytest.raises(ValueError, match="'castle-cards' is a game of cards: CastleCards plays it"):
        Game("castle-cards")


@pytest.mark.parametrize("numbers", [int, np.int8, np.int64, np.uint8])
def test_numbers_of_numpy_are_players_and_seats_too(numbers):
    game = Game(seed=2)
    assert np.array_equal(game.observe(numbers(1))["planes"], game.observe(1)["planes"])
    assert type(ZamekEnv(opponent="random", seat=numbers(1)).seat) is int
    for wrong in (numbers(2), np.bool_(True), np.float64(1)):
        with pytest.raises(ValueError, match="player must be one of 0, 1, not"):
            game.observe(wrong)


@pytest.mark.parametrize(
    "make, named",
    [
        (lambda: Game.from_state("zamek", Game(seed=1).state), "ruleset must be a Ruleset, such as .*, not 'zamek'"),
        (lambda: Game.from_deal("zamek", [], []), "ruleset must be a Ruleset, such as .*, not 'zamek'"),
        (lambda: Game.from_deal(Game(seed=1).ruleset, 5, []), "deck must be a row of whole numbers, not 5"),
        (lambda: Game.from_deal(Game(seed=1).ruleset, [3, "H"]), r"deck\[1\] must be a whole number, not 'H'"),
        (lambda: Game.from_state(Game(seed=1).ruleset, Game(seed=1).state, 0, 5), "history must be a row of whole"),
    ],
)
def test_games_made_of_the_wrong_kind_of_thing_are_refused(make, named):
    with pytest.raises(TypeError, match=named):
        make()


def test_states_that_numpy_saved_are_taken_up_as_games(tmp_path):
    game = finish(Game(seed=5), 5)
    np.save(tmp_path / "states.npy", game.state)
    loaded = Game.from_state(game.ruleset, np.load(tmp_path / "states.npy"))
    assert loaded.format_position() == game.format_position() and loaded.areas() == game.areas()
    assert loaded.legal_actions() == game.legal_actions()


PLAY = """
import numpy as np
from zamek_env import Game
game, rng = Game(seed=2026), np.random.default_rng(7)
while not game.is_terminal:
    game.step(rng.choice(game.legal_actions()))
print(game.history, game.state.tobytes().hex(), game.scores)
"""


@pytest.mark.parametrize("jit", ["0", "1"])
@pytest.mark.long
def test_the_same_seed_is_the_same_game_in_another_process_compiled_or_not(jit):
    game = finish(Game(seed=2026), 7)
    command = [sys.executable, "-c", PLAY]
    printed = subprocess.run(
        command, env=os.environ | {"NUMBA_DISABLE_JIT": jit}, capture_output=True, text=True, check=True
    )
    assert printed.stdout.strip() == f"{game.history} {game.state.tobytes().hex()} {game.scores}"


def test_a_game_from_a_deal_draws_in_that_order():
    ruleset = get_ruleset()
    deck, tokens = list(range(59, -1, -1)), sorted(ruleset.tables[0].token_pool.tolist(), reverse=True)
    game = Game.from_deal(ruleset, deck, tokens)
    assert game.seed is None
    assert game.state[0].deck.tolist() == deck and game.state[0].token_deal.tolist() == tokens
    assert game.position().tile == "Z60"


def test_what_a_deal_does_not_tell_follows_from_the_seed():
    ruleset = get_ruleset()
    first, again, other = (Game.from_deal(ruleset, [59, 3], [4], seed=seed).state[0] for seed in (1, 1, 2))
    for state in (first, other):
        assert state.deck[:2].tolist() == [59, 3] and sorted(state.deck.tolist()) == list(range(60))
        assert state.token_deal[0] == 4
        assert sorted(state.token_deal.tolist()) == sorted(ruleset.tables[0].token_pool.tolist())
    assert first.tobytes() == again.tobytes() and first.deck.tolist() != other.deck.tolist()
    with pytest.raises(ValueError, match="seed must lie in 0 to"):
        Game.from_deal(ruleset, [], seed=-1)


# --- actions ---


@pytest.mark.parametrize("kind", [int, np.int8, np.int16, np.int32, np.int64, np.uint16, np.uint64, np.array])
def test_whole_numbers_of_any_type_are_actions(kind):
    game, twin = Game(seed=3), Game(seed=3)
    action = game.legal_actions()[0]
    game.step(kind(action))
    twin.step(action)
    assert snapshot(game) == snapshot(twin)
    assert all(type(action) is int for action in game.history)


@pytest.mark.parametrize("call", ["step", "describe"])
def test_nothing_can_be_played_once_the_game_is_over(call):
    game = finish(Game(seed=1))
    before = snapshot(game)
    assert game.legal_actions() == [] and not game.legal_action_mask().any()
    assert (game.current_player, game.phase) == (-1, "over")
    for action in (0, game.num_actions - 1, -1, 10**9):
        with pytest.raises(IllegalActionError, match=rf"^action {action}( \(\S.*\))? is illegal: the game is over"):
            getattr(game, call)(action)
    assert snapshot(game) == before


# --- masks, returns ---


def test_a_mask_is_a_new_array_each_time():
    game = Game(seed=1)
    mask = game.legal_action_mask()
    assert mask.dtype == bool and mask.shape == (game.num_actions,)
    mask[:] = True
    assert game.legal_action_mask().sum() == len(game.legal_actions()) < game.num_actions
    assert not np.shares_memory(game.legal_action_mask(), game.legal_action_mask())
    assert all(type(action) is int for action in game.legal_actions())


def test_returns_follow_the_scores_and_are_zero_before_the_end():
    seen = set()
    for seed in range(8, 8 + few(40, 12)):
        for game in play_randomly(Game(seed=seed), seed):
            first, second = game.scores
            if game.is_terminal:
                assert game.returns() == ((first > second) - (first < second), (second > first) - (second < first))
                seen.add(game.returns())
            else:
                assert game.returns() == (0.0, 0.0)
    assert seen >= {(1.0, -1.0), (-1.0, 1.0)}


def test_equal_points_share_the_victory():
    game = finish(Game(seed=1))
    game.raw_states[0].score[:] = 42
    assert game.returns() == (0.0, 0.0)


@pytest.mark.parametrize("game", [Game(seed=5), CastleCards(3, seed=5)], ids=["tiles", "cards"])
def test_a_game_says_why_an_action_is_illegal_as_step_does(game):
    legal = game.legal_actions()
    illegal = [action for action in range(game.num_actions) if action not in legal]
    for action in (illegal[0], illegal[-1], -1, game.num_actions):
        with pytest.raises(IllegalActionError) as refused:
            game.step(action)
        assert game.why_illegal(action) == str(refused.value)
    with pytest.raises(
        ValueError, match=f"^action must be an illegal one, not {re.escape(game.format_action(legal[0]))}$"
    ):
        game.why_illegal(legal[0])
    with pytest.raises(TypeError, match="action must be a whole number, not 'draw'"):
        game.why_illegal("draw")


def test_a_game_draws_itself_as_render_does():
    game = Game(seed=5)
    components, position = game.ruleset.components, game.position()
    hints = find_hints(game.ruleset, game.state[0])
    for theme in ("auto", "light", "dark"):
        assert game.draw_svg(theme) == draw_svg(components, position, hints=hints, theme=theme)
    assert game._repr_svg_() == game.draw_svg("auto")
    assert np.array_equal(game.draw_rgb(120), draw_rgb(components, position, 120))


def test_what_a_game_says_of_itself():
    game = Game(seed=5)
    assert repr(game) == "<Game zamek, seed 5, place, 0:0>"
    assert repr(game.ruleset) == "<Ruleset zamek>"
    assert str(game).count("\n") > 30
    assert (game.current_player, game.scores, game.is_terminal) == (0, (0, 0), False)


# --- copies ---


def pickled(game):
    return pickle.loads(pickle.dumps(game))


@pytest.mark.parametrize("make", [Game.copy, copy.copy, copy.deepcopy, pickled])
def test_copies_are_equal_and_independent(make):
    game = after(30)
    twin = make(game)
    assert snapshot(twin) == snapshot(game)
    before = snapshot(game)
    finish(twin, 9)
    assert snapshot(game) == before
    assert twin.is_terminal and twin.history[: len(game.history)] == game.history
    twin = make(game)
    finish(game, 9)
    assert snapshot(twin) == before
    assert Game.replay(twin.record()).seed == twin.seed


def test_copies_share_no_memory_but_the_ruleset():
    game = after(30)
    twin = game.copy()
    assert twin.ruleset is game.ruleset
    assert not np.shares_memory(game.raw_states, twin.raw_states)
    assert not np.shares_memory(game.state, game.raw_states)
    assert not np.shares_memory(game.last_events, game.last_events)


def test_what_was_read_of_the_last_events_stays_as_it_was():
    game = after(30)
    while game.last_events.size == 0:
        game.step(game.legal_actions()[0])
    events = game.last_events
    kept = events.copy()
    finish(game, 9)
    assert np.array_equal(events, kept)


def test_writing_to_what_a_game_returns_does_not_change_it():
    game = after(30)
    before = snapshot(game)
    game.state[0].score[:] = 99
    game.last_events[:] = 7
    game.position().board.clear()
    game.position().tokens[0][1] = 5
    assert snapshot(game) == before
    assert game.position().board


def test_a_position_names_the_tile_of_the_turn_until_the_turn_is_all_but_over():
    for game in play_randomly(Game(seed=1), 1):
        position = game.position()
        assert (position.tile is None) == (position.phase in ("extra turn", "over"))
        assert (position.cell is None) == (position.tile is None or position.phase == "place")


# --- redealing (rule Z31) ---


def test_a_redeal_follows_from_its_generator():
    first, second = after(25), after(25)
    first.redeal(np.random.default_rng(3))
    second.redeal(np.random.default_rng(3))
    assert snapshot(first) == snapshot(second)


def test_a_game_redealt_can_be_played_on_and_recorded():
    game = after(25)
    game.redeal(np.random.default_rng(3))
    finish(game, 4)
    record = game.record()
    assert record["seed"] is None
    assert Game.replay(record).scores == game.scores


# --- what happened ---


def test_the_events_of_a_game_add_up_to_its_scores():
    for seed in range(few(10, 2)):
        game, points = Game(seed=seed), np.zeros(2, int)
        for position in play_randomly(game, seed):
            for _, player, _, _, gained, *_ in position.last_events.tolist():
                points[player] += gained
            assert tuple(points) == position.scores


def test_copies_are_of_the_class_that_is_copied():
    class Mine(Game):
        """A game of somebody's own."""

    game = Mine(seed=1)
    assert {type(twin) for twin in (game.copy(), copy.deepcopy(game), game.concealed(np.random.default_rng(0)))} == {
        Mine
    }
    others = Mine.replay(game.record()), Mine.from_moves("zamek", []), Mine.parse_position(game.format_position())
    assert {type(other) for other in others} == {Mine} and others[0] == game and others[0].seed == 1


@pytest.mark.parametrize("player", [2, -1, 10**8, "0", 0.5])
def test_nobody_sees_who_does_not_play(player):
    with pytest.raises(ValueError, match="player must be one of 0, 1, not"):
        Game(seed=1).observe(player)


def test_a_value_whose_own_words_fail_is_told_by_its_type():
    class Silent:
        def __repr__(self):
            raise RuntimeError

    with pytest.raises(TypeError, match="a value of type Silent that cannot be shown"):
        Game(seed=1).step(Silent())
