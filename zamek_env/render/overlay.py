"""Overlays on a picture of the board: where the player may choose, the last move, what is hidden.

Overlay(choices=(Choice((3, 4), "Z33@3,4E: +2.1 points", weight=1.0, mark="+2.1"),), last=(2, 4))
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias
from urllib.parse import quote

import numpy as np

from zamek_env.common.checks import is_whole
from zamek_env.common.messages import show
from zamek_env.components.model import Components
from zamek_env.records.position import Position
from zamek_env.render import palette
from zamek_env.render.anchors import anchors_of
from zamek_env.render.faces import turned
from zamek_env.render.labels import find_tile
from zamek_env.render.shapes import Circle, Group, Lines, Point, Polygon, Shape, Text, rectangle
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
