"""Arguments that cannot be meant are refused by public functions: the message names them, and what was given."""

import re
from types import SimpleNamespace

import numpy as np
import pytest
from gymnasium.error import ResetNeeded

from zamek_agents import RandomAgent, ValueAgent
from zamek_agents.arena import RoundRobin, line_up
from zamek_agents.datasets import Judge, Match, play_games, unpack_masks
from zamek_agents.datasets.columns import pack_masks
from zamek_env import Game, IllegalActionError, castle_cards_v0, zamek_v0
from zamek_env.carcassonne_v0 import raw_env
from zamek_env.castle_cards import CastleCards
from zamek_env.castle_cards.layout.observation import find_layout
from zamek_env.castle_cards.single import CastleCardsEnv
from zamek_env.castle_cards.vector import CastleCardsVectorEnv
from zamek_env.choices import find_location, locate
from zamek_env.evaluation import Evaluation
from zamek_env.fair_play import proven_fair
from zamek_env.observer import Observer
from zamek_env.render import Choice, Overlay, draw_svg
from zamek_env.ruleset import Ruleset
from zamek_env.single import ZamekEnv
from zamek_env.vector import ZamekVectorEnv

MANY = np.zeros(3)  # of which Python does not say whether it is true
ZAMEK = Game(seed=1)
CASTLE = CastleCards(2, seed=1)
EVALUATION = Evaluation([1, 2], np.zeros(2), "points")


def refuse(call, error, said):
    with pytest.raises(error, match=f"^{re.escape(said)}") as caught:
        call()
    assert type(caught.value) is error


# --- arrays, of which Python does not say whether they equal a word or a number ---


@pytest.mark.parametrize(
    "call, said",
    [
        (lambda: Game(MANY), "ruleset must be one of zamek, "),
        (lambda: raw_env(MANY), "ruleset must be one of carcassonne-demo, "),
        (lambda: ZAMEK.draw_svg(MANY), "theme must be one of auto, light, dark, not array("),
        (lambda: Evaluation([1], np.zeros(1), MANY), "unit must be one of points, probability, not array("),
        (lambda: EVALUATION.value_of(MANY), "action must be one of [1, 2], not array("),
        (lambda: EVALUATION.loss(MANY), "action must be one of [1, 2], not array("),
    ],
)
def test_an_array_is_refused_as_any_other_value_is(call, said):
    refuse(call, ValueError, said)


@pytest.mark.parametrize("action", [True, 1.0, np.True_, np.float64(1)])
def test_only_a_whole_number_has_a_value(action):
    assert EVALUATION.value_of(np.int64(1)) == 0
    refuse(lambda: EVALUATION.value_of(action), ValueError, f"action must be one of [1, 2], not {action!r}")


# --- observations ---


@pytest.mark.parametrize("flat", [None, 1, "false", np.True_, MANY])
def test_an_observation_is_flat_or_not(flat):
    observer, action = Observer(ZAMEK.ruleset), ZAMEK.legal_actions()[0]
    for look in (
        lambda: ZAMEK.observe(flat=flat),
        lambda: CASTLE.observe(flat=flat),
        lambda: observer.play(ZAMEK, action, flat),
    ):
        refuse(look, ValueError, f"flat must be one of True, False, not {flat!r}")
    assert Game(seed=1) == ZAMEK


GAMES = SimpleNamespace(raw_states=ZAMEK.raw_states, ruleset=ZAMEK.ruleset)  # as an environment of several has them


@pytest.mark.parametrize("game", [None, ZAMEK.ruleset, CASTLE.position(), GAMES])
def test_only_a_game_can_be_observed(game):
    observer = Observer(ZAMEK.ruleset)
    for look in (observer.look, observer.look_flat, lambda game: observer.play(game, 0, False)):
        refuse(lambda look=look: look(game), TypeError, "game must be a Game, not ")


@pytest.mark.parametrize("players", [2.0, [2], {2}, np.array([2]), True])
def test_a_layout_is_of_a_number_of_players(players):
    assert find_layout(np.int64(2)) is find_layout(2)
    refuse(lambda: find_layout(players), ValueError, f"players must be one of 2, 3, 4, 5, not {players!r}")


# --- games made of rows of numbers and of states ---


@pytest.mark.parametrize("row", [np.array(3), np.zeros((1, 2), int), {3, 4}, {3: 4}, b"abc", bytearray(b"3"), "34", 3])
def test_what_is_no_row_of_numbers_is_refused(row):
    deck = range(ZAMEK.ruleset.sizes.tiles)
    for name, call in (
        ("deck", lambda: Game.from_deal(ZAMEK.ruleset, row, [])),
        ("token_deal", lambda: Game.from_deal(ZAMEK.ruleset, deck, row)),
        ("history", lambda: Game.from_state(ZAMEK.ruleset, ZAMEK.state, 0, row)),
    ):
        refuse(call, TypeError, f"{name} must be a row of whole numbers, not {row!r}")


@pytest.mark.parametrize("history", [[-1], [0, ZAMEK.num_actions], [10**30]])
def test_a_history_holds_actions(history):
    most = ZAMEK.num_actions - 1
    said = f"history must hold actions from 0 to {most}, not {history}"
    refuse(lambda: Game.from_state(ZAMEK.ruleset, ZAMEK.state, 0, history), ValueError, said)
    assert Game.from_state(ZAMEK.ruleset, ZAMEK.state, 0, [0, most]).history == (0, most)


@pytest.mark.parametrize("start", [None, np.zeros(1), ZAMEK.state, CASTLE.dealt_state.repeat(2)])
def test_castle_begins_with_a_state_of_its_own(start):
    refuse(lambda: CastleCards.from_history(start, ()), ValueError, "start must be shape (1,) of the states of Castle")


def test_castle_begins_with_a_state_that_numpy_saved(tmp_path):
    np.save(tmp_path / "start.npy", CASTLE.dealt_state)
    game = CastleCards.from_history(np.load(tmp_path / "start.npy"), CASTLE.history)
    assert game == CASTLE and game.phase == CASTLE.phase


# --- rulesets and numbers of actions ---


@pytest.mark.parametrize("ruleset", [ZAMEK.ruleset, Game("carcassonne-demo", 1).ruleset])
def test_a_layout_of_actions_knows_its_numbers(ruleset):
    layout = ruleset.actions
    codes, segments = layout.cell_codes, layout.segments
    beyond = [
        (lambda: layout.phase_of(-1), f"action must lie in 0 to {layout.num_actions - 1}, not -1"),
        (lambda: layout.phase_of(10**9), f"action must lie in 0 to {layout.num_actions - 1}, not 1000000000"),
        (lambda: layout.place(codes, 0), f"cell_code must lie in 0 to {codes - 1}, not {codes}"),
        (lambda: layout.place(0, 4), "rotation must lie in 0 to 3, not 4"),
        (lambda: layout.send(segments), f"segment must lie in 0 to {segments - 1}, not {segments}"),
        (lambda: layout.send(-1), f"segment must lie in 0 to {segments - 1}, not -1"),
        (lambda: layout.send(0, 1), "kind must lie in 0 to 0, not 1"),
        (lambda: layout.parse_place(layout.send_base), "action must lie in 0 to "),
        (lambda: layout.parse_send(0), f"action must lie in {layout.send_base} to {layout.score_base - 1}, not 0"),
        (lambda: layout.parse_score(0), "action must "),
        (lambda: layout.parse_extra_turn(0), "action must "),
        (lambda: layout.score(layout.slots, False), "slot must "),
    ]
    for call, said in beyond:
        refuse(call, ValueError, said)
    for call in (layout.phase_of, layout.parse_place, layout.parse_send, layout.send, lambda n: layout.place(n, 0)):
        for value in ("1", 1.0, True, np.True_):
            with pytest.raises(TypeError, match=r"must be a whole number, not"):
                call(value)


def test_without_a_track_nobody_is_asked_for_an_extra_turn():
    layout = Game("carcassonne-demo", 1).ruleset.actions
    refuse(lambda: layout.extra_turn(True), ValueError, "there are no extra turns without a track")
    refuse(lambda: layout.score(0, False), ValueError, "slot must not be given: this ruleset has none, not 0")


def test_small_integers_of_numpy_make_no_other_actions():
    layout = ZAMEK.ruleset.actions
    for kind in (np.uint8, np.int8):
        made = layout.place(kind(70), kind(3)), layout.send(kind(2)), layout.score(kind(1), np.True_)
        assert made == (283, layout.send_base + 3, layout.score_base + 3) and {type(number) for number in made} == {int}
    assert layout.parse_place(np.uint8(200)) == (50, 0)


@pytest.mark.parametrize("number", [-1, 10**9, True, np.True_, 1.0, None, [1]])
def test_a_ruleset_has_tiles_and_nodes_of_some_numbers(number):
    ruleset = ZAMEK.ruleset
    error = ValueError if type(number) is int else TypeError
    refuse(lambda: ruleset.tile(number), error, "number must ")
    refuse(lambda: ruleset.segment_of_node(number), error, "node must ")


@pytest.mark.parametrize("count", [-1, True, 1.0, None, [1], ""])
def test_a_ruleset_makes_room_for_a_number_of_games(count):
    ruleset, error = ZAMEK.ruleset, ValueError if count == -1 else TypeError
    for call in (ruleset.new_states, ruleset.new_canvases, ruleset.new_frames):
        refuse(lambda call=call: call(count), error, "count must be ")
        assert call(np.uint8(3)).shape == (3,) and call(0).shape == (0,)


def test_a_ruleset_is_made_of_components():
    refuse(lambda: Ruleset("zamek"), TypeError, "components must come from load_components, not 'zamek'")


# --- pictures ---


def test_only_a_legal_action_has_a_location():
    legal, illegal = ZAMEK.legal_actions()[0], 0
    assert find_location(ZAMEK, np.int64(legal)) == find_location(ZAMEK, legal)
    for action in (illegal, -1, 10**9, ZAMEK.ruleset.actions.send(0), ZAMEK.ruleset.actions.score(0, False)):
        refuse(lambda action=action: find_location(ZAMEK, action), IllegalActionError, ZAMEK.why_illegal(action))
        refuse(lambda action=action: locate(ZAMEK, [legal, action]), IllegalActionError, ZAMEK.why_illegal(action))
    for action in (True, 1.0, "1", None):
        refuse(lambda action=action: find_location(ZAMEK, action), TypeError, "action must be a whole number, not ")


@pytest.mark.parametrize("place", [None, 3, "34", (3,), (3, 4, 5), (3.0, 4), (True, 4), (3, 4, "r1", 2), MANY])
def test_a_choice_and_the_last_move_are_somewhere(place):
    refuse(lambda: Choice(place, "x"), TypeError, "location must be (row, column) or (row, column, segment), not ")
    if place is not None:
        said = "last of an overlay must be (row, column) or None, not "
        components, position, overlay = ZAMEK.ruleset.components, ZAMEK.position(), Overlay(last=place)
        refuse(lambda: draw_svg(components, position, overlay=overlay), TypeError, said)


def test_a_choice_has_words_and_a_weight():
    assert Choice((np.int64(3), 4), "x", np.float32(0.5)).weight == 0.5
    for words in (None, 3, b"x"):
        refuse(lambda words=words: Choice((3, 4), words), TypeError, "label must be text, not ")
        refuse(lambda words=words: Choice((3, 4), "x", mark=words), TypeError, "mark must be text, not ")
    for weight in (True, "1", MANY, np.nan, -0.1, 2):
        said = "weight must lie in 0 to 1, or be None, not "
        refuse(lambda weight=weight: Choice((3, 4), "x", weight), ValueError, said)


@pytest.mark.parametrize("overlay", [Overlay(3), Overlay(None), Overlay({}), Overlay(revealed=3)])
def test_an_overlay_holds_rows_and_tables(overlay):
    components, position = ZAMEK.ruleset.components, ZAMEK.position()
    with pytest.raises(TypeError, match=r"^(choices|revealed) of an overlay must be "):
        draw_svg(components, position, overlay=overlay)


# --- environments ---


@pytest.mark.parametrize("make", [ZamekEnv, CastleCardsEnv, zamek_v0.raw_env, castle_cards_v0.raw_env])
def test_a_seed_is_a_whole_number_in_every_environment(make):
    env, other = make(), make()
    env.reset(seed=np.int64(3))
    other.reset(seed=3)
    assert env.game == other.game
    before = env.np_random.bit_generator.state
    for seed, error in ((-1, ValueError), (True, TypeError), (1.0, TypeError), ("1", TypeError)):
        refuse(lambda seed=seed: env.reset(seed=seed), error, "seed must be ")
        assert env.game == other.game and env.np_random.bit_generator.state == before


@pytest.mark.parametrize("make", [ZamekVectorEnv, CastleCardsVectorEnv])
def test_how_many_games_a_vector_environment_holds_cannot_be_set(make):
    games = make(2)
    refuse(lambda: setattr(games, "num_envs", 1), AttributeError, "num_envs cannot be set: make another environment")
    assert games.num_envs == 2
    for name in (None, 3, MANY):
        said = "the games lie in one array: only action_masks and render can be called, not "
        refuse(lambda name=name: games.call(name), AttributeError, f"{said}{name!r}")
        refuse(lambda name=name: games.set_attr(name, 1), AttributeError, f"{name!r} cannot be set")
    games.close()


def test_the_ruleset_of_a_vector_environment_cannot_be_set():
    games = ZamekVectorEnv(1)
    refuse(lambda: setattr(games, "ruleset", ZAMEK.ruleset), AttributeError, "ruleset cannot be set")
    games.close()


def test_a_game_ends_illegally_once_it_has_begun_and_with_a_finite_reward():
    env = zamek_v0.raw_env()
    with pytest.raises(ResetNeeded):
        env.end_illegally(-1)
    env.reset(seed=0)
    for reward in (np.nan, np.inf, "1", None, True, [1]):
        refuse(lambda reward=reward: env.end_illegally(reward), ValueError, "reward must be a finite number, not ")
        assert not any(env.terminations.values()) and set(env.rewards.values()) == {0}
    env.end_illegally(np.float32(-1))
    assert env.last()[1] == -1 and all(env.terminations.values())


@pytest.mark.parametrize("seed, error", [(-1, ValueError), (1.0, TypeError), (True, TypeError), ("1", TypeError)])
def test_a_seed_that_is_none_is_not_noted_for_the_next_reset(seed, error):
    make_vec_env = pytest.importorskip("zamek_env.sb3", exc_type=ImportError).make_vec_env
    games = make_vec_env("Zamek-v0", 2, env_kwargs={"opponent": "random"})
    refuse(lambda: games.seed(seed), error, "seed must be ")
    assert list(games.seed(np.int64(3))) == [3, 4]
    games.reset()
    games.close()


# --- agents, the arena and datasets ---


@pytest.mark.parametrize("marked", [RandomAgent(), RandomAgent().act, "RandomAgent", None])
def test_only_a_class_is_marked_as_fair(marked):
    refuse(lambda: proven_fair(marked), TypeError, "proven_fair must mark a class of agents, not ")


def test_sets_are_counted_in_whole_numbers():
    [lineup] = line_up([RandomAgent(), RandomAgent()], np.array(3), "carcassonne-demo")
    for number, error in ((-1, ValueError), (True, TypeError), ([], TypeError), (b"a", TypeError), (None, TypeError)):
        refuse(lambda number=number: lineup.find_deal(number), error, "number must be ")
        refuse(lambda number=number: lineup.play_set(number), error, "number must be ")
        refuse(lambda number=number: lineup.play(number), error, "sets must be ")
    assert lineup.find_deal(np.int64(2)) == lineup.find_deal(2)
    assert [played.number for played in lineup.play(np.int64(2))] == [0, 1] and list(lineup.play(0)) == []


def test_seeds_of_any_whole_type_are_seeds_wherever_games_are_played():
    agents = [RandomAgent(), RandomAgent()]
    [given], [due] = (list(play_games(agents, 1, "carcassonne-demo", seed)) for seed in (np.array(3), 3))
    assert given.record == due.record
    names = "random", "random"
    for make in (lambda seed: RoundRobin(names, seed=seed), lambda seed: Match(names, seed=seed)):
        assert make(np.array(3)) == make(3) and type(make(np.int64(3)).seed) is int
    assert type(Judge(ValueAgent(), np.int64(3)).seed) is int


def test_a_ruleset_that_is_no_name_is_refused_where_games_are_played():
    games = play_games([RandomAgent(), RandomAgent()], 1, ["zamek"])
    refuse(lambda: list(games), ValueError, "ruleset must be one of zamek, ")


def test_masks_of_more_actions_are_not_cut_off():
    masks = np.ones((2, 8), np.bool_)
    assert (unpack_masks(pack_masks(masks), 8) == masks).all()
    said = "packed must be of 5 actions: a bit after the last of them is set"
    refuse(lambda: unpack_masks(pack_masks(masks), 5), ValueError, said)
    assert unpack_masks(pack_masks(masks[:, :5]), 5).all() and unpack_masks(np.zeros((0, 1), np.uint8), 5).size == 0
