"""What a dataset holds of each decision. The one place that says so.

DATASET DESCRIPTION
    A row is a decision of a game, in the order in which they were taken. `n` rows have these arrays:

    game       int32    (n,)             number of the game: its line in `games.jsonl`, counted from 0
    decision   int32    (n,)             number of the decision in the game, counted from 0
    player     uint8    (n,)             who decides
    planes     uint8    (n, r, c, p)     what that player sees on the board; games of tiles only
    vector     float32  (n, e)           what that player sees beside it; of castle-cards everything
    mask       uint8    (n, bytes)       which actions are legal, as bits (`packing.py`)
    action     int32    (n,)             the action that was played
    notation   text     (n,)             the same, as people write it
    scores     int32    (n, players)     points of all players before it
    reward     float32  (n,)             what a learner in that seat is rewarded with, up to the next decision there
    outcome    float32  (n,)             the result of the game for that player, from -1 to +1
    lead       int32    (n,)             points by which that player was ahead of the best other at the end
    values     float32  (legal,)         what an agent thinks of each legal action, row after row; NaN: not looked at

    `values` is there only where an agent was asked for them.
"""

import math
from collections.abc import Mapping
from typing import Any, NamedTuple, Self

import numpy as np

from zamek_agents.array_file import read_number
from zamek_agents.base import name_ruleset
from zamek_agents.trained_for import TrainedFor, make_ruleset_entries, read_ruleset
from zamek_env import Game
from zamek_env.game_protocol import GameProtocol
from zamek_env.messages import show

MAX_COUNT = 2**31 - 1  # of games and decisions: int32
MAX_PLAYERS, MAX_ACTIONS, MAX_VECTOR = 16, 10**6, 10**6
MAX_PLANES = 10**8  # numbers in the planes of one decision
MAX_NOTATION = 200  # characters
MAX_POINTS = 2**31 - 1


class Column(NamedTuple):
    """What each entry of an array is: its dtype, its shape, and what it may be."""

    dtype: str
    shape: tuple[int, ...]
    least: float
    most: float


class Layout(NamedTuple):
    """How large the arrays of a dataset are: they follow from its ruleset and the number of players."""

    trained_for: TrainedFor  # the ruleset
    players: int
    num_actions: int
    planes: tuple[int, ...] | None  # rows, columns, planes; None where there is no board to see
    vector: int  # entries

    @classmethod
    def of(cls, game: GameProtocol) -> Self:
        """Return the `Layout` of games like this one."""
        if isinstance(game, Game):
            ruleset = game.ruleset
            planes = (*ruleset.components.board.shape, len(ruleset.planes))
            trained_for = read_ruleset(make_ruleset_entries(ruleset))
            return cls(trained_for, game.num_players, game.num_actions, planes, len(ruleset.vector))
        cards: Any = game
        return cls(
            TrainedFor(name_ruleset(game), None), game.num_players, game.num_actions, None, cards.observe(0).size
        )

    @classmethod
    def read(cls, about: Mapping[str, Any]) -> Self:
        """Return the `Layout` of such entries as `make_entries` makes. Raises `ValueError` where it cannot be right."""
        trained_for = read_ruleset(about)
        planes = about.get("planes")
        if planes is not None:
            is_shape = isinstance(planes, list) and len(planes) == 3 and all(type(n) is int and n > 0 for n in planes)
            if not is_shape or math.prod(planes) > MAX_PLANES:
                raise ValueError(f"planes must be null, or three lengths of an array, not {show(planes)}")
            planes = tuple(planes)
        return cls(
            trained_for,
            read_number(about, "players", 1, MAX_PLAYERS, whole=True),
            read_number(about, "num_actions", 1, MAX_ACTIONS, whole=True),
            planes,
            read_number(about, "vector", 1, MAX_VECTOR, whole=True),
        )

    def make_entries(self) -> dict[str, Any]:
        """Return what a file says of it."""
        entries: dict[str, Any] = {"ruleset": self.trained_for.ruleset}
        if self.trained_for.components is not None:
            entries["components"] = self.trained_for.components
        planes = None if self.planes is None else list(self.planes)
        return entries | {
            "players": self.players,
            "num_actions": self.num_actions,
            "planes": planes,
            "vector": self.vector,
        }

    @property
    def columns(self) -> dict[str, Column]:
        """The arrays of numbers that every dataset of this layout has, by name."""
        planes = {} if self.planes is None else {"planes": Column("|u1", self.planes, 0, 255)}
        return {
            "game": Column("<i4", (), 0, MAX_COUNT),
            "decision": Column("<i4", (), 0, MAX_COUNT),
            "player": Column("|u1", (), 0, self.players - 1),
            **planes,
            "vector": Column("<f4", (self.vector,), -math.inf, math.inf),
            "mask": Column("|u1", (-(-self.num_actions // 8),), 0, 255),
            "action": Column("<i4", (), 0, self.num_actions - 1),
            "scores": Column("<i4", (self.players,), -MAX_POINTS, MAX_POINTS),
            "reward": Column("<f4", (), -math.inf, math.inf),
            "outcome": Column("<f4", (), -1, 1),
            "lead": Column("<i4", (), -MAX_POINTS, MAX_POINTS),
        }

    @property
    def row_bytes(self) -> int:
        """How many bytes a row takes in memory, without notation and values."""
        return sum(np.dtype(column.dtype).itemsize * math.prod(column.shape) for column in self.columns.values())
