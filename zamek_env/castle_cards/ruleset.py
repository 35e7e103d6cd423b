"""The ruleset of castle-cards for a number of players: the layouts of observations and actions, and their spaces."""

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from gymnasium import spaces

from zamek_env.base.records import NONE
from zamek_env.castle_cards.layout.actions import NUM_ACTIONS
from zamek_env.castle_cards.layout.observation import find_layout
from zamek_env.castle_cards.layout.rows import NUM_ROWS, find_row_layout
from zamek_env.components.box_folder import CASTLE_CARDS
from zamek_env.environments.flat import make_flat_space
from zamek_env.layout.observation import Layout


class CastleCardsRuleset(NamedTuple):
    """The data that networks and readers of observations need, named as in `zamek_env.ruleset.Ruleset`."""

    name: str
    players: int
    vector: Layout  # entries of the vector
    rows: Layout  # columns of a row
    num_rows: int  # at most, in one observation
    num_actions: int

    def __reduce__(self) -> tuple[Any, ...]:  # copied or unpickled, it is the same one again
        return get_castle_cards_ruleset, (self.players,)


@cache
def get_castle_cards_ruleset(players: int = 2) -> CastleCardsRuleset:
    """Return the ruleset for this number of players, 2 to 5. Raises `ValueError` for other numbers."""
    vector, rows = find_layout(players), find_row_layout(players)
    return CastleCardsRuleset(CASTLE_CARDS, players, vector, rows, NUM_ROWS, NUM_ACTIONS)


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
