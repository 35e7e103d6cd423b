"""Paints one tile, in board orientation: the ground, roads and gates, walls, buildings."""

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

import numpy as np

from zamek_env.components.model import NUM_ROTATIONS, Feature, Tile
from zamek_env.render import palette
from zamek_env.render.faces import BORDER, CENTRE, ROAD_WIDTH, Face, anchors_of, face_of, owners_of, patches_at, turned
from zamek_env.render.icons import fountain, mark_icon, nest
from zamek_env.render.palette import Look
from zamek_env.render.shapes import Circle, Lines, Path, Point, Polygon, Shape, direction, moved, rectangle, ribbon

WALL = 0.075  # width
MERLON_STEP = 0.085  # along the wall
VILLAGE = ((-0.09, -0.05), (0.085, -0.06), (-0.08, 0.09), (0.09, 0.08))  # its houses, the last in front
HOUSE = 0.14  # size of one in a village or inside a wall


def city_wall(path: Sequence[Point]) -> Iterator[Shape]:
    """A wall with merlons along `path`, cut off at the border of the tile."""
    for width, colour in ((WALL, palette.STONE_EDGE), (WALL - 0.025, palette.STONE_LIGHT)):
        yield Polygon(tuple((min(max(x, 0.0), 1.0), min(max(y, 0.0), 1.0)) for x, y in ribbon(path, width)), colour)
    yield Lines(tuple(_merlons(path)), palette.STONE_EDGE, 0.02)


def _merlons(path):
    """Yield short strokes across the path, evenly spaced along it."""
    walked, due = 0.0, MERLON_STEP / 2
    for number in range(len(path) - 1):
        start, ahead = path[number], direction(path[number], path[number + 1])
        length = ((path[number + 1][0] - start[0]) ** 2 + (path[number + 1][1] - start[1]) ** 2) ** 0.5
        while due <= walked + length:
            at = moved(start, ahead, due - walked)
            across = (-ahead[1], ahead[0])
            yield (moved(at, across, -WALL / 2 + 0.012), moved(at, across, WALL / 2 - 0.012))
            due += MERLON_STEP
        walked += length


def gate(centre: Point, outwards: Point) -> Iterator[Shape]:
    """A gate in a wall, through which a road leaves in the direction `outwards`: two turrets, and the door between."""
    along = (-outwards[1], outwards[0])
    inner, outer = moved(centre, outwards, -0.07), moved(centre, outwards, 0.06)
    yield Polygon(ribbon((inner, outer), 0.2), palette.STONE, palette.STONE_EDGE, 0.016)
    yield Polygon(ribbon((moved(centre, outwards, -0.03), outer), 0.1), palette.WOOD)
    for way in (-1, 1):
        turret = moved(centre, along, 0.115 * way)
        yield Circle(turret, 0.062, palette.STONE_LIGHT, palette.STONE_EDGE, 0.018)
        yield Circle(turret, 0.026, palette.STONE)


def small_house(centre: Point, size: float, number: int = 0) -> tuple[Shape, ...]:
    """A house seen from the front; its `number` selects the roof."""
    x, y = centre
    half, ridge = size / 2, 0.3 * size
    front = rectangle(x - half, y, size, 0.42 * size)
    roof = ((x - half, y), (x - half + ridge, y - 0.48 * size), (x + half - ridge + 0.22 * size, y - 0.48 * size))
    return (
        Polygon(tuple((px + 0.12 * size, py + 0.1 * size) for px, py in front), palette.SHADOW),
        Polygon(front, palette.PLASTER, palette.INK, 0.07 * size),
        Polygon((*roof, (x + half, y)), palette.ROOFS[number % len(palette.ROOFS)], palette.INK, 0.07 * size),
        Polygon(rectangle(x - 0.1 * size, y + 0.14 * size, 0.2 * size, 0.28 * size), palette.INK),
    )


def village(centre: Point) -> Iterator[Shape]:
    """Houses where roads end together."""
    for number, (dx, dy) in enumerate(VILLAGE):
        yield from small_house((centre[0] + dx, centre[1] + dy), HOUSE, number)


def monastery(centre: Point) -> Iterator[Shape]:
    """A church with its tower, and the wing where the monks live."""
    x, y = centre
    wing, nave, tower = (
        rectangle(x - 0.2, y + 0.0, 0.2, 0.16),
        rectangle(x - 0.06, y - 0.06, 0.25, 0.22),
        rectangle(x - 0.07, y - 0.2, 0.11, 0.36),
    )
    yield Polygon(tuple((px + 0.03, py + 0.03) for px, py in rectangle(x - 0.2, y - 0.03, 0.4, 0.2)), palette.SHADOW)
    for walls in (wing, nave):
        yield Polygon(walls, palette.PLASTER, palette.INK, 0.014)
    yield Polygon(((x - 0.22, y + 0.01), (x - 0.19, y - 0.08), (x, y - 0.08), (x, y + 0.01)), *_SLATES)
    yield Polygon(((x + 0.02, y - 0.05), (x + 0.05, y - 0.15), (x + 0.18, y - 0.15), (x + 0.21, y - 0.05)), *_SLATES)
    yield Polygon(tower, palette.PLASTER, palette.INK, 0.014)
    yield Polygon(((x - 0.085, y - 0.19), (x - 0.015, y - 0.33), (x + 0.055, y - 0.19)), *_SLATES)
    cross = (((x - 0.015, y - 0.41), (x - 0.015, y - 0.32)), ((x - 0.045, y - 0.38), (x + 0.015, y - 0.38)))
    yield Lines(cross, palette.INK, 0.018)
    yield Polygon(rectangle(x - 0.042, y + 0.05, 0.054, 0.11, 0.02), palette.INK)
    yield Circle((x - 0.015, y - 0.1), 0.025, palette.INK)
    for dx in (-0.165, -0.115):
        yield Polygon(rectangle(x + dx, y + 0.06, 0.025, 0.05), palette.INK)
    for dx in (0.075, 0.13):
        yield Polygon(rectangle(x + dx, y + 0.01, 0.03, 0.08, 0.012), palette.INK)


_SLATES = (palette.SLATE, palette.INK, 0.014)


ROAD_RIM = 0.025
SEAM_WIDTH = 0.022
PLAZA = 0.13  # radius of the pavement round a fountain
ROWS = 8  # of roof tiles on a tile side
GRAIN_MARGIN = 0.035  # kept free along seams
GRAIN_WIDTH = 0.017


@lru_cache(maxsize=4096)
def tile_shapes(tile: Tile, rotation: int, features: Sequence[Feature]) -> tuple[Shape, ...]:
    """Return the shapes of a `Tile` turned by `rotation`, in the unit square; `features` are the ruleset's."""
    face = face_of(tile)
    looks: dict[str | None, palette.Look] = {None: palette.Look(palette.GROUND, palette.GROUND, None)}
    for segment in tile.segments:
        looks[segment.name] = find_look(features, segment.feature)
    shapes: list[Shape] = [Polygon(_turn(patch.outline, rotation), looks[patch.name].fill) for patch in face.patches]
    shapes += _strew(face, rotation % NUM_ROTATIONS, looks)
    walls = find_walls(face, looks)
    gates = find_gates(face, walls)
    seams = [seam for seam in face.seams if seam not in walls]
    shapes += [Polygon(_turn(ribbon(seam, SEAM_WIDTH), rotation), palette.SEAM) for seam in seams]
    shapes += _pave(face, rotation, looks, gates)
    for wall in walls:
        shapes += city_wall(_turn(wall, rotation))
    if face.fountain:
        shapes += _CROSSINGS[looks[face.patches[0].name].crossing](CENTRE)
    shapes += raise_buildings(tile, rotation, looks, gates)
    shapes += _place_marks(tile, rotation, features)
    shapes.append(Lines(((*rectangle(0, 0, 1, 1), (0, 0)),), palette.TILE_EDGE, 0.02))
    return tuple(shapes)


def find_feature(features: Sequence[Feature], name: str) -> Feature:
    """Return the `Feature` called `name`."""
    return next(feature for feature in features if feature.name == name)


def find_look(features: Sequence[Feature], name: str) -> palette.Look:
    """Return the look of the ground of the feature called `name`."""
    number = features.index(find_feature(features, name))
    plain = palette.FALLBACKS[number % len(palette.FALLBACKS)]
    return palette.LOOKS.get(name, Look(plain, plain, None))


def _turn(points, rotation):
    return tuple(turned(point, rotation) for point in points)


# --- grain: continues over the edge of a tile, hence laid out in board orientation ---


def _strew(face, rotation, looks):
    names = [patch.name for patch in face.patches]
    for pattern, (points, draw) in _GRAINS.items():
        back = np.array([turned(point, NUM_ROTATIONS - rotation) for point in points])
        owners = owners_of(back, face, GRAIN_MARGIN).tolist()
        for owner in dict.fromkeys(owner for owner in owners if owner >= 0):
            look = looks[names[owner]]
            if look.pattern == pattern:
                here = [point for point, other in zip(points, owners, strict=True) if other == owner]
                yield Lines(tuple(draw(point) for point in here), look.grain, GRAIN_WIDTH)


def _roof_tile(point):
    """A sagging arc; only half of it at the edge of the tile, where the neighbour draws the other half."""
    x, y = point
    x = round(x * 2 * ROWS) / 2 / ROWS
    arc = ((-0.42, -0.3), (-0.21, 0.13), (0.0, 0.2), (0.21, 0.13), (0.42, -0.3))
    points = ((x + dx / ROWS, y + dy / ROWS) for dx, dy in arc)
    return tuple((px, py) for px, py in points if 0 <= px <= 1)


def _tuft(point):
    x, y = point
    return ((x - 0.028, y - 0.03), (x, y + 0.018), (x + 0.012, y - 0.045))


def _puddle(point):
    x, y = point
    return ((x - 0.03, y), (x + 0.03, y))


_ROOF = tuple(
    (min(max((x + 0.5 * ((y + 1) % 2)) / ROWS, 1e-3), 1 - 1e-3), (y + 0.5) / ROWS)
    for y in range(ROWS)
    for x in range(ROWS + y % 2)
)
_TUFTS: Path = ((0.13, 0.17), (0.41, 0.09), (0.68, 0.21), (0.9, 0.1), (0.27, 0.36), (0.55, 0.4), (0.82, 0.45))
_TUFTS += ((0.1, 0.58), (0.4, 0.63), (0.66, 0.69), (0.92, 0.75), (0.2, 0.82), (0.48, 0.9), (0.78, 0.93))
_PUDDLES = (*((y, x) for x, y in _TUFTS), (0.3, 0.2), (0.75, 0.3), (0.22, 0.7), (0.6, 0.55))
_GRAINS = {"roof": (_ROOF, _roof_tile), "tufts": (_TUFTS, _tuft), "spots": (_PUDDLES, _puddle)}


# --- roads and marks ---


def _pave(face, rotation, looks, gates):
    """The roads; one that ends leads to its gate, where it has one, else to a round end."""
    centre_look = looks[face.roads[0].name] if face.roads else None
    for rim, part in ((2 * ROAD_RIM, "grain"), (0.0, "fill")):
        for road in face.roads:
            colour = getattr(looks[road.name], part)
            path = (road.path[0], gates[road.name]) if road.name in gates else road.path
            yield Polygon(_turn(ribbon(path, ROAD_WIDTH + rim), rotation), colour)
            if path is road.path and path[-1] != CENTRE and not {0.0, 1.0} & {*path[-1]}:  # nor on the border
                yield Circle(turned(path[-1], rotation), (ROAD_WIDTH + rim) / 2, colour)
        if face.crossing:
            radius = PLAZA if face.fountain else ROAD_WIDTH / 2
            yield Circle(CENTRE, radius + rim / 2, getattr(centre_look, part))


_CROSSINGS = {"fountain": fountain, "village": village}


def _place_marks(tile, rotation, features):
    for segment in tile.segments:
        mark = find_feature(features, segment.feature).mark
        anchors = [turned(anchor, rotation) for anchor in anchors_of(tile)[segment.name]]
        for anchor in anchors[: segment.marks]:
            yield from mark_icon(mark, anchor)
        for anchor in anchors[segment.marks : segment.marks + segment.nests]:
            yield from nest(anchor)


BESIDE_SEAM = 0.03  # how far from a seam one looks for what it parts
HOUSE_MARGIN = 0.09  # kept free along walls
MARK_MARGIN = 0.19  # and round marks and gates
MONASTERY = (0.5, 0.54)  # its middle; the tower reaches higher
_HOUSES = (
    (0.14, 0.13), (0.37, 0.1), (0.63, 0.12), (0.87, 0.14), (0.25, 0.3), (0.5, 0.29), (0.76, 0.31), (0.12, 0.47),
    (0.37, 0.49), (0.63, 0.48), (0.88, 0.5), (0.24, 0.67), (0.5, 0.68), (0.77, 0.67), (0.13, 0.87), (0.38, 0.88),
    (0.62, 0.87), (0.87, 0.86),
)  # fmt: skip


def find_walls(face: Face, looks: Mapping[str | None, Look]) -> list[Path]:
    """Return the seams of a `Face` that part walled ground from something else; `looks` are those of its segments."""
    return [seam for seam in face.seams if _parts_walled(seam, face, looks)]


def _parts_walled(seam, face, looks):
    middle = len(seam) // 2
    ahead = direction(seam[middle - 1], seam[middle])
    beside = [moved(seam[middle - 1], (-ahead[1], ahead[0]), way * BESIDE_SEAM) for way in (-1, 1)]
    return any(looks[face.patches[owner].name].walled for owner in patches_at(np.array(beside), face))


def find_gates(face: Face, walls: Sequence[Path]) -> dict[str, Point]:
    """Return name of a road -> the point where it ends at one of `walls`; not those that end at a building."""
    points = [point for wall in walls for point in wall]
    ends = {road.name: road.path[-1] for road in face.roads if road.path[-1] not in (CENTRE, *BORDER)}
    if not points or face.building:
        return {}
    return {name: min(points, key=lambda point: math.dist(point, end)) for name, end in ends.items()}


def raise_buildings(
    tile: Tile, rotation: int, looks: Mapping[str | None, Look], gates: Mapping[str, Point]
) -> Iterator[Shape]:
    """Yield houses inside walls, the gates, and the building in the centre."""
    face = face_of(tile)
    kept_free = [*gates.values()]
    for segment in tile.segments:
        kept_free += anchors_of(tile)[segment.name][: segment.marks + segment.nests]
    names = [patch.name for patch in face.patches]
    points = [(point, turned(point, NUM_ROTATIONS - rotation % NUM_ROTATIONS)) for point in _HOUSES]
    owners = owners_of(np.array([back for _, back in points]), face, HOUSE_MARGIN).tolist()
    for number, ((point, back), owner) in enumerate(zip(points, owners, strict=True)):
        is_free = all(math.dist(back, other) > MARK_MARGIN for other in kept_free)
        if owner >= 0 and looks[names[owner]].pattern == "houses" and is_free:
            yield from small_house(point, HOUSE, number)
    for road in face.roads:
        if road.name in gates:
            at, outside = (turned(point, rotation) for point in (gates[road.name], road.path[0]))
            yield from gate(at, direction(at, outside))
    if face.building:
        yield from monastery(MONASTERY)
