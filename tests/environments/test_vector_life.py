"""`ZamekVectorEnv` copied, pickled, forked and closed: each twin goes on by itself as the original does."""

import copy
import gc
import os
import pickle
import signal
import subprocess
import sys
import threading

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ClosedEnvironmentError, ResetNeeded
from gymnasium.vector import AutoresetMode

from tests.support.forks import HAS_FORK, play_in_child, play_on
from tests.support.game_copies import check_copies
from tests.support.twins import TWINS, list_arrays, through_buffers, through_pickle
from zamek_agents import RandomAgent
from zamek_env.castle_cards.vector import CastleCardsVectorEnv
from zamek_env.vector import ZamekVectorEnv

SETTINGS = [
    {},
    {"threads": 3},
    {"threads": 2, "copy": False, "autoreset_mode": AutoresetMode.NEXT_STEP},
    {"copy": False, "opponent": "random", "reward": "delta"},
    {"threads": 2, "opponent": "greedy", "seat": 1},
    {"flat": True, "copy": True},
    {"opponent": RandomAgent().act, "threads": 2},
    {"ruleset": "carcassonne-demo", "threads": 2},
]
needs_fork = pytest.mark.skipif(not HAS_FORK, reason="this system has no fork")
twice = pytest.mark.parametrize("twin_of", TWINS.values(), ids=TWINS)


# --- copies ---


@twice
@pytest.mark.parametrize("settings", SETTINGS)
def test_a_twin_goes_on_as_the_original_does_and_by_itself(twin_of, settings):
    env = ZamekVectorEnv(5, **settings)
    env.reset(seed=4)
    play_on(env, 20)
    before = env.states.copy()
    twin = twin_of(env)
    digest = play_on(twin, 120)
    assert np.array_equal(env.states, before)
    assert play_on(env, 120) == digest
    assert np.array_equal(env.states, twin.states)
    assert np.array_equal(env.reset()[1]["deal"], twin.reset()[1]["deal"])
    env.close()
    assert play_on(twin, 5)
    twin.close()


@twice
def test_a_twin_of_an_environment_that_has_not_begun_begins_alike(twin_of):
    env = ZamekVectorEnv(3, threads=2)
    twin = twin_of(env)
    for one in (env, twin):
        one.reset(seed=7)
    assert play_on(env, 30) == play_on(twin, 30)


@twice
def test_a_twin_has_no_memory_of_the_original_and_is_as_safe(twin_of):
    env = ZamekVectorEnv(2, copy=False)
    env.reset(seed=1)
    twin = twin_of(env)
    assert not np.shares_memory(env.raw_states, twin.raw_states)
    assert twin.raw_states.dtype == env.raw_states.dtype and twin.raw_states.dtype.type is np.record
    seen, _, _, _, info = twin.step(twin.action_masks().argmax(axis=1))
    for array in (*seen.values(), info["action_mask"], info["_action_mask"], info["illegal_action"], info["deal"]):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


@twice
def test_a_twin_plays_by_the_very_ruleset_of_the_original(twin_of):
    env = ZamekVectorEnv(2)
    assert twin_of(env).ruleset is env.ruleset


def test_what_was_pickled_with_other_components_is_refused():
    env = ZamekVectorEnv(2)
    digest = env.ruleset.components.digest.encode()
    with pytest.raises(ValueError, match="pickled with other components of zamek"):
        pickle.loads(pickle.dumps(env).replace(digest, b"0" * len(digest)))


@twice
def test_an_environment_in_wrappers_has_twins_too(twin_of):
    env = gymnasium.wrappers.vector.RecordEpisodeStatistics(gymnasium.make_vec("Zamek-v0", num_envs=2, threads=2))
    twin = twin_of(env)
    for one in (env, twin):  # what the wrapper counts in is made here, and lies in read-only memory in some twins of it
        one.reset(seed=1)
    actions = env.unwrapped.action_masks().argmax(axis=1)
    assert np.array_equal(env.step(actions)[0]["planes"], twin.step(actions)[0]["planes"])


@pytest.mark.parametrize("make", [ZamekVectorEnv, CastleCardsVectorEnv])
@pytest.mark.parametrize("copies", [None, False])
def test_read_only_memory_makes_the_same_arrays_read_only_as_an_ordinary_pickle(make, copies):
    env = make(3, copy=copies)
    for _ in range(2):
        found = [list_arrays(twin_of(env)) for twin_of in (through_pickle, through_buffers)]
        flags = [{where: array.flags.writeable for where, array in arrays.items()} for arrays in found]
        assert flags[0] == flags[1] and not all(flags[0].values()) and len(flags[0]) > 15
        env.reset(seed=1)


# --- forks ---


@needs_fork
@pytest.mark.parametrize("threads", [1, 2, 3])
def test_a_forked_process_plays_on_and_so_does_its_parent(threads):
    env = ZamekVectorEnv(4, threads=threads)
    env.reset(seed=2)
    play_on(env, 10)
    digest = play_in_child(env, 60)
    assert digest and digest == play_on(copy.deepcopy(env), 60)
    assert play_in_child(env, 60) == digest == play_on(env, 60)
    env.close()


@needs_fork
def test_a_process_forked_before_the_first_step_plays_too():
    env = ZamekVectorEnv(4, threads=2)
    env.reset(seed=2)
    assert play_in_child(env, 30) == play_on(env, 30)


@needs_fork
def test_a_fork_of_a_fork_plays_too():
    env = ZamekVectorEnv(4, threads=2)
    env.reset(seed=2)
    play_on(env, 1)
    twin = copy.deepcopy(env)
    play_on(twin, 1)
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(60)
        try:
            play_on(env, 1)
            os.write(write, play_in_child(env, 20).encode())
        finally:
            os._exit(0)
    os.close(write)
    with os.fdopen(read) as pipe:
        digest = pipe.read()
    os.waitpid(child, 0)
    assert digest == play_on(twin, 20)


# --- the end ---


def test_a_closed_environment_refuses_every_call():
    env = ZamekVectorEnv(2, threads=2)
    env.reset(seed=1)
    actions = env.action_masks().argmax(axis=1)
    env.step(actions)
    env.close()
    env.close()
    calls = {
        "reset": env.reset,
        "step": lambda: env.step(actions),
        "step_chosen": lambda: env.step_chosen(actions, np.array([True, False])),
        "action_masks": env.action_masks,
        "render": env.render,
        "states": lambda: env.states,
        "raw_states": lambda: env.raw_states,
    }
    for name, call in calls.items():
        with pytest.raises(ClosedEnvironmentError, match="the environment is closed"):
            call()
            raise AssertionError(name)
    for twin_of in TWINS.values():
        with pytest.raises(ClosedEnvironmentError):
            twin_of(env).reset()


def test_an_environment_can_be_closed_before_it_has_begun():
    env = ZamekVectorEnv(2, threads=2)
    env.close()
    with pytest.raises(ClosedEnvironmentError):
        env.reset()


@pytest.mark.parametrize("end", ["closed", "forgotten"])
def test_threads_begin_with_the_first_game_and_end_with_the_environment(end):
    gc.collect()
    before = set(threading.enumerate())
    env = ZamekVectorEnv(4, threads=3)
    assert set(threading.enumerate()) <= before  # one of another test may have ended meanwhile
    env.reset(seed=1)
    play_on(env, 3)
    own = set(threading.enumerate()) - before
    assert 1 <= len(own) <= 2
    if end == "closed":
        env.close()
    else:
        del env
        gc.collect()
    for thread in own:
        thread.join(10)
        assert not thread.is_alive()


def test_threads_that_nobody_closed_let_the_program_end():
    writing = r'threads.run(os.write, [[1, b"1\n"], [1, b"2\n"]])'  # print would write a line in two parts
    program = f"import os; from zamek_env.environments.threads import Threads; threads = Threads(2); {writing}"
    done = subprocess.run([sys.executable, "-c", program], timeout=60, check=True, capture_output=True)
    assert sorted(done.stdout.split()) == [b"1", b"2"]


# --- reading the games ---


@pytest.mark.parametrize("given", [{}, {"opponent": "greedy"}, {"flat": True}])
def test_a_copy_of_a_game_stands_as_it_does_and_changes_nothing(given):
    check_copies(ZamekVectorEnv(3, **given))


def test_a_game_that_is_not_there_is_not_copied():
    envs = ZamekVectorEnv(3)
    with pytest.raises(ResetNeeded, match="no game has begun"):
        envs.copy_game(0)
    envs.reset(seed=1)
    for number, error in ((3, ValueError), (-1, ValueError), (1.0, TypeError)):
        with pytest.raises(error, match="number must"):
            envs.copy_game(number)


def test_states_are_to_be_read_and_follow_the_games():
    env = ZamekVectorEnv(2)
    env.reset(seed=1)
    states = env.states
    for spoil in (
        lambda: states["score"].fill(9),
        lambda: states[0]["score"].fill(9),
        lambda: states[0].score.__setitem__(0, 9),
        lambda: states.__setitem__(0, states[1]),
    ):
        with pytest.raises(ValueError, match="read-only"):
            spoil()
    before = states.copy()
    env.step(env.action_masks().argmax(axis=1))
    assert not np.array_equal(states, before)
    assert np.array_equal(states, env.raw_states) and np.shares_memory(states, env.raw_states)
    assert env.raw_states.flags.writeable and not env.states.flags.writeable
