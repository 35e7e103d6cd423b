"""Spaces of castle-cards as Gymnasium wants them, for all its environments."""

import numpy as np
from gymnasium import spaces

from zamek_env.castle_cards.layout.actions import NUM_ACTIONS
from zamek_env.castle_cards.layout.observation import find_layout


def make_observation_space(players: int) -> spaces.Box:
    """Return the `Box` of observations, float32; `zamek_env.castle_cards.layout.observation` has names and scales."""
    return spaces.Box(0.0, find_layout(players).high.astype(np.float32), dtype=np.float32)


def make_action_space() -> spaces.Discrete:
    """Return the `Discrete` space of actions; its layout stands in `zamek_env.castle_cards.layout.actions`."""
    return spaces.Discrete(NUM_ACTIONS)
