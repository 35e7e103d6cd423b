"""Observations that are handed out for good, in memory that is used again once nobody holds it."""

import copy
import pickle

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from tests.support.games import few
from zamek_env.castle_cards_env.vector import CastleCardsVectorEnv
from zamek_env.reused_arrays import COUNTS_REFERENCES, KEPT, ReusedArrays
from zamek_env.vector import ZamekVectorEnv

SHAPE = (256, 512)  # not small
MAKERS = {"zamek": ZamekVectorEnv, "castle-cards": CastleCardsVectorEnv}
HOLDERS = {
    "itself": lambda array: array,
    "a slice": lambda array: array[1:, ::2],
    "another view": lambda array: array.T.view(np.int32),
    "a memoryview": memoryview,
    "an array of a buffer": lambda array: np.frombuffer(array, np.uint8),
    "an iterator": lambda array: array.flat,
}
TENSOR = pytest.param(
    lambda array: pytest.importorskip("torch").from_numpy(array)[1:], id="a tensor", marks=pytest.mark.long
)
held_in_each_way = pytest.mark.parametrize(
    "hold", [*(pytest.param(hold, id=way) for way, hold in HOLDERS.items()), TENSOR]
)
counts_references = pytest.mark.skipif(not COUNTS_REFERENCES, reason="references of other threads count apart")


def address(array):
    return array.__array_interface__["data"][0]


@held_in_each_way
def test_memory_that_somebody_holds_is_left_alone(hold):
    arrays = ReusedArrays(SHAPE, np.float32)
    array = arrays.take()
    first, held = address(array), hold(array)
    del array
    assert first not in {address(arrays.take()) for _ in range(3 * KEPT)}
    del held


@counts_references
@held_in_each_way
def test_memory_that_nobody_holds_any_more_is_used_again(hold):
    arrays = ReusedArrays(SHAPE, np.float32)
    array = arrays.take()
    first, held = address(array), hold(array)
    del array, held
    assert address(arrays.take()) == first


@counts_references
def test_what_a_holder_did_to_the_array_changes_no_later_one():
    arrays = ReusedArrays(SHAPE, np.float32)
    array = arrays.take()
    first = address(array)
    array.flags.writeable = False
    array.dtype = np.int32
    del array
    again = arrays.take()
    assert (address(again), again.shape, again.dtype) == (first, SHAPE, np.float32)
    assert again.flags.writeable and again.flags.c_contiguous


def test_little_memory_is_kept_however_many_are_held():
    arrays = ReusedArrays(SHAPE, np.int8)
    held = [arrays.take() for _ in range(5 * KEPT)]
    assert len({address(array) for array in held}) == len(held)
    assert len(arrays._kept) == KEPT


@pytest.mark.parametrize("twin_of", [copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_a_twin_has_memory_of_its_own(twin_of):
    arrays = ReusedArrays(SHAPE, np.int8)
    first = address(arrays.take())
    twin = twin_of(arrays)
    assert address(twin.take()) != first and twin.take().shape == SHAPE


# --- environments ---


def list_arrays(observations, info):
    return [*(observations.values() if isinstance(observations, dict) else [observations]), info["action_mask"]]


def play(env, steps, mode):
    """Reset `env` and yield the arrays of each call; some steps leave out a game, some resets deal one anew."""
    observations, info = env.reset(seed=3)
    rng = np.random.default_rng(1)
    for number in range(steps):
        mask = info["action_mask"].copy()
        yield list_arrays(observations, info)
        actions = (rng.random(mask.shape) * mask).argmax(axis=1)
        chosen = np.arange(env.num_envs) != number % 5
        observations, _, terminated, truncated, info = env.step_chosen(actions, chosen)
        ended = terminated | truncated
        if mode == AutoresetMode.DISABLED and ended.any():
            yield list_arrays(observations, info)
            observations, info = env.reset(options={"reset_mask": ended})
    yield list_arrays(observations, info)


@pytest.mark.parametrize("flat", [False, True])
@pytest.mark.parametrize("mode", AutoresetMode)
@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_who_spoils_what_he_was_handed_spoils_nothing_else(make, mode, flat):
    steps = few(60, 8)
    settings = {"autoreset_mode": mode, "flat": flat, "max_episode_steps": steps // 3}
    views, copies = (make(4, copy=copied, **settings) for copied in (False, True))
    for seen, handed in zip(play(views, steps, mode), play(copies, steps, mode), strict=True):
        for ours, theirs in zip(seen, handed, strict=True):
            assert np.array_equal(ours, theirs)
            theirs[...] = 77


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_whoever_keeps_all_observations_keeps_them_as_they_were(make):
    kept = [(arrays, [array.copy() for array in arrays]) for arrays in play(make(3), 12, AutoresetMode.NEXT_STEP)]
    for arrays, before in kept:
        assert all(np.array_equal(array, other) for array, other in zip(arrays, before, strict=True))
        assert all(array.flags.writeable and array.flags.c_contiguous for array in arrays)


@counts_references
@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_the_usual_loop_goes_on_in_the_same_memory(make):
    env = make(32)
    _, info = env.reset(seed=1)
    actions, addresses = info["action_mask"].argmax(axis=1), set()
    for _ in range(12):
        observations, _, _, _, info = env.step(actions)
        addresses.add(address(list_arrays(observations, info)[0]))
    assert len(addresses) <= 3
