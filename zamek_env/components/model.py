"""The components of a game as plain dataclasses: features, tokens, tiles, start spaces and the wall.

:mod:`zamek_env.components.box` reads them from JSON files and checks them;
:mod:`zamek_env.core.tables` turns them into the arrays the engine computes with.

    A tile has four sides N E S W = 0 1 2 3 and twelve ports, numbered clockwise (rule Z6):

              0    1    2
            +------------+
         11 |    N = 0   | 3
         10 | W=3    E=1 | 4        ports 1, 4, 7, 10 carry a road or nothing
          9 |    S = 2   | 5
            +------------+
              8    7    6

    A clockwise quarter turn moves port i to port (i + 3) mod 12.
"""

import hashlib
import json
from dataclasses import dataclass, fields, is_dataclass
from functools import cached_property
from typing import Any, ClassVar

from zamek_env.components.open_table import OpenTable

SIDES = "NESW"
NUM_SIDES = len(SIDES)
NUM_AROUND = 8  # cells around a cell, those at its corners among them
PORTS_PER_SIDE = 3
NUM_PORTS = NUM_SIDES * PORTS_PER_SIDE
MAX_FEATURES = 32  # a feature takes up to 8 planes and an entry of every area
NUM_ROTATIONS = 4
MAX_PLAYERS = 5  # at a table; within a wall there are two (rules Z3, C10)
STEP = ((-1, 0), (0, 1), (1, 0), (0, -1))  # (rows, columns) to the neighbour on each side


def opposite_side(side: int) -> int:
    """Return the side of the neighbour that touches `side`."""
    return (side + 2) % NUM_SIDES


def facing_port(port: int) -> int:
    """Return the neighbour's port that `port` faces (rule Z6)."""
    side, offset = divmod(port, PORTS_PER_SIDE)
    return PORTS_PER_SIDE * opposite_side(side) + PORTS_PER_SIDE - 1 - offset


def rotated_port(port: int, rotation: int) -> int:
    """Return where `port` lies after `rotation` clockwise quarter turns (rule Z6)."""
    return (port + PORTS_PER_SIDE * rotation) % NUM_PORTS


@dataclass(frozen=True)
class Feature:
    """A kind of area: whether it completes, what it pays, and the role of its followers (rules Z13, Z18, Z27)."""

    name: str
    letter: str  # first letter of its segments' names
    role: str  # what a follower on it is called
    edge: str | None  # what a side of this feature counts as when sides meet; None where no side shows it
    middle: bool  # lies on the middle ports (a road) instead of the half-sides
    completes: bool  # scored and cleared when nothing of it is open
    points: int  # a tile, when completed
    mark: str | None  # the tile file's key that lists marked segments
    marked_points: int  # a tile, when completed with at least one mark
    mark_points: int  # a mark, at the end of the game
    family_house: bool  # a completed one may become the family house (rule Z21)
    size_points: tuple[int, ...] = ()  # completed with 1, 2 … tiles, the last for all larger ones; () pays by the tile
    completed_mark_points: int = 0  # a mark, when completed (rule C4)
    unfinished_points: int = 0  # a tile, at the end, where it is not completed (rule C6)
    surrounded: bool = False  # has no ports: it is completed by the eight tiles around it, and they count (rule C4)
    touches: str | None = None  # another feature that it lies next to on a tile (rule C8)
    touch_points: int = 0  # a completed area of that feature which it touches, at the end


@dataclass(frozen=True)
class Token:
    """A kind of special token (rule Z23)."""

    kind: int
    count: int  # how many of this kind there are
    use: str  # one of `TOKEN_USES`
    feature: str | None  # the feature it is used on
    points: int  # a tile, a mark, tiles of family house, or plain points, by `use`


@dataclass(frozen=True)
class Piece:
    """A kind of piece that a player sends (rules Z4, S2)."""

    name: str
    factor: int = 1  # of the points its owner scores for its area (rule S7)
    nests: int = 0  # more for its owner, who scores its completed area (rule S8)


FOLLOWER = Piece("follower")
SPECIAL_PIECES = (Piece("prince", factor=2), Piece("falconer", nests=1))  # each player has at most one of each

TOKEN_USES = ("extra turn", "completed area", "marks", "family house", "points", "unfinished area")


@dataclass(frozen=True)
class Segment:
    """A connected piece of one feature on one face (rule Z7)."""

    name: str
    feature: str
    ports: tuple[int, ...]  # at rotation 0; none where the feature is surrounded
    marks: int  # stocks, shrines or shields on it
    nests: int = 0  # falcon nests on it (rule S1)
    touches: tuple[str, ...] = ()  # the segments of this face that it touches, where its feature touches one (rule C8)


@dataclass(frozen=True)
class Tile:
    """A tile, or the side of a start space that faces the castle."""

    id: str
    segments: tuple[Segment, ...]

    def segment_at(self, port: int) -> Segment | None:
        """Return the segment at `port` (rotation 0), or None."""
        return next((segment for segment in self.segments if port in segment.ports), None)


@dataclass(frozen=True)
class Start:
    """A start space on the inner edge of the wall (rule Z2)."""

    cell: tuple[int, int]  # the space it touches
    side: int  # the side of that space on which it lies
    tile: Tile  # lies outside the wall; only the side towards `cell` carries ports

    @property
    def id(self) -> str:
        return self.tile.id


@dataclass(frozen=True)
class Field:
    """A field of the score track and where it is drawn, in tile sides from the north-west corner."""

    x: float
    y: float


@dataclass(frozen=True)
class Wall:
    """The board: the spaces inside, the start spaces, the score track and its towers (rules Z1, Z2)."""

    interior: tuple[str, ...]  # rows north to south, '#' an interior space
    starts: tuple[Start, ...]
    track: tuple[Field, ...]
    towers: tuple[tuple[int, int], ...]  # the two fields of each tower
    towerless: frozenset[int]  # first fields of the towers that never hold a token
    gates: tuple[tuple[int, int], ...] = ()  # the fields before and after each gate that widens it (rule S1)

    num_spots: ClassVar[int] = 0  # actions name all spaces by their numbers

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, columns) of the smallest rectangle around the castle."""
        return len(self.interior), len(self.interior[0])

    @cached_property
    def cells(self) -> tuple[tuple[int, int], ...]:
        """Interior spaces as (row, column), by number: row by row from the north-west."""
        return tuple(
            (row, column) for row, line in enumerate(self.interior) for column, mark in enumerate(line) if mark == "#"
        )

    @property
    def token_towers(self) -> tuple[tuple[int, int], ...]:
        """The towers that hold a token at the start, in order round the track."""
        return tuple(tower for tower in self.towers if tower[0] not in self.towerless)

    def find_number(self, cell: tuple[int, int]) -> int | None:
        """Return the number of the space at `cell`, None where no space is."""
        return self._numbers.get(cell)

    @cached_property
    def _numbers(self) -> dict[tuple[int, int], int]:
        return {cell: number for number, cell in enumerate(self.cells)}


@dataclass(frozen=True)
class HouseRules:
    """House rules that players may agree on (rules H1–H9); by default none."""

    draw_ahead: bool = False  # each draws the tile of his next turn at the end of his own, seen by him alone (H1)
    hand: str | None = None  # each holds three tiles, "open" or "hidden", and chooses one of them (H2)
    back_into_bag: bool = False  # a tile that cannot be laid goes back among the undrawn (H3)
    start_in_bag: bool = False  # the first tile drawn is laid in the middle, by nobody (H4)
    hole_plays_again: bool = False  # who lays a tile with neighbours on all four sides takes another turn (H5)
    unfinished_pays_nothing: bool = False  # at the end, what could have been completed (H6)
    table: tuple[int, int] | None = None  # rows and columns, beyond which nothing can be laid (H7)
    edges_complete: bool = False  # the edge of that table closes what runs into it (H8)
    small_city: bool = False  # a completed city of two tiles pays 1 for each tile and each shield (H9)

    @property
    def hand_size(self) -> int:
        """Number of tiles that each player holds between turns: 0 without `draw_ahead` and `hand`."""
        return 3 if self.hand else int(self.draw_ahead)


@dataclass(frozen=True)
class Components:
    """All components of a ruleset, as `zamek_env.load_components` returns them. Equal where the digests are."""

    name: str  # of the ruleset
    followers: int  # in each player's supply at the start
    edges: tuple[str, ...]  # what sides can be; sides that touch must be the same
    features: tuple[Feature, ...]
    tokens: tuple[Token, ...]
    tiles: tuple[Tile, ...]  # of the deck; copies of one tile are there as often as there are copies
    board: Wall | OpenTable
    start_tile: Tile | None = None  # lies on an open table from the beginning (rule C1)
    special_pieces: tuple[Piece, ...] = ()  # each player's, besides the followers (rule S2)
    nests: int = 0  # nest tokens in the pool at the start (rule S2)
    halting_gates: bool = False  # a marker stops at each gate of the wall (rule S12)
    farmers: bool = True  # pieces may be sent to features that touch others (rule C8)
    ties_pay: bool = False  # an area pays everyone who has most followers in it (rule C5)
    players: int = 2
    house: HouseRules = HouseRules()

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of all that the components hold, 64 hexadecimal digits."""
        text = json.dumps(_canonical(self), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()

    def __eq__(self, other: object) -> bool:
        return self.digest == other.digest if isinstance(other, Components) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.digest)

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """The kinds of pieces, plain followers first."""
        return (FOLLOWER, *self.special_pieces)

    @property
    def laid(self) -> tuple[Tile, ...]:
        """The tiles on the board from the beginning: the faces of the start spaces, or the start tile."""
        start = (self.start_tile,) if self.start_tile and not self.house.start_in_bag else ()
        return (*(space.tile for space in self.board.starts), *start)

    @property
    def kinds(self) -> tuple[Tile, ...]:
        """The different tiles: each of the deck and the start tile once, in order."""
        start = (self.start_tile,) if self.start_tile else ()
        return tuple({tile.id: tile for tile in (*self.tiles, *start)}.values())

    def feature(self, name: str) -> Feature:
        """Return the feature called `name`."""
        return next(feature for feature in self.features if feature.name == name)


def _canonical(value: Any) -> Any:
    """Return `value` as JSON can hold it. Fields at their defaults are left out, so that new ones change no digest."""
    if is_dataclass(value):
        values = {field.name: getattr(value, field.name) for field in fields(value)}
        changed = {field.name for field in fields(value) if values[field.name] != field.default}
        return {name: _canonical(values[name]) for name in changed} | {"": type(value).__name__}
    if isinstance(value, frozenset):
        return sorted(value)
    return [_canonical(item) for item in value] if isinstance(value, tuple) else value
