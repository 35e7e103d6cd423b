"""The wall: the score track on its top, its towers, and the start spaces on its inner edge."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from zamek_env.components.model import PORTS_PER_SIDE, Components, Feature, Wall, opposite_side
from zamek_env.components.token_text import describe_token, name_token
from zamek_env.render import palette
from zamek_env.render.faces import ROAD_WIDTH, turned
from zamek_env.render.icons import mark_icon, token
from zamek_env.render.shapes import (
    Circle,
    Group,
    Lines,
    Path,
    Point,
    Polygon,
    Shape,
    Text,
    between,
    direction,
    moved,
    rectangle,
    ribbon,
)
from zamek_env.render.tiles import ROAD_RIM, find_feature, find_look

OUTWARDS = 0.15  # the track is drawn that much farther out than its fields lie, to make room for the start spaces
HALF_LANE = 0.17
LEDGE = 0.25 + OUTWARDS - HALF_LANE  # depth of a start space: from the castle to the track
RIM = 0.065  # the battlements outside the track
TOWER = 0.44  # radius
TOWER_MERLONS = 14
MERLON_STEP = 0.125  # along the wall
GATE = 0.46  # width of a gatehouse along the wall
TOKEN_OUT = 0.42  # from the middle of a tower to its token
TOKEN = 0.155  # radius
REACH = OUTWARDS + TOKEN_OUT + TOKEN + 0.1  # farthest drawn from a field
NUMBER_ROOM = 0.48  # size of a number, in roots of its field's area
STRONG_EVERY = 5  # fields with a darker number


@dataclass(frozen=True)
class Ring:
    """The track as drawn: for each field its middle and outline, and the sections between fields."""

    middles: tuple[Point, ...]
    outlines: tuple[Path, ...]
    outer: tuple[Path, ...]  # for each field the outer edge of its outline
    ends: tuple[tuple[Point, Point], ...]  # for each field (point, direction outwards) where it meets the next
    inner: Path  # the inner edge of the track, all round


@lru_cache(maxsize=64)
def lay_ring(wall: Wall) -> Ring:
    """Return the `Ring` of a `Wall`; fields at one point, as at a bend, share it in track order."""
    points = [(field.x, field.y) for field in wall.track]
    first = next((n for n in range(len(points)) if points[n] != points[n - 1]), 0)
    order = [(first + n) % len(points) for n in range(len(points))]
    corners = [[order[0]]]
    for number in order[1:]:
        if points[number] == points[corners[-1][-1]]:
            corners[-1].append(number)
        else:
            corners.append([number])
    lanes = _offset([points[fields[0]] for fields in corners])
    cut = {}
    for corner, fields in enumerate(corners):
        for rank, number in enumerate(fields):
            cut[number] = _cut_field(lanes, corner, rank / len(fields), (rank + 1) / len(fields))
    parts = [cut[number] for number in range(len(points))]
    return Ring(
        middles=tuple(part[0] for part in parts),
        outlines=tuple(part[1] + part[2][::-1] for part in parts),
        outer=tuple(part[1] for part in parts),
        ends=tuple((between(part[1][-1], part[2][-1], 0.5), direction(part[2][-1], part[1][-1])) for part in parts),
        inner=tuple(point for part in parts for point in part[2]),
    )


def _offset(corners):
    """Return the track's outer and inner line, each with one point a corner."""
    area = sum(corners[n - 1][0] * y - x * corners[n - 1][1] for n, (x, y) in enumerate(corners))
    turn = 1 if area >= 0 else -1
    lanes = []
    for length in (OUTWARDS + HALF_LANE, OUTWARDS - HALF_LANE):
        lane = []
        for number, corner in enumerate(corners):
            before = direction(corners[number - 1], corner)
            after = direction(corner, corners[(number + 1) % len(corners)])
            normal = (turn * (before[1] + after[1]), -turn * (before[0] + after[0]))
            bend = max(1 + before[0] * after[0] + before[1] * after[1], 0.5)  # the sharper, the farther the corner
            lane.append(moved(corner, normal, length / bend))
        lanes.append(lane)
    return lanes


def _cut_field(lanes, corner, start, end):
    """Return middle, outer and inner edge of the field from `start` to `end`, as parts of a corner's stretch."""

    def point(lane, part):
        here = lane[corner]
        if part <= 0.5:
            return between(_halfway(lane, corner - 1), here, 2 * part)
        return between(here, _halfway(lane, corner), 2 * part - 1)

    parts = [start, *([0.5] if start < 0.5 < end else []), end]
    outer, inner = (tuple(point(lane, part) for part in parts) for lane in lanes)
    return _centroid(outer + inner[::-1]), outer, inner


def _edges(outline):
    """Return (start, end, twice the signed area between it and the origin) of every edge."""
    pairs = zip(outline, (*outline[1:], outline[0]), strict=True)
    return [((x1, y1), (x2, y2), x1 * y2 - x2 * y1) for (x1, y1), (x2, y2) in pairs]


def _area(outline):
    return abs(sum(cross for _, _, cross in _edges(outline))) / 2


def _centroid(outline):
    """Return the centre of gravity of an outline, the mean of its corners where it encloses nothing."""
    edges = _edges(outline)
    area = sum(cross for _, _, cross in edges) / 2
    if abs(area) < 1e-9:
        return (sum(x for x, _ in outline) / len(outline), sum(y for _, y in outline) / len(outline))
    return tuple(sum((a[axis] + b[axis]) * cross for a, b, cross in edges) / (6 * area) for axis in (0, 1))


def _halfway(lane, corner):
    return between(lane[corner], lane[(corner + 1) % len(lane)], 0.5)


# --- drawing ---


@lru_cache(maxsize=64)
def wall_groups(wall: Wall, features: Sequence[Feature]) -> tuple[Group, ...]:
    """Return the groups of the wall: stones, towers, fields and start spaces."""
    ring = lay_ring(wall)
    stones = [Polygon(ring.inner, palette.STONE_DARK)]
    for outer in ring.outer:
        stones += _battlement(outer)
    towers = tuple(
        Group("tower", tuple(_tower(ring, first)), data={"fields": f"{first},{second}"})
        for first, second in wall.towers
    )
    fields = tuple(
        Group("field", tuple(_field(ring, number)), data={"field": number}) for number in range(len(ring.middles))
    )
    gates = tuple(
        Group("gate", tuple(_gate(ring, before)), data={"fields": f"{before},{after}"}) for before, after in wall.gates
    )
    starts = tuple(_start(start, features) for start in wall.starts)
    return (Group("wall", tuple(stones)), *towers, *fields, *gates, *starts)


def _battlement(outer):
    """The rim outside a field, with merlons."""
    for start, end in pairwise(outer):
        length = math.dist(start, end)
        yield Lines(((start, end),), palette.STONE_EDGE, 2 * RIM)
        for number in range(round(length / MERLON_STEP)):
            part = (number + 0.5) / round(length / MERLON_STEP)
            middle, ahead = between(start, end, part), direction(start, end)
            reach = MERLON_STEP * 0.3
            yield Polygon(ribbon((moved(middle, ahead, -reach), moved(middle, ahead, reach)), 1.5 * RIM), palette.STONE)


def _tower(ring, first):
    middle, outwards = ring.ends[first]
    centre = moved(middle, outwards, 0.06)
    yield Circle(moved(centre, (0.6, 0.8), 0.03), TOWER, palette.SHADOW)
    yield Circle(centre, TOWER, palette.TOWER_EDGE)
    for step in range(TOWER_MERLONS):
        angle = 2 * math.pi * (step + 0.5) / TOWER_MERLONS
        way = (math.cos(angle), math.sin(angle))
        yield Polygon(ribbon((moved(centre, way, TOWER - 0.1), moved(centre, way, TOWER - 0.015)), 0.1), palette.TOWER)
    yield Circle(centre, TOWER - 0.09, palette.TOWER, palette.TOWER_EDGE, 0.02)
    yield Circle(moved(middle, outwards, TOKEN_OUT), TOKEN + 0.05, palette.TOWER, palette.TOWER_EDGE, 0.03)


def _gate(ring, before):
    """A gatehouse over the track, between the field `before` it and the next: two turrets and the gate's wings."""
    middle, outwards = ring.ends[before]
    along = (-outwards[1], outwards[0])
    across = (moved(middle, outwards, -HALF_LANE), moved(middle, outwards, HALF_LANE + RIM))
    yield Polygon(ribbon(across, GATE), palette.TOWER, palette.TOWER_EDGE, 0.02)
    yield Polygon(ribbon(across, GATE - 0.16), palette.WOOD)
    yield Lines((across,), palette.INK, 0.02)
    for way in (-1, 1):
        turret = moved(moved(middle, along, way * GATE / 2), outwards, HALF_LANE + RIM / 2)
        yield Circle(turret, 0.11, palette.TOWER, palette.TOWER_EDGE, 0.025)


def _field(ring, number):
    pale = palette.STONE_PALE if number % 2 else palette.STONE_LIGHT
    yield Polygon(ring.outlines[number], pale, palette.STONE_EDGE, 0.018)
    strong = number % STRONG_EVERY == 0
    colour = palette.INK if strong else palette.FAINT_INK
    size = min(0.165 if strong else 0.14, NUMBER_ROOM * math.sqrt(_area(ring.outlines[number])))
    yield Text(ring.middles[number], str(number), size, colour)


def _start(start, features):
    """The side of a start space: a strip outside its cell, drawn as if it lay to the north and then turned."""
    side = opposite_side(start.side)
    left, road, right = (start.tile.segment_at(PORTS_PER_SIDE * side + offset) for offset in range(PORTS_PER_SIDE))
    shapes: list[Shape] = []

    def strip(west, east, segment, part="fill"):
        colour = getattr(find_look(features, segment.feature), part)
        shapes.append(Polygon(_turn(rectangle(west, -LEDGE, east - west, LEDGE), start), colour))

    # the start space looks at the castle, so its left half touches the cell's right half
    for west, segment in ((0.0, right), (0.5, left)):
        if segment:
            strip(west, west + 0.5, segment)
    if road:
        strip(0.5 - ROAD_WIDTH / 2 - ROAD_RIM, 0.5 + ROAD_WIDTH / 2 + ROAD_RIM, road, "grain")
        strip(0.5 - ROAD_WIDTH / 2, 0.5 + ROAD_WIDTH / 2, road)
    elif left is not right:
        shapes.append(Lines((_turn(((0.5, 0), (0.5, -LEDGE)), start),), palette.SEAM, 0.022))
    shapes.append(Lines((_turn(((0, 0), (0, -LEDGE), (1, -LEDGE), (1, 0)), start),), palette.INK, 0.03))
    for segment in dict.fromkeys(segment for segment in (left, road, right) if segment and segment.marks):
        along = [share for share, other in ((0.75, left), (0.5, road), (0.25, right)) if other is segment]
        at = (sum(along) / len(along), -LEDGE / 2 + 0.02)
        shapes += mark_icon(find_feature(features, segment.feature).mark, turned(at, start.side))
    row, column = start.cell
    return Group("start", tuple(shapes), (float(column), float(row)), data={"start": start.id})


def _turn(points, start):
    return tuple(turned(point, start.side) for point in points)


def token_groups(wall: Wall, firsts: Iterable[int]) -> list[Group]:
    """Return a group for each token that still lies on a tower."""
    ring = lay_ring(wall)
    groups = []
    for first in sorted(firsts):
        middle, outwards = ring.ends[first]
        shapes = token(moved(middle, outwards, TOKEN_OUT), TOKEN)
        groups.append(Group("token", shapes, data={"tower": first}, title="a special token, face down"))
    return groups


def revealed_groups(components: Components, kinds: Mapping[int, int]) -> Iterator[Group]:
    """Yield a group for each token on a tower, {first field: kind}, that shows what it is."""
    assert isinstance(components.board, Wall)
    ring = lay_ring(components.board)
    for first, kind in sorted(kinds.items()):
        middle, outwards = ring.ends[first]
        at = moved(middle, outwards, TOKEN_OUT)
        shapes = (
            Circle(at, TOKEN + 0.03, palette.PAPER, palette.TOKEN_EDGE, 0.03),
            Text(at, str(kind), 1.3 * TOKEN, palette.WORDS),
        )
        title = f"{name_token(components, kind)}: {describe_token(components, kind)}"
        yield Group("revealed", shapes, data={"tower": first, "kind": kind}, title=title)
