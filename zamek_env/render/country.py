"""Where on a tile of the open country walls run, roads pass through gates, and buildings stand."""

import math
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from zamek_env.components.model import NUM_ROTATIONS, Tile
from zamek_env.render.anchors import anchors_of, owners_of, patches_at
from zamek_env.render.buildings import gate, monastery, small_house
from zamek_env.render.faces import BORDER, CENTRE, Face, face_of, turned
from zamek_env.render.palette import Look
from zamek_env.render.shapes import Path, Point, Shape, direction, moved

BESIDE_SEAM = 0.03  # how far from a seam one looks for what it parts
HOUSE = 0.14  # size of one inside a wall
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
    kept_free = [*gates.values(), *(anchor for segment in tile.segments for anchor in _mark_anchors(tile, segment))]
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


def _mark_anchors(tile, segment):
    return anchors_of(tile)[segment.name][: segment.marks + segment.nests]
