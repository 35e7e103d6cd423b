"""Laid over a picture of the board: choices, the last move, what is hidden, and tooltips of areas.

Overlay(choices=(Choice((3, 4), "Z33@3,4E: +2.1 points", weight=1.0, mark="+2.1"),), last=(2, 4))
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, TypeAlias
from urllib.parse import quote

import numpy as np

from zamek_env.common.checks import is_whole
from zamek_env.common.messages import show
from zamek_env.components.model import NUM_SIDES, SIDES, Components, Tile
from zamek_env.notation.position import Position
from zamek_env.render import palette
from zamek_env.render.faces import CENTRE, ROAD_WIDTH, anchors_of, face_of, turned
from zamek_env.render.labels import find_tile
from zamek_env.render.shapes import Circle, Group, Lines, Path, Point, Polygon, Region, Shape, Text, rectangle, ribbon
from zamek_env.render.track import revealed_groups

Location: TypeAlias = tuple[int, int] | tuple[int, int, str]  # (row, column), or (row, column, segment)

INSET = 0.07  # of the outline of a cell
RADIUS = 0.18  # of the disc on a segment
PLAIN = 0.25  # how good a choice is drawn that nobody has valued


def is_location(value: object) -> bool:
    """Return whether `value` is a `Location`, without checking that it is on the board."""
    if not isinstance(value, tuple | list) or len(value) not in (2, 3):
        return False
    row, column, *segment = value
    return all(map(is_whole, (row, column))) and all(isinstance(name, str) for name in segment)


@dataclass(frozen=True)
class Choice:
    """A place where the player may choose something.

    Raises `TypeError` for a location or words of other types, `ValueError` for a weight outside 0 to 1.
    """

    location: Location
    label: str  # what it does, in words: the hint of the place
    weight: float | None = None  # how good it is, from 0 to 1, the best; None: nobody says
    mark: str = ""  # a few letters drawn on it

    def __post_init__(self) -> None:
        if not is_location(self.location):
            raise TypeError(f"location must be (row, column) or (row, column, segment), not {show(self.location)}")
        for name, words in (("label", self.label), ("mark", self.mark)):
            if not isinstance(words, str):
                raise TypeError(f"{name} must be text, not {show(words)}")
        is_number = isinstance(self.weight, int | float | np.number) and not isinstance(self.weight, bool)
        if self.weight is not None and not (is_number and 0 <= self.weight <= 1):
            raise ValueError(f"weight must lie in 0 to 1, or be None, not {show(self.weight)}")


@dataclass(frozen=True)
class Overlay:
    """An overlay on a picture; empty by default."""

    choices: Sequence[Choice] = ()
    last: tuple[int, int] | None = None  # (row, column) of the tile laid last
    revealed: Mapping[int, int] = field(default_factory=dict)  # first field of a tower -> kind of the token there


def name_location(location: Location) -> str:
    """Return a location in notation: `3,4`, or `3,4.r1`."""
    row, column, *segment = location
    names = [quote(name, safe="") if name != "-" else "%2D" for name in segment]
    return ".".join([f"{row},{column}", *names])


def overlay_groups(components: Components, position: Position, overlay: Overlay) -> Iterator[Group]:
    """Yield the groups of an `Overlay`, choices last. Raises `ValueError` for a missing segment."""
    if overlay.last is not None:
        row, column = overlay.last
        outline = rectangle(column, row, 1, 1)
        path = ((*outline, *outline[:2]),)
        edge = (Lines(path, palette.INK, 0.11), Lines(path, palette.HIGHLIGHT, 0.06))
        yield Group("last", edge, data={"cell": f"{row},{column}"}, title="the last move")
    if overlay.revealed:
        yield from revealed_groups(components, overlay.revealed)
    for choice in overlay.choices:
        row, column, *_ = choice.location
        data = {"location": name_location(choice.location)}
        if choice.weight is not None:
            data["weight"] = f"{choice.weight:.3g}"
        anchor = find_anchor(components, position, choice.location)
        shapes = tuple(_cell(choice) if anchor is None else _disc(anchor, choice))
        yield Group("choice", shapes, (float(column), float(row)), data=data, title=choice.label, is_button=True)


def find_anchor(components: Components, position: Position, location: Location) -> Point | None:
    """Return where on its tile a piece on a segment is drawn; None where the location is a cell.

    Raises `ValueError` for a missing segment.
    """
    row, column, *segment = location
    if not segment:
        return None
    cell, name = (row, column), segment[0]
    if cell in position.board:
        tile_name, rotation = position.board[cell]
        anchors = anchors_of(find_tile(components, tile_name))
        if name in anchors:
            return turned(anchors[name][-1], rotation)
    raise ValueError(f"overlay: there is no segment {name!r} on {cell}")


def _cell(choice: Choice) -> Iterator[Shape]:
    outline = rectangle(INSET, INSET, 1 - 2 * INSET, 1 - 2 * INSET, 0.1)
    yield Polygon(outline, _colour(choice), palette.CHOICE_EDGE, 0.08 if choice.weight == 1 else 0.035)
    yield from _words(choice, (0.5, 0.5), 0.26)


def _disc(at: Point, choice: Choice) -> Iterator[Shape]:
    yield Circle(at, RADIUS, _colour(choice), palette.HIGHLIGHT, 0.03)
    yield Circle(at, RADIUS + 0.025, "#00000000", palette.CHOICE_EDGE, 0.06 if choice.weight == 1 else 0.03)
    yield from _words(choice, at, 0.15)


def _words(choice, at, size):
    if choice.mark:
        fits = min(size, 4 * size / max(4, len(choice.mark)))
        yield Text(at, choice.mark, fits, palette.CHOICE_INKS[_find_strength(choice) > 0.5])


def _colour(choice):
    """Return the colour for how good a choice is, between the faintest and the strongest."""
    strength = _find_strength(choice)
    parts = [[int(colour[first : first + 2], 16) for first in (1, 3, 5)] for colour in palette.CHOICES]
    mixed = [round(faint + (strong - faint) * strength) for faint, strong in zip(*parts, strict=True)]
    return f"#{bytes(mixed).hex()}"


def _find_strength(choice):
    return PLAIN if choice.weight is None else choice.weight


# --- tooltips of areas ---

BUILDING = 0.4  # side of the square that stands for what is built in the centre


@dataclass(frozen=True)
class Hint:
    """The tooltip of an area."""

    text: str
    segments: frozenset[tuple[tuple[int, int] | str, str]]  # (location, segment name), as in `Area.segments`


def tooltip_groups(components: Components, position: Position, hints: Iterable[Hint]) -> Iterator[Group]:
    """Yield an invisible group for each segment on the board that `hints` describe."""
    said: Mapping[object, tuple[str, str]] = {
        where: (_name_area(hint), hint.text) for hint in hints for where in hint.segments
    }
    for cell, (name, rotation) in sorted(position.board.items()):
        for segment, region in find_regions(find_tile(components, name), rotation):
            if (cell, segment) in said:
                area, text = said[cell, segment]
                data = {"at": name_location((*cell, segment)), "area": area}
                at = (float(cell[1]), float(cell[0]))
                title = f"{name}@{cell[0]},{cell[1]}{SIDES[rotation % NUM_SIDES]} {segment}: {text}"
                yield Group("area", (region,), at, data=data, title=title)


def _name_area(hint):
    """Return the first segment of an area in notation, which does not change with the rest of the board."""
    cells = sorted((*where, name) for where, name in hint.segments if not isinstance(where, str))
    return name_location(cells[0]) if cells else ""


@lru_cache(maxsize=4096)
def find_regions(tile: Tile, rotation: int) -> tuple[tuple[str, Region], ...]:
    """Return (segment name, where it shows) of a turned tile, in the unit square; later ones lie over earlier ones."""
    face = face_of(tile)
    outlines: list[tuple[str, Path]] = [(patch.name, patch.outline) for patch in face.patches if patch.name is not None]
    outlines += [(road.name, ribbon(road.path, ROAD_WIDTH)) for road in face.roads]
    half = BUILDING / 2
    square = rectangle(CENTRE[0] - half, CENTRE[1] - half, BUILDING, BUILDING)
    outlines += [(segment.name, square) for segment in tile.segments if not segment.ports]
    return tuple((name, Region(tuple(turned(point, rotation) for point in outline))) for name, outline in outlines)


# --- checks of arguments ---


def check_overlay(overlay: Any) -> None:
    """Raise `TypeError`, naming the mistake, unless it is an `Overlay` of choices or None."""
    if not isinstance(overlay, Overlay | None):
        raise TypeError(f"overlay must be an Overlay or None, not {show(overlay)}")
    if overlay is None:
        return
    if not isinstance(overlay.choices, Sequence):
        raise TypeError(f"choices of an overlay must be a row of Choice, not {show(overlay.choices)}")
    for choice in overlay.choices:
        if not isinstance(choice, Choice):
            raise TypeError(f"choices of an overlay must be of Choice, not {show(choice)}")
    if overlay.last is not None and not (is_location(overlay.last) and len(overlay.last) == 2):
        raise TypeError(f"last of an overlay must be (row, column) or None, not {show(overlay.last)}")
    if not isinstance(overlay.revealed, Mapping):
        raise TypeError(f"revealed of an overlay must be {{field: kind}}, not {show(overlay.revealed)}")


def read_hints(hints: Any) -> tuple[Hint, ...]:
    """Return the hints. Raises `TypeError` for other types."""
    if not isinstance(hints, Iterable):
        raise TypeError(f"hints must be some of Hint, as find_hints makes them, not {show(hints)}")
    given = tuple(hints)
    for hint in given:
        if not isinstance(hint, Hint):
            raise TypeError(f"hints must be of Hint, as find_hints makes them, not {show(hint)}")
    return given
