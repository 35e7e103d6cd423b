"""The columns of a dataset, defined here only.

DATASET DESCRIPTION
    A row is a decision of a game, in the order in which they were taken. `n` rows have these arrays:

    game       int32    (n,)             number of the game: its line in `games.jsonl`, counted from 0
    decision   int32    (n,)             number of the decision in the game, counted from 0
    player     uint8    (n,)             who decides
    planes     uint8    (n, r, c, p)     what that player sees on the board
    codes      uint8    (n, r, c, k)     the same in a few numbers a cell; uint16 of many kinds of tiles
    vector     float32  (n, e)           what else that player sees; of castle-cards everything
    rows       int8     (n, a, k)        what each legal action changes, 0 beyond the last
    row_actions int16   (n, a)           the number of each such action, -1 beyond the last
    mask       uint8    (n, bytes)       which actions are legal, as bits (`pack_masks`)
    action     int32    (n,)             the action that was played
    notation   text     (n,)             the same, as people write it
    scores     int32    (n, players)     points of all players before it
    reward     float32  (n,)             what a learner in that seat is rewarded with, up to the next decision there
    outcome    float32  (n,)             the result of the game for that player, from -1 to +1
    lead       int32    (n,)             points by which that player was ahead of the best other at the end
    values     float32  (legal,)         what an agent thinks of each legal action, row after row; NaN: not looked at

    `values` is there only if an agent was asked for them. Of `planes`, `codes`, `vector` and `rows` a dataset has those
    that were asked for, `row_actions` with `rows`. Games of castle-cards have neither planes nor codes. A game of your
    own has `observation` in their place, as its `observe` returns it, or for a dict `observation_NAME` for each of its
    arrays.
"""

import math
from collections.abc import Mapping
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from zamek_agents.array_file import read_number
from zamek_agents.base import find_tile_ruleset, name_ruleset
from zamek_agents.named_ruleset import TrainedFor, make_ruleset_entries, read_ruleset
from zamek_env import RULESETS
from zamek_env.base.records import NONE
from zamek_env.common.checks import check_choice, check_whole
from zamek_env.common.messages import show
from zamek_env.components.box_folder import is_own_name
from zamek_env.game_protocol import find_encoding
from zamek_env.layout.observation import PARTS, PLANE_PARTS
from zamek_env.make_game import FAMILIES

MAX_COUNT = 2**31 - 1  # of games and decisions: int32
MAX_PLAYERS, MAX_ACTIONS, MAX_VECTOR = 16, 10**6, 10**6
MAX_PLANES = 10**8  # numbers in the planes of one decision, and in its rows
MAX_NOTATION = 200  # characters
MAX_POINTS = 2**31 - 1
_DTYPES = ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64")
OBSERVATION = "observation"  # name, or beginning of the name, of the columns with observations of a user's own game


class Column(NamedTuple):
    """The dtype, the shape and the bounds of each entry of an array."""

    dtype: str
    shape: tuple[int, ...]
    least: float
    most: float


class Layout(NamedTuple):
    """The shapes of the arrays of a dataset: they follow from its ruleset and the number of players."""

    trained_for: TrainedFor  # the ruleset
    players: int
    num_actions: int
    planes: tuple[int, ...] | None  # rows, columns, planes; None where the dataset holds none, as all that follow
    vector: int | None  # entries
    rows: tuple[int, ...] | None = None  # rows, columns
    codes: Column | None = None
    own: tuple[tuple[str, Column], ...] = ()  # the columns of observations of a user's own game, with their names

    @classmethod
    def of(cls, game: Any, observation: tuple[str, ...] = PLANE_PARTS) -> Self:
        """Return the `Layout` of games like this one; the dataset holds parts of an `observation` that they have.

        Raises `ValueError` where they have no such parts, and for a game of your own that `register_game` does not know
        by its class, that cannot be replayed, or whose observations a dataset cannot hold.
        """
        if ruleset := find_tile_ruleset(game):
            trained_for = read_ruleset(make_ruleset_entries(ruleset))
        else:
            known = (*RULESETS, *FAMILIES)
            trained_for = TrainedFor(check_choice("the ruleset of games in a dataset", name_ruleset(game), known), None)
        for method in ("retrace", "format_action"):
            if not hasattr(game, method):
                raise ValueError(f"games in a dataset must have {method}, as PlainGame has, not {type(game).__name__}")
        encoding = find_encoding(game, observation)
        shown = name_shown(encoding.space, encoding.parts)
        if not all(isinstance(box, spaces.Box) for box in shown.values()):
            raise ValueError(f"observation_space must be a Box or a Dict of them, not {show(encoding.space)}")
        shapes = {part: shown[part].shape for part in encoding.parts}
        layout = cls(
            trained_for,
            game.num_players,
            game.num_actions,
            shapes.get("planes"),
            shapes.get("vector", (None,))[0],
            shapes.get("rows"),
            _make_column(shown["codes"].dtype, shapes["codes"]) if "codes" in shapes else None,
            () if encoding.parts else tuple((name, _make_column(box.dtype, box.shape)) for name, box in shown.items()),
        )
        return cls.read(layout.make_entries())  # which refuses what a dataset cannot hold

    @classmethod
    def read(cls, about: Mapping[str, Any]) -> Self:
        """Return the `Layout` of entries made by `make_entries`. Raises `ValueError` where they cannot be right."""
        own = tuple(_read_own(about[OBSERVATION])) if OBSERVATION in about else ()
        if own and not is_own_name(about.get("ruleset")):
            raise ValueError(f"ruleset must be letters, digits, - and _, not {show(about.get('ruleset'))}")
        layout = cls(
            TrainedFor(about["ruleset"], None) if own else read_ruleset(about),
            read_number(about, "players", 1, MAX_PLAYERS, whole=True),
            read_number(about, "num_actions", 1, MAX_ACTIONS, whole=True),
            _read_shape(about, "planes", 3),
            None if about.get("vector") is None else read_number(about, "vector", 1, MAX_VECTOR, whole=True),
            _read_shape(about, "rows", 2),
            None if about.get("codes") is None else _read_column("codes", about["codes"]),
            own,
        )
        if not layout.parts and not own:
            raise ValueError(f"one of {', '.join(PARTS)} must be given, not null or missing")
        return layout

    def make_entries(self) -> dict[str, Any]:
        """Return its entries in a file."""
        entries: dict[str, Any] = {"ruleset": self.trained_for.ruleset}
        if self.trained_for.components is not None:
            entries["components"] = self.trained_for.components
        entries |= {
            "players": self.players,
            "num_actions": self.num_actions,
            "planes": None if self.planes is None else list(self.planes),
            "vector": self.vector,
        }
        if self.own:
            entries[OBSERVATION] = {name: _describe(column) for name, column in self.own}
        if self.codes is not None:
            entries["codes"] = _describe(self.codes)
        return entries | ({} if self.rows is None else {"rows": list(self.rows)})

    @property
    def parts(self) -> tuple[str, ...]:
        """The `PARTS` that the dataset holds: none for a game of your own."""
        return tuple(part for part in PARTS if getattr(self, part) is not None)

    @property
    def seen(self) -> dict[str, Column]:
        """The arrays of what a player sees, by name."""
        seen = dict(self.own)
        if self.planes is not None:
            seen["planes"] = Column("|u1", self.planes, 0, 255)
        if self.codes is not None:
            seen["codes"] = self.codes
        if self.vector is not None:
            seen["vector"] = Column("<f4", (self.vector,), -math.inf, math.inf)
        if self.rows is not None:
            seen["rows"] = Column("|i1", self.rows, -128, 127)
            seen["row_actions"] = Column("<i2", self.rows[:1], NONE, self.num_actions - 1)
        return seen

    @property
    def columns(self) -> dict[str, Column]:
        """The arrays of numbers that every dataset of this layout has, by name."""
        return {
            "game": Column("<i4", (), 0, MAX_COUNT),
            "decision": Column("<i4", (), 0, MAX_COUNT),
            "player": Column("|u1", (), 0, self.players - 1),
            **self.seen,
            "mask": Column("|u1", (-(-self.num_actions // 8),), 0, 255),
            "action": Column("<i4", (), 0, self.num_actions - 1),
            "scores": Column("<i4", (self.players,), -MAX_POINTS, MAX_POINTS),
            "reward": Column("<f4", (), -math.inf, math.inf),
            "outcome": Column("<f4", (), -1, 1),
            "lead": Column("<i4", (), -MAX_POINTS, MAX_POINTS),
        }

    @property
    def row_bytes(self) -> int:
        """Bytes of a row in memory, without notation and values."""
        return sum(np.dtype(column.dtype).itemsize * math.prod(column.shape) for column in self.columns.values())


def name_shown(shown: Any, parts: tuple[str, ...]) -> dict[str, Any]:
    """Return an observation, or the boxes of its space, by columns; `parts` are those of its `Encoding`."""
    if isinstance(shown, Mapping):
        return {name if parts else f"{OBSERVATION}_{name}": part for name, part in shown.items()}
    return {parts[0] if parts else OBSERVATION: shown}


def _read_own(entries):
    """Yield the columns of observations of a user's own game, with their names."""
    if not isinstance(entries, dict) or not entries:
        raise ValueError(f"{OBSERVATION} must be dtype and shape of each array, not {show(entries)}")
    for name, entry in entries.items():
        if name != OBSERVATION and not (name.startswith(f"{OBSERVATION}_") and name.isascii() and name.isidentifier()):
            raise ValueError(f"{OBSERVATION} must have parts whose names are letters, digits and _, not {show(name)}")
        yield name, _read_column(name, entry)


def _describe(column):
    """Return the entries of a column in a file, as `_read_column` reads them."""
    return {"dtype": np.dtype(column.dtype).name, "shape": list(column.shape)}


def _read_column(name, entry):
    if not isinstance(entry, dict):
        raise ValueError(f"{name} must be its dtype and shape, not {show(entry)}")
    dtype = check_choice(f"dtype of {name}", entry.get("dtype"), _DTYPES)
    return _make_column(dtype, _check_shape(f"shape of {name}", entry.get("shape"), "lengths of an array"))


def _make_column(dtype, shape):
    return Column(np.dtype(dtype).str, tuple(shape), -math.inf, math.inf)


def _read_shape(about, name, length):
    """Return the lengths of an array of `length` dimensions; None where there is none."""
    shape = about.get(name)
    if shape is None:
        return None
    words = f"null, or {'two' if length == 2 else 'three'} lengths of an array"
    return _check_shape(name, shape, words, length)


def _check_shape(name, shape, words, length=None):
    """Return the lengths of an array, `length` of them unless that is None. Raises `ValueError` for another `shape`."""
    is_shape = isinstance(shape, list) and all(type(n) is int and n > 0 for n in shape)
    if not is_shape or length not in (None, len(shape)) or math.prod(shape) > MAX_PLANES:
        raise ValueError(f"{name} must be {words}, not {show(shape)}")
    return tuple(shape)


# --- masks as bits, and values of legal actions only: an eighth and a fraction of their size ---


def pack_masks(masks: npt.NDArray[np.bool_]) -> npt.NDArray[np.uint8]:
    """Return masks, bool `(n, num_actions)`, as bits, uint8 `(n, bytes)`; the first action is the lowest bit."""
    return np.packbits(masks, axis=1, bitorder="little")


def unpack_masks(packed: npt.NDArray[np.uint8], num_actions: int) -> npt.NDArray[np.bool_]:
    """Return the masks, bool `(n, num_actions)`, of packed ones, uint8 `(n, bytes)`: which actions are legal.

    Raises `ValueError` where these are no masks of `num_actions` actions, as where a bit after the last one is set,
    and `TypeError` where they are no array.
    """
    if check_whole("num_actions", num_actions) < 1:
        raise ValueError(f"num_actions must be at least 1, not {num_actions}")
    if not isinstance(packed, np.ndarray):
        raise TypeError(f"packed must be an array, not {show(packed)}")
    due = (num_actions + 7) // 8
    if packed.dtype != np.uint8 or packed.ndim != 2 or packed.shape[1] != due:
        raise ValueError(
            f"packed must be uint8 (n, {due}) for {num_actions} actions, not {packed.dtype} {packed.shape}"
        )
    if (packed[:, -1] >> (num_actions - 1) % 8 >> 1).any():
        raise ValueError(f"packed must be of {num_actions} actions: a bit after the last of them is set")
    return np.unpackbits(packed, axis=1, count=num_actions, bitorder="little").astype(np.bool_)


def count_legal(packed: npt.NDArray[np.uint8]) -> npt.NDArray[np.int64]:
    """Return how many actions are legal by each of the packed masks, int64 `(n,)`."""
    return np.bitwise_count(packed).sum(axis=1, dtype=np.int64)


def unpack_values(
    values: npt.NDArray[np.float32], packed: npt.NDArray[np.uint8], num_actions: int
) -> npt.NDArray[np.float32]:
    """Return the values of all actions, float32 `(n, num_actions)`: NaN where one is illegal or was not looked at.

    `values` are those of the legal actions only, one decision after the other, as they are stored next to the `packed`
    masks. Raises `ValueError` where they are more or fewer.
    """
    masks = unpack_masks(packed, num_actions)
    if np.shape(values) != (masks.sum(),):
        raise ValueError(f"values must be of shape ({masks.sum()},), one for each legal action, not {np.shape(values)}")
    spread = np.full(masks.shape, np.nan, np.float32)
    spread[masks] = values
    return spread
