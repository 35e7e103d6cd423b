"""Kernels called without asking for the types of their arguments."""

import pickle
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy

import numpy as np
import pytest

from zamek_env import Game
from zamek_env.core import engine
from zamek_env.core.direct import Direct
from zamek_env.core.jit import kernel


@kernel
def count_up(numbers, step):
    for number in range(numbers.size):
        numbers[number] += step
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


def test_threads_that_make_the_first_call_together_all_get_their_answer():
    direct, rows = Direct(count_up), np.zeros((8, 1000), np.int64)
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda row: direct.call(row, 3), rows)) == [1000] * 8
    assert (rows == 3).all()


@pytest.mark.plays("sokol", "carcassonne")
def test_each_ruleset_has_calls_of_its_own():
    games = [Game(ruleset, seed=3) for ruleset in ("zamek", "carcassonne", "zamek", "sokol")]
    for game in games * 2:
        game.step(game.legal_actions()[0])
        assert game.legal_actions() == Game.from_state(game.ruleset, game.raw_states).legal_actions()
    assert games[0] == games[2]
