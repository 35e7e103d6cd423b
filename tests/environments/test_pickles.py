"""Pickles of games and environments: few bytes, nothing lost, read in other processes."""

import os
import pickle
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from tests.support.games import play_randomly
from tests.support.rulesets import IS_COMPILED
from tests.support.twins import PICKLED, check_agent_twins, through_pickle
from zamek_agents import make_agent
from zamek_agents.registry import AGENT_NAMES, does_search, is_built_in
from zamek_env import Game, carcassonne_v0, castle_cards_v0, load_components, zamek_v0
from zamek_env.castle_cards import CastleCards
from zamek_env.castle_cards.single import CastleCardsEnv
from zamek_env.components.box_folder import RULESETS
from zamek_env.single import ZamekEnv

GAME_BYTES = 3_000  # of a game of a packaged ruleset, at any time
OWN_BYTES = 8_000  # of a game on components of one's own, which travel with it
ENVIRONMENT_BYTES = 12_000  # some tens of times less than their spaces


def make_own(name="zamek"):
    """Return the components of a ruleset with the tiles in another order, which needs no other code."""
    components = load_components(ruleset=name)
    return replace(components, tiles=components.tiles[::-1])


def check_twin(game, twin):
    """Fail unless `twin` is `game` again, and by itself."""
    assert type(twin) is type(game) and twin == game and twin.seed == game.seed and twin.history == game.history
    assert twin.legal_actions() == game.legal_actions() and twin.record() == game.record()
    assert not np.shares_memory(twin.raw_states, game.raw_states) and twin.raw_states.flags.writeable


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("components", [None, make_own])
def test_a_game_is_small_and_whole(ruleset, components):
    limit = GAME_BYTES if components is None else OWN_BYTES
    game = Game(ruleset, 3, components and components(ruleset))
    for number, now in enumerate(play_randomly(game, 3)):
        if number % 40 == 0 or now.is_terminal:
            packed = pickle.dumps(now)
            twin = pickle.loads(packed)
            check_twin(now, twin)
            assert len(packed) < limit and twin.ruleset is now.ruleset
            assert np.array_equal(twin.last_events, now.last_events) and twin.last_events.dtype == np.int16
    assert game.ruleset.is_packaged is (components is None)


@pytest.mark.parametrize("players", [2, 5])
def test_a_game_of_cards_is_small_and_whole(players):
    for game in play_randomly(CastleCards(players, 4), 4):
        if len(game.history) % 25 == 0 or game.is_terminal:
            packed = pickle.dumps(game)
            check_twin(game, pickle.loads(packed))
            assert len(packed) < GAME_BYTES
    game.redeal(np.random.default_rng(4), None)
    twin = through_pickle(game)
    assert twin == game and twin.dealt_state is None and twin.history == ()


def test_a_game_that_was_set_up_keeps_where_it_began():
    line = Game(seed=2).format_position()
    game = through_pickle(Game.parse_position(line, seed=3))
    assert game == Game.parse_position(line, seed=3) and game.start == line and game.seed is None


def test_attributes_of_a_subclass_are_kept():
    game = Named(seed=5)
    game.name = "the fifth"
    twin = through_pickle(game)
    assert type(twin) is Named and twin == game and twin.name == "the fifth"


class Named(Game):
    """A game with a name."""


def test_games_pickled_together_tell_of_their_components_once():
    games = [Game("zamek", seed, make_own()) for seed in range(20)]
    assert len(pickle.dumps(games)) < OWN_BYTES + 20 * GAME_BYTES / 3
    assert through_pickle(games) == games


def test_a_game_of_another_layout_is_refused():
    """The states of another version may be of the same size and mean something else."""
    for game in (Game(seed=1), CastleCards(3, 1)):
        state = game.__getstate__()
        state["_states"] = bytes(8) + state["_states"][8:]
        with pytest.raises(ValueError, match="was pickled by another version of zamek_env"):
            type(game).__new__(type(game)).__setstate__(state)


READ = """
import pickle, sys
for value in pickle.load(open(sys.argv[1], "rb")):
    game = value.unwrapped.game if hasattr(value, "unwrapped") else value
    print(game.state.tobytes().hex(), game.legal_actions(), game.returns())
"""


@pytest.mark.compiles
def test_another_process_reads_them(tmp_path):
    """It has not seen the components of one's own."""
    values = [Game(seed=6), Game("carcassonne", 6, make_own("carcassonne")), CastleCards(4, 6), zamek_v0.env()]
    values[-1].reset(seed=6)
    for value in values[:-1]:
        value.step(value.legal_actions()[0])
    path = tmp_path / "games"
    path.write_bytes(pickle.dumps(values))
    asked = [sys.executable, "-c", READ, str(path)]
    found = subprocess.run(asked, capture_output=True, text=True, env=os.environ | {"NUMBA_DISABLE_JIT": "1"})
    games = [*values[:-1], values[-1].unwrapped.game]
    due = [f"{game.state.tobytes().hex()} {game.legal_actions()} {game.returns()}" for game in games]
    assert found.stdout.splitlines() == due, found.stderr


@pytest.mark.compiles
@pytest.mark.parametrize(
    "make",
    [
        zamek_v0.raw_env,
        zamek_v0.env,
        lambda: zamek_v0.env(flat=False),
        lambda: zamek_v0.raw_env(masks="info"),
        carcassonne_v0.env,
        lambda: carcassonne_v0.raw_env(components=make_own("carcassonne")),
        lambda: castle_cards_v0.env(players=5),
    ],
)
def test_an_aec_environment_is_small_and_whole(make):
    env = make()
    for agent in env.possible_agents:
        env.action_space(agent).seed(7)
        env.observation_space(agent).seed(8)
        env.observation_space(agent).sample()
    twin = through_pickle(env)  # before its first game
    env.reset(seed=9)
    twin.reset(seed=9)
    for _ in range(3):
        assert type(twin) is type(env) and twin.unwrapped.game == env.unwrapped.game and twin.agents == env.agents
        assert len(pickle.dumps(env)) < ENVIRONMENT_BYTES
        for agent in env.possible_agents:
            assert twin.observation_space(agent) == env.observation_space(agent)
            assert twin.action_space(agent).sample() == env.action_space(agent).sample()
            for each in (env, twin):
                assert each.observe(agent) in each.observation_space(agent)
            drawn, again = (each.observation_space(agent).sample() for each in (env, twin))
            assert pickle.dumps(drawn) == pickle.dumps(again)
        action = env.unwrapped.game.legal_actions()[0]
        for each in (env, twin):
            each.step(action)
        twin = through_pickle(env)
    twin.reset()
    env.reset()
    assert twin.unwrapped.game == env.unwrapped.game


@pytest.mark.parametrize("ruleset", ["zamek", "carcassonne"])
def test_an_environment_of_gymnasium_is_small_and_keeps_its_spaces(ruleset):
    for env in (ZamekEnv(ruleset, flat=True), ZamekEnv(ruleset, components=make_own(ruleset)), CastleCardsEnv(5)):
        env.observation_space.seed(3)
        env.reset(seed=3)
        packed = pickle.dumps(env)
        twin = pickle.loads(packed)
        assert len(packed) < ENVIRONMENT_BYTES and twin.game == env.game
        assert twin.observation_space == env.observation_space
        assert pickle.dumps(twin.observation_space.sample()) == pickle.dumps(env.observation_space.sample())
        assert twin.reset()[1]["deal"] == env.reset()[1]["deal"]


# --- agents ---

NAMES = [name for name in (form.partition("[")[0] for form in AGENT_NAMES) if is_built_in(name)]
PLAYERS = [(name, Game) for name in NAMES if name not in ("ismcts", "ppo")]  # `tests/libraries` has `ppo`
PLAYERS += [(name, CastleCards) for name in ("random", "greedy", "ismcts", "openspiel-mcts")]
DAILY = ("mcts", "ismcts")  # of the agents that search


@pytest.mark.parametrize(
    ("name", "make"),
    [pytest.param(*one, marks=[pytest.mark.long] * (does_search(one[0]) and one[0] not in DAILY)) for one in PLAYERS],
)
def test_an_agent_decides_as_before(name, make):
    if does_search(name) and not IS_COMPILED:
        pytest.skip("searches take long as plain Python")
    if name == "openspiel-mcts":
        pytest.importorskip("pyspiel")
    check_agent_twins(make_agent("mcts:simulations=60" if name == "mcts" else name), make)


@pytest.mark.parametrize("twin_of", PICKLED.values(), ids=PICKLED)
@pytest.mark.parametrize("opponent", ["greedy-v1", "value-v1", "greedy"])
def test_an_environment_plays_on_against_the_opponent_it_had(opponent, twin_of):
    env = ZamekEnv(opponent=opponent, flat=True)
    for twin in (twin_of(env), env):  # used, and never used
        assert twin.reset(seed=5)[1]["deal"] == env.reset(seed=5)[1]["deal"]
        twin = twin_of(twin)
        for _ in range(4):
            action = env.game.legal_actions()[0]
            assert twin.step(action)[0].tobytes() == env.step(action)[0].tobytes()
        assert twin.game == env.game
