"""Kernels called without asking for the types of their arguments."""

import pickle
from copy import deepcopy

import numpy as np
import pytest

from zamek_env import Game
from zamek_env.core import engine
from zamek_env.core.direct import Direct
from zamek_env.core.jit import kernel
from zamek_env.spaces import Observer


@kernel
def count_up(numbers, step):
    for place in range(numbers.size):
        numbers[place] += step
    return numbers.size


def test_the_first_call_and_all_others_do_what_the_kernel_does():
    direct, numbers = Direct(count_up), np.zeros(3, np.int64)
    assert [direct.call(numbers, step) for step in (1, 10, 100)] == [3, 3, 3]
    assert numbers.tolist() == [111, 111, 111]


def test_a_first_call_that_fails_is_followed_by_one_that_does_not():
    direct, numbers = Direct(count_up), np.zeros(3, np.int64)
    with pytest.raises(TypeError):
        direct.call(numbers)
    assert direct.call(numbers, 2) == 3
    assert numbers.tolist() == [2, 2, 2]


@pytest.mark.parametrize("copy", [deepcopy, lambda direct: pickle.loads(pickle.dumps(direct))], ids=["copy", "pickle"])
@pytest.mark.parametrize("is_used", [False, True])
def test_a_copy_calls_the_same_kernel(copy, is_used):
    game, direct = Game(seed=1), Direct(engine.read_status)
    if is_used:
        direct.call(game.raw_states, 0)
    assert copy(direct).call(game.raw_states, 0) == engine.read_status(game.raw_states, 0)


def test_each_ruleset_has_calls_of_its_own():
    games = [Game(ruleset, seed=3) for ruleset in ("zamek", "carcassonne", "zamek", "sokol")]
    for game in games * 2:
        game.step(game.legal_actions()[0])
        assert game.legal_actions() == Game.from_state(game.ruleset, game.raw_states).legal_actions()
    assert games[0] == games[2]


def test_an_observer_refuses_a_game_of_another_ruleset():
    observer, game = Observer(Game("zamek").ruleset), Game("sokol", seed=3)
    with pytest.raises(ValueError, match=r"game must be of the ruleset 'zamek' of this observer, not <Game sokol"):
        observer.look(game)
    before = game.state.tobytes()
    with pytest.raises(ValueError, match="game must be of the ruleset 'zamek'"):
        observer.play(game, game.legal_actions()[0], False)
    assert game.state.tobytes() == before
