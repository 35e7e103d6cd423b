"""Kernels called without asking for the types of their arguments."""

import pickle
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy

import numpy as np
import pytest

from zamek_env import Game
from zamek_env.core import engine
from zamek_env.core.bound_kernel import BoundKernel
from zamek_env.core.jit import kernel


@kernel
def count_up(numbers, step):
    for number in range(numbers.size):
        numbers[number] += step
    return numbers.size


def test_the_first_call_and_all_others_do_what_the_kernel_does():
    bound, numbers = BoundKernel(count_up), np.zeros(3, np.int64)
    assert [bound.call(numbers, step) for step in (1, 10, 100)] == [3, 3, 3]
    assert numbers.tolist() == [111, 111, 111]


def test_a_first_call_that_fails_is_followed_by_one_that_does_not():
    bound, numbers = BoundKernel(count_up), np.zeros(3, np.int64)
    with pytest.raises(TypeError):
        bound.call(numbers)
    assert bound.call(numbers, 2) == 3
    assert numbers.tolist() == [2, 2, 2]


@pytest.mark.parametrize("copy", [deepcopy, lambda bound: pickle.loads(pickle.dumps(bound))], ids=["copy", "pickle"])
@pytest.mark.parametrize("is_used", [False, True])
def test_a_copy_calls_the_same_kernel(copy, is_used):
    game, bound = Game(seed=1), BoundKernel(engine.read_status)
    if is_used:
        bound.call(game.raw_states, 0)
    assert copy(bound).call(game.raw_states, 0) == engine.read_status(game.raw_states, 0)


def test_threads_that_make_the_first_call_together_all_get_their_answer():
    bound, rows = BoundKernel(count_up), np.zeros((8, 1000), np.int64)
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda row: bound.call(row, 3), rows)) == [1000] * 8
    assert (rows == 3).all()


@pytest.mark.plays("sokol", "carcassonne")
def test_each_ruleset_has_calls_of_its_own():
    games = [Game(ruleset, seed=3) for ruleset in ("zamek", "carcassonne", "zamek", "sokol")]
    for game in games * 2:
        game.step(game.legal_actions()[0])
        assert game.legal_actions() == Game.from_state(game.ruleset, game.raw_states).legal_actions()
    assert games[0] == games[2]
