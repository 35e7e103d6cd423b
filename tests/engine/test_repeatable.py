"""The same deal and decisions give the same game alone or among many."""

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from tests.support.games import few, play_greedily, play_randomly
from zamek_env import Game
from zamek_env.vector import ZamekVectorEnv

NUM_GAMES = few(24, 3)


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
