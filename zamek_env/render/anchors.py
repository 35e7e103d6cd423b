"""Finds where on a tile marks and followers are drawn, and which segment shows at a point."""

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from zamek_env.components.model import Tile
from zamek_env.render.faces import BORDER, CENTRE, ROAD_WIDTH, Face, face_of
from zamek_env.render.shapes import Point, between

SAMPLES = 18  # points a side among which the best anchor is chosen
BUILDING = 0.3  # radius of what a building in the centre covers
BESIDE_BUILDING = (0.58, 0.56)  # where a follower is drawn in front of it


@lru_cache(maxsize=1024)
def anchors_of(tile: Tile) -> dict[str, tuple[Point, ...]]:
    """Return segment name -> points at rotation 0: one for each mark, then each nest, then one for a follower."""
    face = face_of(tile)
    ticks = (np.arange(SAMPLES) + 0.5) / SAMPLES
    points = np.stack(np.meshgrid(ticks, ticks), -1).reshape(-1, 2)
    owners = owners_of(points, face, 0.0)
    if face.building:
        owners[np.linalg.norm(points - CENTRE, axis=1) < BUILDING] = -1
    names = [patch.name for patch in face.patches]
    anchors = {}
    for segment in tile.segments:
        path = next((road.path for road in face.roads if road.name == segment.name), None)
        if not segment.ports:
            anchors[segment.name] = (CENTRE,) * (segment.marks + segment.nests) + (BESIDE_BUILDING,)
        elif path:
            anchors[segment.name] = _road_anchors(path, segment.marks + segment.nests)
        elif segment.name in names:
            anchors[segment.name] = _ground_anchors(
                points, owners == names.index(segment.name), segment.marks + segment.nests
            )
    return anchors


def _road_anchors(path, marks):
    """Return points along the first stretch of a road: marks inside, the follower nearer to the border."""
    whole = path[0] in BORDER and path[-1] in BORDER
    inner = path[len(path) // 2] if whole else path[-1]
    near = path[len(path) // 5] if len(path) > 2 else between(path[0], path[-1], 0.42)
    return (inner,) * marks + (near if marks or not whole else inner,)


def _ground_anchors(points, inside, marks):
    """Return the points of `inside` farthest from the outside, and from one another."""
    inner, outer = points[inside], points[~inside]
    if not len(inner):
        return (CENTRE,) * (marks + 1)
    room = np.minimum(inner, 1 - inner).min(axis=1)
    room = np.minimum(room, np.linalg.norm(inner[:, None] - outer[None], axis=2).min(axis=1, initial=1.0))
    room -= 0.01 * np.linalg.norm(inner - CENTRE, axis=1)
    apart = np.linalg.norm(inner[:, None] - inner[None], axis=2) / 2
    if marks == 0:
        chosen = [room.argmax()]
    else:
        pairs = np.minimum(np.minimum(room[:, None], room[None]), apart)
        chosen = list(np.unravel_index(pairs.argmax(), pairs.shape))
    for _ in range(marks - 1):
        chosen.insert(0, np.minimum(room, apart[chosen].min(axis=0)).argmax())
    return tuple((float(x), float(y)) for x, y in inner[chosen])


def owners_of(points: npt.NDArray[np.float64], face: Face, margin: float) -> npt.NDArray[np.intp]:
    """Return `int[N]`: the number of the first patch of the segment at each point, -1 near a road or a seam.

    `margin` is how far from a seam a point must lie.
    """
    owners = patches_at(points, face)
    paths = [(road.path, ROAD_WIDTH / 2 + 0.02) for road in face.roads] + [(seam, margin) for seam in face.seams]
    for path, clearance in paths:
        owners[_distance(points, np.array(path)) < clearance] = -1
    return owners


def patches_at(points: npt.NDArray[np.float64], face: Face) -> npt.NDArray[np.intp]:
    """Return `int[N]`: the number of the first patch of the segment whose ground lies at each point, roads or not."""
    names = [patch.name for patch in face.patches]
    owners = np.full(len(points), -1)
    for patch in face.patches:
        owners[_inside(points, np.array(patch.outline))] = names.index(patch.name)
    return owners


def _inside(points, outline):
    """Even-odd test: bool[N], whether each of `points` lies inside `outline`."""
    x, y = points[:, :1], points[:, 1:]
    x1, y1 = outline.T
    x2, y2 = np.roll(outline, -1, axis=0).T
    rise = np.where(y1 == y2, 1.0, y2 - y1)
    crosses = ((y1 > y) != (y2 > y)) & (x < (x2 - x1) * (y - y1) / rise + x1)
    return crosses.sum(axis=1) % 2 == 1


def _distance(points, path):
    """Return float[N]: how far each of `points` lies from `path`."""
    start, along = path[:-1], np.diff(path, axis=0)
    length = np.maximum((along**2).sum(axis=1), 1e-12)
    part = np.clip(((points[:, None] - start) * along).sum(axis=2) / length, 0, 1)
    return np.linalg.norm(points[:, None] - start - part[..., None] * along, axis=2).min(axis=1)
