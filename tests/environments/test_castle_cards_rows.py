"""Rows of Castle: what an observation says of each option is what the reference engine finds, and nothing hidden."""

import random
from collections import Counter
from copy import deepcopy

import gymnasium
import numpy as np
import pytest

from tests.support.castle_cards.expected_rows import Tried
from tests.support.castle_cards.lockstep import Lockstep
from tests.support.games import few, play_cards
from tests.support.rulesets import IS_PROOF
from tests.support.side_by_side import pick
from zamek_env import castle_cards_v1
from zamek_env.castle_cards import CastleCards
from zamek_env.castle_cards.components.box import NUM_CARDS, NUM_KINDS, NUM_KNIGHTS
from zamek_env.castle_cards.core.log import LOG
from zamek_env.castle_cards.core.rows import write_game_rows
from zamek_env.castle_cards.layout.observation import PARTS
from zamek_env.castle_cards.layout.rows import NUM_ROWS, find_row_layout
from zamek_env.castle_cards.notation.action_line import find_action
from zamek_env.castle_cards.single import CastleCardsEnv
from zamek_env.castle_cards.vector import CastleCardsVectorEnv
from zamek_env.castle_cards_v0 import raw_env

PLAYERS = (2, 3, 4, 5)
COMMON = ("action", "take", "place", "target")


def is_due(met, phase):
    """Note in `met`, a `Counter`, that a phase was met; return whether it is to be looked at, as it is the first time.

    After that every so manieth is: of those that are common fewer.
    """
    met[phase] += 1
    return (met[phase] - 1) % (few(3, 6) if phase in COMMON else few(1, 2)) == 0


def look(game, player=None):
    """Return {action: {name of a column: what it says, where that is not 0}} as `player` sees it."""
    seen = game.observe(player, observation=("rows",))
    names, count = find_row_layout(game.num_players).names, np.count_nonzero(seen["row_actions"] >= 0)
    assert not seen["rows"][count:].any()
    rows = [{names[column]: int(row[column]) for column in np.flatnonzero(row)} for row in seen["rows"][:count]]
    return dict(zip(seen["row_actions"][:count].tolist(), rows, strict=True))


@pytest.mark.parametrize("players", PLAYERS)
def test_rows_say_what_the_reference_engine_finds(players):
    met, looked = Counter(), 0
    for number in range(few(6, 1)):
        rng = random.Random(number)
        game = Lockstep(players, number)
        tried = Tried(game)
        while options := sorted(game.slow.options(), key=str):
            fast = CastleCards.from_history(game.fast.states, ())
            if is_due(met, fast.phase):
                looked += 1
                rows = look(fast)
                due = {find_action(game.fast.states[0], option): tried.expected(option) for option in options}
                due = {action: {name: said for name, said in says.items() if said} for action, says in due.items()}
                assert rows == due, (number, fast.phase, len(game.slow.played_options))
            plays = [option for option in options if option[0] == "play"] if rng.random() < 0.8 else []
            game.play(rng.choice(plays or options))
            tried.note()
    assert {*COMMON, "pile"} <= set(met) and looked > 15


@pytest.mark.rule("K10")
@pytest.mark.parametrize("players", PLAYERS)
def test_rows_say_nothing_of_what_is_hidden(players):
    rng, met = np.random.default_rng(players), Counter()
    for seed in range(few(4, 1)):
        for game in play_cards(players, 100 + seed):
            observer = game.current_player
            if not game.is_terminal and is_due(met, game.phase):
                shown = look(game)
                assert look(game.concealed(rng, observer)) == shown, game.phase
                later = game.copy()
                later.raw_states["generator"] ^= 1  # what chance draws next is hidden too
                assert look(later) == shown, game.phase
    assert {*COMMON, "pile", "player"} <= set(met)


@pytest.mark.parametrize("players", PLAYERS)
def test_there_is_a_row_for_every_legal_action_and_nobody_else_sees_one(players):
    for number, game in enumerate(play_cards(players, 8)):
        if number % few(1, 20) == 0 or game.is_terminal:
            before, legal = game.state.tobytes(), game.legal_actions()
            actions = game.observe(observation=("rows",))["row_actions"]
            assert actions[: len(legal)].tolist() == legal and (actions[len(legal) :] == -1).all()
            assert len(legal) <= NUM_ROWS
            for player in range(players):
                assert bool(look(game, player)) == (player == game.current_player)
            assert game.state.tobytes() == before


def test_most_actions_are_legal_where_an_action_is_due():
    """Elsewhere there is an option for each kind, or for each pile, and one to decline."""
    assert NUM_ROWS == 1 + 2 * NUM_KINDS >= max(NUM_KINDS, NUM_CARDS - NUM_KNIGHTS + 1)


def test_rows_of_a_flat_observation_say_the_same():
    """They are float32, where an unsigned number below 0 would be huge: as a byte it is right again."""
    log, actions = np.zeros(1, LOG), np.full(NUM_ROWS, -1, np.int16)
    for game in play_cards(3, 1):
        seen = game.observe(observation=PARTS)
        flat = np.zeros(seen["rows"].shape, np.float32)
        write_game_rows(game.state, log, 0, game.current_player, flat, actions)
        assert (flat == seen["rows"]).all() and (actions == seen["row_actions"]).all()


@pytest.mark.parametrize("players", PLAYERS)
def test_every_column_has_a_name_of_its_own(players):
    layout = find_row_layout(players)
    assert len(set(layout.names)) == len(layout.names) == len(layout)
    assert f"left.{players - 1}" in layout.names and f"left.{players}" not in layout.names


@pytest.mark.parametrize("flat", [False, pytest.param(True, marks=pytest.mark.compiles)])
@pytest.mark.parametrize("opponents", [None, "random"])
@pytest.mark.parametrize("observation", [PARTS, ("rows",), ("vector",)])
def test_many_games_show_the_rows_of_single_ones(observation, opponents, flat):
    many = CastleCardsVectorEnv(3, 3, opponents, autoreset_mode="SameStep", flat=flat, observation=observation)
    single = CastleCardsEnv(3, flat=flat, observation=observation)
    assert many.single_observation_space == single.observation_space
    assert deepcopy(many.ruleset) is single.ruleset is CastleCards(3).ruleset is raw_env(3).ruleset
    rng, ends = np.random.default_rng(1), 0
    seen, info = many.reset(seed=5)
    for _ in range(few(400, 20)):
        assert many.observation_space.contains(seen)
        for number in range(3):
            game = many.copy_game(number)
            due = game.observe(int(info["current_player"][number]), flat, observation)
            np.testing.assert_equal(pick(seen, number), due)
        seen, _, ended, _, info = many.step([rng.choice(np.flatnonzero(mask)) for mask in info["action_mask"]])
        for number in np.flatnonzero(ended):
            last, ends = info["final_obs"][number], ends + 1
            assert many.single_observation_space.contains(last)
            assert "rows" not in observation or flat or not last["rows"].any()
    assert ends or not IS_PROOF


def test_a_game_that_is_cut_off_shows_its_last_rows():
    many = CastleCardsVectorEnv(2, 2, "random", autoreset_mode="SameStep", max_episode_steps=3, observation=PARTS)
    _, info = many.reset(seed=1)
    for _ in range(3):
        games = [many.copy_game(number) for number in range(2)]
        _, _, _, truncated, info = many.step(info["action_mask"].argmax(axis=1))
    assert truncated.all() and games
    for last in info["final_obs"]:
        assert last["row_actions"][0] >= 0 and last["rows"].any()


def test_single_environments_show_what_the_game_shows():
    env = CastleCardsEnv(2, "random", seat=0, observation=PARTS)
    seen, info = env.reset(seed=3)
    for _ in range(few(60, 6)):
        assert env.observation_space.contains(seen)
        np.testing.assert_equal(seen, env.game.observe(0, observation=PARTS))
        row = seen["row_actions"]
        assert row[row >= 0].tolist() == np.flatnonzero(info["action_mask"]).tolist()
        seen, _, terminated, _, info = env.step(int(row[0]))
        if terminated:
            break


def test_the_environments_of_version_1_have_rows_and_those_of_version_0_have_not():
    old, new = (gymnasium.make(f"CastleCards-{version}", disable_env_checker=True) for version in ("v0", "v1"))
    assert isinstance(old.observation_space, gymnasium.spaces.Box)
    assert set(new.observation_space.spaces) == {"vector", "rows", "row_actions"}
    assert set(castle_cards_v1.raw_env().observation_space("player_0")["observation"].spaces) == {
        "vector", "rows", "row_actions",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("given", "error", "problem"),
    [
        ("rows", TypeError, r"observation must be a sequence of names such as \('vector', 'rows'\), not 'rows'"),
        (3, TypeError, "observation must be a sequence of names"),
        ((), ValueError, "observation must name some of 'vector', 'rows', not empty"),
        (("vector", "planes"), ValueError, "observation must name some of 'vector', 'rows', not 'planes'"),
    ],
)
@pytest.mark.parametrize(
    "make",
    [
        CastleCardsEnv,
        CastleCardsVectorEnv,
        raw_env,
        lambda observation: CastleCards(2, 0).observe(0, False, observation),
        lambda observation: CastleCards(2, 0).encode(observation),
    ],
)
def test_other_parts_are_refused(make, given, error, problem):
    with pytest.raises(error, match=problem):
        make(observation=given)
