"""The same deal and decisions give the same game: in another process, alone, or among many."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from tests.support.games import few, finish, play_greedily, play_randomly
from zamek_env import Game
from zamek_env.vector import ZamekVectorEnv

ROOT = Path(__file__).parents[1]
NUM_GAMES = few(24, 3)


def digest(seed):
    """Return a digest of all positions of the game of that seed, played at random."""
    played = hashlib.sha256()
    for game in play_randomly(Game(seed=seed), seed):
        played.update(game.state.tobytes())
    return played.hexdigest()


def run(program, **environment):
    """Run `program` in a process of its own and return what it printed."""
    command = [sys.executable, "-c", program]
    environment = os.environ | environment
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_game_is_the_same_in_another_process():
    program = "from tests.test_repeatable import digest; print(digest(11))"
    assert run(program, PYTHONHASHSEED="1").strip() == digest(11)  # this process has another hash seed


def test_a_game_is_the_same_after_other_games():
    first = digest(13)
    finish(Game(seed=14))
    assert digest(13) == first


# --- among many ---


def play_batch(seeds, actions):
    """Play the games of `seeds` side by side, in one array, by the lists of `actions`; return the array."""
    env = ZamekVectorEnv(len(seeds), autoreset_mode=AutoresetMode.DISABLED)
    env.reset(options={"deal": seeds})
    for decision in range(max(map(len, actions))):
        chosen = np.array([decision < len(played) for played in actions])
        now = np.array([played[decision] if decision < len(played) else 0 for played in actions])
        env.step_chosen(now, chosen)
    return env.states


@pytest.fixture(scope="module")
def games():
    """Finished games, the later half by the greedy player; each with its seed."""
    finished = []
    for seed in range(NUM_GAMES):
        play = play_randomly if seed < NUM_GAMES // 2 or NUM_GAMES < 10 else play_greedily
        *_, game = play(Game(seed=seed), seed)
        finished.append(game)
    return finished


@pytest.mark.parametrize("size", [1, 2, 7, NUM_GAMES])
def test_a_game_is_the_same_among_any_number_of_others(games, size):
    for start in range(0, NUM_GAMES, size):
        group = games[start : start + size]
        states = play_batch([game.seed for game in group], [game.history for game in group])
        assert [state.tobytes() for state in states] == [game.state[0].tobytes() for game in group]


def test_a_game_is_the_same_at_any_place_of_a_batch(games):
    order = np.random.default_rng(0).permutation(NUM_GAMES)
    group = [games[number] for number in order]
    states = play_batch([game.seed for game in group], [game.history for game in group])
    assert [state.tobytes() for state in states] == [game.state[0].tobytes() for game in group]


def test_games_that_are_not_chosen_stay_as_they_are():
    env, game = ZamekVectorEnv(3), Game(seed=1)
    seen, info = env.reset(options={"deal": [0, 1, 2]})
    before = env.states.copy()
    game.step(game.legal_actions()[0])
    now_seen, *_, now_info = env.step_chosen(np.full(3, game.history[0]), np.array([False, True, False]))
    assert [env.states[number].tobytes() == before[number].tobytes() for number in range(3)] == [True, False, True]
    assert env.states[1].tobytes() == game.state[0].tobytes()
    for number in (0, 2):
        assert np.array_equal(now_seen["planes"][number], seen["planes"][number])
        assert np.array_equal(now_info["action_mask"][number], info["action_mask"][number])


def test_identical_games_in_one_batch_stay_identical(games):
    states = play_batch([games[0].seed] * 5, [games[0].history] * 5)
    assert {state.tobytes() for state in states} == {games[0].state[0].tobytes()}
