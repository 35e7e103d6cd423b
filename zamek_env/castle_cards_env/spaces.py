"""Spaces and pictures of castle-cards as Gymnasium wants them, for all its environments."""

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from zamek_env.castle_cards.game import CastleCards
from zamek_env.castle_cards.layout.actions import NUM_ACTIONS
from zamek_env.castle_cards.layout.observation import find_layout


def make_observation_space(players: int) -> spaces.Box:
    """Return the `Box` of observations, float32; `zamek_env.castle_cards.layout.observation` has names and scales."""
    return spaces.Box(0.0, find_layout(players).high.astype(np.float32), dtype=np.float32)


def make_action_space() -> spaces.Discrete:
    """Return the `Discrete` space of actions; its layout stands in `zamek_env.castle_cards.layout.actions`."""
    return spaces.Discrete(NUM_ACTIONS)


def picture(game: CastleCards, render_mode: str | None) -> str | npt.NDArray[np.uint8] | None:
    """Return what everybody sees of `game` as text (`"ansi"`) or pixels (`"rgb_array"`), None for any other mode."""
    if render_mode == "ansi":
        return str(game)
    return game.draw_rgb() if render_mode == "rgb_array" else None
