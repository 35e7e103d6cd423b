"""Kernels called without asking for the types of their arguments."""

import pickle
import weakref
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy

import numpy as np
import pytest

from zamek_env import Game
from zamek_env.core import engine
from zamek_env.core.bound_kernel import BoundArguments, BoundKernel, unbind, write_answers
from zamek_env.core.jit import kernel


@kernel
def count_up(numbers, step):
    for number in range(numbers.size):
        numbers[number] += step
    return numbers.size


@kernel
def add_up(bound, more):
    numbers, step, (table, nothing) = unbind(bound)
    if nothing is None:
        for row in range(table.shape[0]):
            for column in range(table.shape[1]):
                table[row, column] += numbers[row] * step + more
    return table.sum()


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


@kernel
def bind(answers, values):
    return write_answers(answers, values)


def bind_some():
    table = np.zeros((2, 4), np.int32)[:, ::2]
    return BoundArguments(BoundKernel(bind), np.array([1, 2]), 2, (table, None))


def test_what_is_bound_is_read_and_written_where_it_lies():
    add = BoundKernel(add_up)
    first, second = bind_some(), bind_some()
    first.values[0][1] = 4
    assert [add.call(first, 0), add.call(second, 1), add.call(first, 2)] == [20, 16, 48]
    assert first.values[2][0].tolist() == [[6, 6], [18, 18]]
    assert second.values[2][0].tolist() == [[3, 3], [5, 5]]


def test_what_is_bound_lives_as_long_as_it_is_bound_and_no_longer():
    numbers = np.ones(1000, np.int64)
    held = weakref.ref(numbers)
    bound = BoundArguments(BoundKernel(bind), numbers, 1, (np.zeros((1, 1), np.int32), None))
    del numbers
    assert BoundKernel(add_up).call(bound, 0) == 1 and held() is not None
    del bound
    assert held() is None


@pytest.mark.plays("sokol", "carcassonne")
def test_each_ruleset_has_calls_of_its_own():
    games = [Game(ruleset, seed=3) for ruleset in ("zamek", "carcassonne", "zamek", "sokol")]
    for game in games * 2:
        game.step(game.legal_actions()[0])
        assert game.legal_actions() == Game.from_state(game.ruleset, game.raw_states).legal_actions()
    assert games[0] == games[2]
