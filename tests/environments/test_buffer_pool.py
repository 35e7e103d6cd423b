"""Observations that are handed out for good, in memory that is used again once nobody holds it."""

import copy
import pickle
import warnings

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from tests.support.games import IS_COMPILED, few
from zamek_env.castle_cards.vector import CastleCardsVectorEnv
from zamek_env.environments.obs_buffers import COUNTS_REFERENCES, KEPT, BufferPool
from zamek_env.vector import ZamekVectorEnv

SHAPE = (256, 512)
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


def make():
    rows = np.zeros(SHAPE, np.float32)
    return np.zeros(3, np.int64), rows, rows


def address(array):
    return array.__array_interface__["data"][0]


def show(arrays):
    return arrays[1].view()


def make_pool():
    return BufferPool(make, show)


def take(pool):
    """Return what is shown of a set, as it is handed out."""
    return pool.take().views.view()


@held_in_each_way
def test_memory_that_somebody_holds_is_left_alone(hold):
    pool = make_pool()
    array = take(pool)
    first, held = address(array), hold(array)
    del array
    assert first not in {address(take(pool)) for _ in range(3 * KEPT)}
    del held


@counts_references
@held_in_each_way
def test_memory_that_nobody_holds_any_more_is_used_again(hold):
    pool = make_pool()
    array = take(pool)
    first, held = address(array), hold(array)
    del array, held
    assert address(take(pool)) == first


@counts_references
def test_what_a_holder_did_to_the_array_changes_no_later_one():
    pool = make_pool()
    array = take(pool)
    first = address(array)
    array.flags.writeable = False
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # from numpy 2.5 on
        array.dtype = np.int32
    del array
    again = take(pool)
    assert (address(again), again.shape, again.dtype) == (first, SHAPE, np.float32)
    assert again.flags.writeable and again.flags.c_contiguous


@counts_references
def test_of_free_sets_the_last_one_is_taken():
    pool = make_pool()
    first = pool.take()
    held = first.arrays[0].view()
    last = pool.take(first)
    assert last is not first
    del held
    assert pool.take(last) is last and pool.take(first) is first


def test_a_new_set_holds_what_the_last_one_did():
    pool = make_pool()
    last = pool.take()
    held = [array.view() for array in last.arrays]
    last.arrays[0][:], last.arrays[1][:] = 5, 7
    new = pool.take(last)
    numbers, rows, same_rows = new.arrays
    assert new is not last and rows is same_rows
    assert (numbers == 5).all() and (new.views == 7).all()
    assert not any(np.shares_memory(array, other) for array in held for other in new.arrays)


def test_little_memory_is_kept_however_many_are_held():
    pool = make_pool()
    held = [take(pool) for _ in range(5 * KEPT)]
    assert len({address(array) for array in held}) == len(held)
    assert len(pool._kept) == KEPT


@pytest.mark.parametrize("twin_of", [copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_a_twin_has_memory_of_its_own(twin_of):
    pool = make_pool()
    first = address(take(pool))
    twin = twin_of(pool)
    assert address(take(twin)) != first and take(twin).shape == SHAPE


@pytest.mark.parametrize("twin_of", [copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_what_is_shown_of_the_twin_of_a_set_lies_in_its_own_arrays(twin_of):
    kept = make_pool().take()
    twin = twin_of(kept)
    twin.arrays[1][:] = 5
    assert (twin.views == 5).all() and (kept.views == 0).all()


# --- environments ---


def list_arrays(observations, info):
    return [*(observations.values() if isinstance(observations, dict) else [observations]), info["action_mask"]]


def play(env, steps, mode):
    """Reset `env` and yield the arrays of each call; some steps leave out a game, some resets deal one anew."""
    observations, info = env.reset(seed=3)
    rng = np.random.default_rng(1)
    for number in range(steps):
        mask, handed = info["action_mask"].copy(), list_arrays(observations, info)
        del observations, info  # so that only who goes through this holds them
        yield handed
        actions = (rng.random(mask.shape) * mask).argmax(axis=1)
        chosen = np.arange(env.num_envs) != number % 5
        observations, _, terminated, truncated, info = env.step_chosen(actions, chosen)
        ended = terminated | truncated
        if mode == AutoresetMode.DISABLED and ended.any():
            yield list_arrays(observations, info)
            observations, info = env.reset(options={"reset_mask": ended})
    yield list_arrays(observations, info)


def spoil(handed):
    for array in handed:
        array[...] = 77


def keep_nothing(handed):
    pass


HELD = []  # what is handed out lives on here
every_way_to_step = pytest.mark.parametrize("flat", [False, True])


@every_way_to_step
@pytest.mark.parametrize("mode", AutoresetMode)
@pytest.mark.parametrize(
    ("make", "copied", "treat"),
    [
        pytest.param(ZamekVectorEnv, True, spoil, id="zamek, copies are spoilt"),
        pytest.param(ZamekVectorEnv, None, keep_nothing, id="zamek, the last is held"),
        pytest.param(ZamekVectorEnv, None, HELD.append, id="zamek, all is held"),
        pytest.param(ZamekVectorEnv, None, lambda handed: handed.clear(), id="zamek, nothing is held"),
        pytest.param(CastleCardsVectorEnv, True, spoil, id="castle-cards, copies are spoilt"),
        pytest.param(CastleCardsVectorEnv, None, spoil, id="castle-cards, what is handed out is spoilt"),
    ],
)
def test_what_is_seen_does_not_depend_on_what_becomes_of_what_was_handed_out(make, copied, treat, mode, flat):
    steps = few(60, 8)
    settings = {"autoreset_mode": mode, "flat": flat, "max_episode_steps": steps // 3}
    views, other = (make(4, copy=copy_or_not, **settings) for copy_or_not in (False, copied))
    for seen, handed in zip(play(views, steps, mode), play(other, steps, mode), strict=True):
        assert len(seen) == len(handed)
        for ours, theirs in zip(seen, handed, strict=True):
            assert np.array_equal(ours, theirs)
        del theirs
        treat(handed)
    HELD.clear()


@pytest.mark.parametrize("copied", [None, True])
@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_whoever_keeps_all_observations_keeps_them_as_they_were(make, copied):
    env = make(3, copy=copied)
    kept = [(arrays, [array.copy() for array in arrays]) for arrays in play(env, 12, AutoresetMode.NEXT_STEP)]
    for arrays, before in kept:
        assert all(np.array_equal(array, other) for array, other in zip(arrays, before, strict=True))
        assert all(array.flags.writeable == env._writes_all or copied for array in arrays)
        assert all(array.flags.c_contiguous for array in arrays)


@pytest.mark.parametrize("flat", [False, True])
def test_by_default_nobody_can_spoil_what_a_later_step_builds_on(flat):
    env = ZamekVectorEnv(2, flat=flat)
    for array in list_arrays(*env.reset(seed=1)):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


@counts_references
@pytest.mark.skipif(not IS_COMPILED, reason="boards as plain Python remember what was asked of them")
@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_the_usual_loop_goes_on_in_the_same_memory(make):
    env = make(32)
    _, info = env.reset(seed=1)
    actions, addresses = info["action_mask"].argmax(axis=1), set()
    for _ in range(12):
        observations, _, _, _, info = env.step(actions)
        addresses.add(address(list_arrays(observations, info)[0]))
    assert len(addresses) <= 3
