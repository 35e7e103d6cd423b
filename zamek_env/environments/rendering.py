"""Render modes of environments, and what `render` returns."""

from typing import Any

import numpy as np
import numpy.typing as npt

from zamek_env.common.checks import check_choice

RENDER_MODES = ("ansi", "rgb_array", "human")  # of environments of one game


def list_render_modes(game: object) -> list[str]:
    """Return the render modes of an environment of games such as `game`: pixels only where the game draws them."""
    return [mode for mode in RENDER_MODES if mode != "rgb_array" or hasattr(game, "draw_rgb")]


def picture(game: Any, render_mode: str | None) -> str | npt.NDArray[np.uint8] | None:
    """Return what everybody sees of `game` as text (`"ansi"`) or pixels (`"rgb_array"`), None for any other mode."""
    if render_mode == "ansi":
        return str(game)
    return game.draw_rgb() if render_mode == "rgb_array" else None


def check_render_mode(env: Any, value: Any) -> Any:
    """Return the render mode of `env`. Raises `ValueError` where `env` does not have it."""
    return check_choice("render_mode", value, (None, *env.metadata["render_modes"]))
