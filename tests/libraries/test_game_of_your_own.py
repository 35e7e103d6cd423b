"""Checks of a game of your own: nothing hidden is given away, and the checkers of other libraries find no fault.

To test yours, copy this file, and import your class as `MyGame` in place of the one of the example.
"""

import json
from functools import partial

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env, data_equivalence
from pettingzoo.test import api_test, seed_test

from tests.support.examples import load
from zamek_env.environments.game_aec import GameAEC
from zamek_env.environments.game_env import GameEnv
from zamek_env.environments.guarded_aec import GuardedAEC
from zamek_env.game_protocol import PlayableGame

pyspiel = pytest.importorskip("pyspiel")
sb3_checker = pytest.importorskip("stable_baselines3.common.env_checker")
openspiel = pytest.importorskip("zamek_env.openspiel")

MyGame = load("add_a_game").TokenTicTacToe
SEEDS = range(10)
is_same = partial(data_equivalence, exact=True)  # of observations


def play(seed):
    """Yield a game at each of its decisions, played at random, and at its end."""
    game, rng = MyGame(seed=seed), np.random.default_rng(seed)
    while not game.is_terminal:
        yield game
        game.step(rng.choice(game.legal_actions()))
    yield game


@pytest.mark.parametrize("seed", SEEDS)
def test_positions_are_consistent(seed):
    for game in play(seed):
        assert isinstance(game, PlayableGame)
        legal = game.legal_actions()
        assert game.is_terminal == (game.current_player == -1) == (legal == [])
        assert np.flatnonzero(game.legal_action_mask()).tolist() == sorted(set(legal)) == legal
        assert len(game.returns()) == game.num_players and (game.is_terminal or not any(game.returns()))
        assert len({game.describe(action) for action in legal}) == len(legal), "two actions have the same words"
        for player in range(game.num_players):
            assert game.observation_space.contains(game.observe(player))


@pytest.mark.parametrize("observer", [None, *range(MyGame.num_players)])
def test_a_redealt_game_is_the_same_to_the_observer_and_another_to_others(observer):
    others = set()
    for seed in SEEDS:  # by another seed than the deal, which a redeal that draws in the same order would repeat
        for game in play(seed):
            before, twin = str(vars(game)), game.concealed(np.random.default_rng(seed + 100), observer)
            assert twin.is_terminal == game.is_terminal and twin.current_player == game.current_player
            assert str(vars(game)) == before, "the game itself has changed"
            if observer is not None:
                assert is_same(twin.observe(observer), game.observe(observer))
                assert observer != game.current_player or twin.legal_actions() == game.legal_actions()
            others |= {
                player
                for player in range(game.num_players)
                if player != observer and not is_same(twin.observe(player), game.observe(player))
            }
    assert others == set(range(MyGame.num_players)) - {observer}, "leave this line out where nothing is hidden"


@pytest.mark.parametrize("seed", SEEDS)
def test_what_happened_decides_what_is(seed):
    for game in play(seed):
        again = MyGame.replay(json.loads(json.dumps(game.record())))
        copied, played = game.copy(), MyGame(seed=seed)
        for action in game.history:
            played.step(action)
        for twin in (again, copied, played):
            assert twin.record() == game.record() and str(twin) == str(game)
            assert all(is_same(twin.observe(player), game.observe(player)) for player in range(game.num_players))


def test_gymnasium_and_stable_baselines3_find_no_fault():
    check_env(GameEnv(MyGame), skip_render_check=True)  # which asks for a registered name
    sb3_checker.check_env(GameEnv(MyGame, "random"), warn=True)


@pytest.mark.filterwarnings("ignore:Observation:UserWarning")  # holds a mask too
@pytest.mark.parametrize("masks", ["observation", "info"])
def test_pettingzoo_finds_no_fault(masks):
    def make():
        return GuardedAEC(GameAEC(MyGame, masks=masks))

    api_test(make(), num_cycles=100)
    seed_test(make, num_cycles=30)


def test_openspiel_finds_no_fault():
    openspiel.register_game("my_game", MyGame)
    pyspiel.random_sim_test(pyspiel.load_game("python_my_game(deals=20)"), num_sims=5, serialize=True, verbose=False)
