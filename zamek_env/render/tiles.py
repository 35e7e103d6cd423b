"""Paints one tile, in board orientation."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from zamek_env.components.model import NUM_ROTATIONS, Feature, Tile
from zamek_env.render import palette
from zamek_env.render.anchors import anchors_of, owners_of
from zamek_env.render.buildings import city_wall, village
from zamek_env.render.country import find_gates, find_walls, raise_buildings
from zamek_env.render.faces import CENTRE, ROAD_WIDTH, face_of, turned
from zamek_env.render.icons import fountain, mark_icon, nest
from zamek_env.render.shapes import Circle, Lines, Path, Polygon, Shape, rectangle, ribbon

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
    return palette.look_of(name, features.index(find_feature(features, name)))


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
            if path is road.path and path[-1] != CENTRE and not _on_border(path[-1]):
                yield Circle(turned(path[-1], rotation), (ROAD_WIDTH + rim) / 2, colour)
        if face.crossing:
            radius = PLAZA if face.fountain else ROAD_WIDTH / 2
            yield Circle(CENTRE, radius + rim / 2, getattr(centre_look, part))


_CROSSINGS = {"fountain": fountain, "village": village}


def _on_border(point):
    return point[0] in (0.0, 1.0) or point[1] in (0.0, 1.0)


def _place_marks(tile, rotation, features):
    for segment in tile.segments:
        mark = find_feature(features, segment.feature).mark
        anchors = [turned(anchor, rotation) for anchor in anchors_of(tile)[segment.name]]
        for anchor in anchors[: segment.marks]:
            yield from mark_icon(mark, anchor)
        for anchor in anchors[segment.marks : segment.marks + segment.nests]:
            yield from nest(anchor)
