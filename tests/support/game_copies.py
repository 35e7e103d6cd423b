"""Copies of the games of a vector environment, held against what the environment shows."""

import numpy as np
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector.utils import iterate


def check_copies(envs):
    """Play some steps in a vector environment, and check that copies stand as its games do, and change none of them."""
    observations, infos = envs.reset(seed=4)
    for _ in range(5):
        observations, _, _, _, infos = envs.step(infos["action_mask"].argmax(axis=1))
    before = envs.states.copy()
    for number, seen in enumerate(iterate(envs.observation_space, observations)):
        game = envs.copy_game(number)
        assert game.current_player == infos["current_player"][number]
        assert np.array_equal(game.legal_action_mask(), infos["action_mask"][number])
        assert data_equivalence(game.observe(flat=envs.flat), seen, exact=True)
        game.step(game.legal_actions()[0])
    assert np.array_equal(envs.states, before)
