"""What a reward is: one function for all environments, of Python and of kernels."""

import numpy as np
import pytest

from zamek_env import Game
from zamek_env.core.rewards import REWARDS, find_lead, find_lead_in_kernel, find_reward, find_reward_in_kernel

GOES_ON, OVER = False, True


@pytest.mark.parametrize("find", [find_reward, find_reward_in_kernel])
@pytest.mark.parametrize(
    ("reward", "lead", "last_lead", "is_over", "due"),
    [
        ("win", 7, 0, OVER, 1.0),
        ("win", -1, 5, OVER, -1.0),
        ("win", 0, 3, OVER, 0.0),  # a shared victory
        ("win", 7, 0, GOES_ON, 0.0),
        ("score", 25, 20, OVER, 0.25),
        ("score", -25, 20, OVER, -0.25),
        ("score", 25, 20, GOES_ON, 0.0),
        ("delta", 25, 20, OVER, 0.05),
        ("delta", 25, 20, GOES_ON, 0.05),
        ("delta", -3, 20, GOES_ON, -0.23),
    ],
)
def test_what_is_paid_for(find, reward, lead, last_lead, is_over, due):
    found = find(REWARDS.index(reward), lead, last_lead, is_over)
    assert found == due and type(found) is float and str(found) != "-0.0"


@pytest.mark.parametrize(
    ("scores", "due"), [((12,), [12]), ((3, 8), [-5, 5]), ((4, 9, 9), [-5, 0, 0]), ((-3, -8, 0), [-3, -8, 3])]
)
def test_a_lead_is_over_the_best_other_and_alone_all_there_is(scores, due):
    assert [find_lead(scores, player) for player in range(len(scores))] == due
    assert [find_lead_in_kernel(np.array(scores), player) for player in range(len(scores))] == due


def test_the_returns_of_a_game_are_its_win():
    game = Game("carcassonne-demo", seed=1)
    game.raw_states[0].score[:] = (3, 8)
    assert game.returns() == (0.0, 0.0)  # it goes on
    while not game.is_terminal:
        game.step(game.legal_actions()[0])
    for scores, due in (((3, 8), (-1.0, 1.0)), ((8, 3), (1.0, -1.0)), ((8, 8), (0.0, 0.0))):
        game.raw_states[0].score[:] = scores
        assert game.returns() == due
