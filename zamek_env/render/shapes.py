"""The parts of a picture: five kinds of shapes in groups. Lengths are in tile sides, y grows southwards.

Both back-ends, :mod:`zamek_env.render.svg` and :mod:`zamek_env.render.rgb`, draw exactly these.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

Point: TypeAlias = tuple[float, float]  # (x, y), or a direction
Path: TypeAlias = tuple[Point, ...]


@dataclass(frozen=True)
class Polygon:
    """A filled shape, with an outline where `stroke` is given."""

    points: Path
    fill: str
    stroke: str | None = None
    width: float = 0.0


@dataclass(frozen=True)
class Circle:
    """A filled disc, with an outline inside its radius where `stroke` is given."""

    centre: Point
    radius: float
    fill: str
    stroke: str | None = None
    width: float = 0.0


@dataclass(frozen=True)
class Lines:
    """Thin open polylines of one colour."""

    paths: tuple[Path, ...]
    stroke: str
    width: float


@dataclass(frozen=True)
class Text:
    """One line of words, centred on the height of `at`."""

    at: Point
    text: str
    size: float
    fill: str
    anchor: str = "middle"  # start, middle or end: the part of the text that stands at `at`


@dataclass(frozen=True)
class Region:
    """A part of the picture that can be pointed at; nothing is painted."""

    points: Path


Shape: TypeAlias = Polygon | Circle | Lines | Text | Region


@dataclass(frozen=True)
class Group:
    """Shapes that belong together, moved and scaled as one; `data` says what they show, `title` in words."""

    kind: str
    shapes: tuple[Shape, ...]
    at: Point = (0.0, 0.0)
    scale: float = 1.0
    data: Mapping[str, object] = field(default_factory=dict)
    title: str = ""
    is_button: bool = False  # somebody may click it, or reach it by the keyboard


@dataclass(frozen=True)
class Scene:
    """A whole picture: groups, the first at the back."""

    corner: Point  # its north-west corner
    width: float
    height: float
    background: str
    groups: tuple[Group, ...]


# --- points and paths ---


def between(start: Point, end: Point, part: float) -> Point:
    """Return the point that lies `part` of the way from `start` to `end`."""
    return (start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part)


def moved(point: Point, direction: Point, length: float) -> Point:
    """Return `point` moved by `length` along `direction`."""
    return (point[0] + direction[0] * length, point[1] + direction[1] * length)


def direction(start: Point, end: Point) -> Point:
    """Return the unit vector from `start` to `end`, (0, 0) where they coincide."""
    length = math.dist(start, end)
    return ((end[0] - start[0]) / length, (end[1] - start[1]) / length) if length > 1e-9 else (0.0, 0.0)


def curve(start: Point, first_handle: Point, second_handle: Point, end: Point, steps: int = 12) -> Path:
    """Return a cubic Bézier curve as `steps` + 1 points."""
    points = []
    for step in range(steps + 1):
        t = step / steps
        weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
        ends = zip(weights, (start, first_handle, second_handle, end), strict=True)
        scaled = [(weight * x, weight * y) for weight, (x, y) in ends]
        points.append((sum(x for x, _ in scaled), sum(y for _, y in scaled)))
    return tuple(points)


def ribbon(path: Sequence[Point], width: float) -> Path:
    """Return the outline of a line of `width` along `path`, cut square at both ends."""
    left, right = [], []
    for number, point in enumerate(path):
        ahead = direction(path[max(number - 1, 0)], path[min(number + 1, len(path) - 1)])
        left.append(moved(point, (ahead[1], -ahead[0]), width / 2))
        right.append(moved(point, (ahead[1], -ahead[0]), -width / 2))
    return tuple(left + right[::-1])


def rectangle(left: float, top: float, width: float, height: float, radius: float = 0.0) -> Path:
    """Return the outline of a rectangle, its corners rounded by `radius`."""
    if not radius:
        return ((left, top), (left + width, top), (left + width, top + height), (left, top + height))
    centres: Path = ((left + width - radius, top + radius), (left + width - radius, top + height - radius))
    centres += ((left + radius, top + height - radius), (left + radius, top + radius))
    quarter = [math.pi / 2 * step / 4 for step in range(5)]
    return tuple(
        (x + radius * math.sin(angle + corner * math.pi / 2), y - radius * math.cos(angle + corner * math.pi / 2))
        for corner, (x, y) in enumerate(centres)
        for angle in quarter
    )
