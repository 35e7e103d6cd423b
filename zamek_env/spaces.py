"""Gymnasium spaces and renderings, shared by all environments."""

from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from zamek_env.core.batch import BOARD_FIELDS
from zamek_env.core.tables import NONE
from zamek_env.layout.observation import FIRST_PARTS
from zamek_env.ruleset import Ruleset

RENDER_MODES = ("ansi", "rgb_array", "human")  # of environments of one game


def make_observation_space(ruleset: Ruleset, parts: tuple[str, ...] = FIRST_PARTS) -> spaces.Dict:
    """Return the `Dict` space of observations that hold the `parts`, some of `PARTS`.

    `ruleset.planes`, `ruleset.codes`, `ruleset.vector` and `ruleset.rows` hold names and scales. Planes and codes are
    bounded by what they can hold, not by 255, so that Stable-Baselines3 does not take them for an image.
    """
    boxes: dict[str, spaces.Space[Any]] = {}
    for name in ("codes", "planes"):
        if name in parts:
            layout, dtype = getattr(ruleset, name), ruleset.frame_dtype((name,))[BOARD_FIELDS[name]].base
            shape = (*ruleset.components.board.shape, len(layout))
            high = np.broadcast_to(layout.high, shape).astype(dtype)
            boxes[name] = spaces.Box(np.zeros(shape, dtype), high, dtype=dtype.type)
    if "rows" in parts:
        limits = np.broadcast_to(ruleset.rows.high, (ruleset.num_rows, len(ruleset.rows))).astype(np.int8)
        boxes["row_actions"] = spaces.Box(NONE, ruleset.num_actions - 1, (ruleset.num_rows,), np.int16)
        boxes["rows"] = spaces.Box(-limits, limits, dtype=np.int8)
    if "vector" in parts:
        boxes["vector"] = spaces.Box(0.0, ruleset.vector.high.astype(np.float32), dtype=np.float32)
    return spaces.Dict(boxes)


def make_action_space(ruleset: Ruleset) -> spaces.Discrete:
    """Return the `Discrete` space of actions; `zamek_env.layout.actions` describes its layout."""
    return spaces.Discrete(ruleset.num_actions)


def list_render_modes(game: object) -> list[str]:
    """Return the render modes of an environment of games such as `game`: pixels only where the game draws them."""
    return [mode for mode in RENDER_MODES if mode != "rgb_array" or hasattr(game, "draw_rgb")]


def picture(game: Any, render_mode: str | None) -> str | npt.NDArray[np.uint8] | None:
    """Return what everybody sees of `game` as text (`"ansi"`) or pixels (`"rgb_array"`), None for any other mode."""
    if render_mode == "ansi":
        return str(game)
    return game.draw_rgb() if render_mode == "rgb_array" else None
