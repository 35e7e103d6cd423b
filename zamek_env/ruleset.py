"""A ruleset ready to play: its components, and all that is derived from them."""

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, lru_cache
from threading import RLock
from typing import Any, Self
from weakref import WeakValueDictionary

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from zamek_env.base.records import NONE
from zamek_env.common.checks import check_count
from zamek_env.common.messages import show
from zamek_env.common.pickling import pack, unpack
from zamek_env.components.box_folder import RULESETS
from zamek_env.components.house_rules import list_rules, vary
from zamek_env.components.json_entry import ComponentError, Entry
from zamek_env.components.model import Components, Segment, Tile
from zamek_env.components.which_ruleset import check_name
from zamek_env.core.batch import BOARD_FIELDS
from zamek_env.core.engine import Engine, FrameEngine
from zamek_env.core.log import log_dtype
from zamek_env.core.observation import FrameShapes, frame_dtype
from zamek_env.core.planes import canvas_dtype
from zamek_env.core.state import new_states, state_dtype
from zamek_env.core.tabulation import make_code_planes, make_tables
from zamek_env.layout.observation import (
    PLANE_PARTS,
    POINT_LIMIT,
    code_layout,
    find_point_limit,
    plane_layout,
    vector_layout,
)
from zamek_env.layout.rows import count_rows, row_layout
from zamek_env.layout.sizes import measure
from zamek_env.load import AnyComponents, check_limits, load_components, make_actions


class Ruleset:
    """Components with their sizes, action layout, tables and dtypes; shared by all games played with them.

    `get_ruleset` makes one for each `Components`. A copy or an unpickled one is the same object. Raises `TypeError`
    where `components` are no `Components`.
    """

    def __init__(self, components: Components) -> None:
        if not isinstance(components, Components):
            raise TypeError(f"components must come from load_components, not {show(components)}")
        self.components = components
        self.sizes = measure(components)
        self.is_packaged = _are_packaged(components)
        self.actions = make_actions(self.sizes)
        self.num_actions = self.actions.num_actions
        self.planes, self.codes = plane_layout(components, self.sizes), code_layout(components, self.sizes)
        point_limit = POINT_LIMIT if self.is_packaged else find_point_limit(components)
        self.vector = vector_layout(components, self.sizes, point_limit)
        self.rows, self.num_rows = row_layout(components), count_rows(self.sizes)
        self.tables = make_tables(components, self.actions, self.planes, self.codes, self.vector, self.rows)
        self.tables.flags.writeable = False  # shape (1,); all games play by them
        self._table = self.tables[0]
        self.engine = Engine()
        self._frame_engines: dict[tuple[str, ...], FrameEngine] = {}
        self.state_dtype = state_dtype(self.sizes)
        self.log_dtype = log_dtype(self.sizes)
        self.canvas_dtype = canvas_dtype(self.sizes)
        self._frame_shapes = FrameShapes(
            squares=math.prod(components.board.shape),
            planes=len(self.planes),
            codes=len(self.codes),
            code_dtype=np.min_scalar_type(int(self.codes.high.max())),
            entries=len(self.vector),
            rows=self.num_rows,
            columns=len(self.rows),
            num_actions=self.num_actions,
        )

    @property
    def name(self) -> str:
        """The name of the ruleset: one of `zamek_env.RULESETS`, or the name of one of your own."""
        return self.components.name

    @property
    def players(self) -> int:
        """Number of players."""
        return self.components.players

    @property
    def hides_deal(self) -> bool:
        """Whether tiles may be laid in another order than they were dealt (rules H1–H3)."""
        return self.sizes.hand_size > 0 or self.sizes.draws_back

    @cached_property
    def code_planes(self) -> npt.NDArray[np.uint8]:
        """The planes that each code adds to its cell, shape `(codes, numbers, planes)`.

        `code_planes[np.arange(len(ruleset.codes)), observation["codes"]].sum(-2)` are the planes.
        """
        return make_code_planes(self.tables, self.components, self.sizes, self.planes, self.codes)

    @cached_property
    def base(self) -> Components | None:
        """The packaged components of this name, where these differ from them only by `players` and `rules`."""
        if self.name not in RULESETS:
            return None
        packaged = _packaged_components(self.name)
        back = list_rules(packaged.house, self.components.house)
        return packaged if vary(self.components, packaged.players, back) == packaged else None

    @cached_property
    def rules(self) -> dict[str, Any]:
        """The house rules that differ from those of `base`; without one, all that are in force."""
        return list_rules(self.components.house, self.base.house if self.base else None)

    def __repr__(self) -> str:
        return f"<Ruleset {self.name}>"

    def new_states(self, count: int) -> npt.NDArray[np.record]:
        """Return `count` games, shape `(count,)` of `state_dtype`, not yet set up.

        Raises `TypeError` or `ValueError` unless `count` is a whole number of 0 or more, as `new_canvases` and
        `new_frames` do.
        """
        return new_states(check_count("count", count, least=0), self.state_dtype)

    def new_log(self) -> npt.NDArray[np.record]:
        """Return an empty log, shape `(1,)` of `log_dtype`."""
        return np.zeros(1, self.log_dtype)

    def new_canvases(self, count: int) -> npt.NDArray[np.record]:
        """Return `count` canvases for planes, shape `(count,)` of `canvas_dtype`, not yet prepared."""
        return np.zeros(check_count("count", count, least=0), self.canvas_dtype)

    def new_frames(self, count: int, parts: tuple[str, ...] = PLANE_PARTS) -> npt.NDArray[np.record]:
        """Return `count` frames for observations, shape `(count,)` of `frame_dtype(parts)`."""
        return np.zeros(check_count("count", count, least=0), self.frame_dtype(parts))

    def frame_dtype(self, parts: tuple[str, ...] = PLANE_PARTS) -> np.dtype[np.record]:
        """Return the dtype of frames that hold the `parts`, some of `PARTS`, and the mask."""
        return frame_dtype(self._frame_shapes, parts)

    def frame_engine(self, parts: tuple[str, ...] = PLANE_PARTS) -> FrameEngine:
        """Return the kernels for frames that hold the `parts`."""
        if parts not in self._frame_engines:
            self._frame_engines[parts] = FrameEngine()
        return self._frame_engines[parts]

    def tile(self, number: int) -> Tile:
        """Return the tile of the deck, or the face of the start space or tile, of that number, from 0.

        Raises `TypeError` where `number` is no whole number, `ValueError` where there is no such tile.
        """
        tiles, laid = self.components.tiles, self.components.laid
        index = check_count("number", number, len(tiles) + len(laid) - 1, 0)
        return tiles[index] if index < len(tiles) else laid[index - len(tiles)]

    def segment_of_node(self, node: int | np.integer) -> Segment:
        """Return the segment of that node. Raises as `tile` does."""
        return self._segments[check_count("node", node, len(self._segments) - 1, 0)]

    @cached_property
    def _segments(self) -> list[Segment]:
        """The segments of all nodes."""
        places = zip(self._table.node_tile.tolist(), self._table.node_segment.tolist(), strict=True)
        return [self.tile(tile).segments[segment] for tile, segment in places]

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore_ruleset, (self.name, self.components.digest, None if self.is_packaged else self._packed)

    @cached_property
    def _packed(self) -> bytes:
        """The components, pickled compactly, without what they have cached."""
        bare = replace(self.components, board=replace(self.components.board))
        return pack(bare)


_making = RLock()  # so that two threads do not make a ruleset each
_own: WeakValueDictionary[str, Ruleset] = WeakValueDictionary()  # digest -> ruleset, as long as anybody plays by it


@cache
def _packaged_components(name: str) -> Components:
    return load_components(ruleset=name)


@cache
def _packaged_ruleset(name: str) -> Ruleset:
    return Ruleset(_packaged_components(name))


def _are_packaged(components: Components) -> bool:
    return components.name in RULESETS and components == _packaged_components(components.name)


@dataclass(frozen=True)
class _Variation:
    """The players and house rules asked for; two are equal where they are written alike."""

    players: int | None = field(compare=False)
    rules: Mapping[str, Any] | None = field(compare=False)
    text: str


@lru_cache(maxsize=16)  # the last ones asked for are kept even while nobody plays by them
def _find_varied(components: Components, asked: _Variation) -> Ruleset:
    found = vary(components, asked.players, asked.rules)
    if asked.rules:
        check_limits(Entry("rules", "", {}, ()), found)
    with _making:
        if _are_packaged(found):
            return _packaged_ruleset(found.name)
        ruleset = _own.get(found.digest)
        if ruleset is None:
            ruleset = _own[found.digest] = Ruleset(found)
        return ruleset


def get_ruleset(
    ruleset: str = "zamek",
    components: AnyComponents = None,
    players: int | None = None,
    rules: Mapping[str, Any] | None = None,
) -> Ruleset:
    """Return the ruleset of that name, of the packaged `Components`, of the given ones or of those in a folder.

    `players` are how many play, None for as many as the components have, which is 2 where they come from files; `rules`
    house rules in place of theirs, such as `{"draw_ahead": True}` (`docs/rulesets.md`).

    `components` are what `load_components` returned, or the path of a folder for it to read. Equal components give the
    same object, however they were loaded; so do those equal to the packaged ones and None.
    Raises `ValueError` for an unknown name or for components of another ruleset, `ComponentError` for a folder that
    `load_components` refuses, `TypeError` for components of another kind; and all of them for impossible `players` or
    `rules`.
    """
    return _find_varied(_find_components(ruleset, components), _Variation(players, rules, f"{players!r} {rules!r}"))


def make_observation_space(ruleset: Ruleset, parts: tuple[str, ...] = PLANE_PARTS) -> spaces.Dict:
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


def _find_components(ruleset: str, components: AnyComponents) -> Components:
    """Return the `Components` that `get_ruleset` is asked for."""
    if components is None:
        check_name(ruleset)
        return _packaged_components(ruleset)
    if isinstance(components, str | os.PathLike):
        check_name(ruleset, components)
        try:
            return load_components(components, ruleset)
        except ComponentError as error:
            raise ComponentError(f"components: {error}") from error
    if not isinstance(components, Components):
        raise TypeError(f"components must be a folder or come from load_components, not {show(components)}")
    if components.name != ruleset:
        raise ValueError(f"components must be of the ruleset {show(ruleset)}, not of {show(components.name)}")
    return components


def _restore_ruleset(name: str, digest: str, packed: bytes | None) -> Ruleset:
    """Return the ruleset that was pickled. Raises `ValueError` where the packaged components have changed since."""
    ruleset = _own.get(digest)
    if ruleset is None:
        ruleset = get_ruleset(name, None if packed is None else unpack(packed))
    if ruleset.components.digest != digest:
        here = ruleset.components.digest
        raise ValueError(f"pickled with other components of {name}: their digest is {digest}, here it is {here}")
    return ruleset
