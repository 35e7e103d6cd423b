"""Spaces of castle-cards as Gymnasium wants them, for all its environments."""

from typing import Any

import numpy as np
from gymnasium import spaces

from zamek_env.castle_cards.layout.actions import NUM_ACTIONS
from zamek_env.castle_cards.layout.observation import find_layout
from zamek_env.castle_cards.layout.rows import NUM_ROWS, find_row_layout
from zamek_env.core.tables import NONE
from zamek_env.flat import make_flat_space


def make_observation_space(
    players: int, parts: tuple[str, ...] | None = None, flat: bool = False
) -> spaces.Box | spaces.Dict:
    """Return the space of observations that hold the `parts`, or of the vector alone; with `flat` one row of numbers.

    `zamek_env.castle_cards.layout.observation` and `rows` have names and scales.
    """
    vector = spaces.Box(0.0, find_layout(players).high.astype(np.float32), dtype=np.float32)
    if parts is None:
        return vector
    boxes: dict[str, spaces.Space[Any]] = {}
    if "rows" in parts:
        columns = find_row_layout(players)
        high = np.broadcast_to(columns.high, (NUM_ROWS, len(columns))).astype(np.int8)
        boxes["row_actions"] = spaces.Box(NONE, NUM_ACTIONS - 1, (NUM_ROWS,), np.int16)
        boxes["rows"] = spaces.Box(-high, high, dtype=np.int8)
    if "vector" in parts:
        boxes["vector"] = vector
    return make_flat_space(spaces.Dict(boxes)) if flat else spaces.Dict(boxes)


def make_action_space() -> spaces.Discrete:
    """Return the `Discrete` space of actions; its layout stands in `zamek_env.castle_cards.layout.actions`."""
    return spaces.Discrete(NUM_ACTIONS)
