"""Geometry of one tile at rotation 0: which ground each segment covers, where roads run, where pieces are drawn.

The tile is the unit square. Its border is walked clockwise in eight half-sides; corners are even, middles odd:

        0 ----- 1 ----- 2
        |       |       |       half-side k runs from border point k to k + 1
        7 ------+------ 3
        |       |       |
        6 ----- 5 ----- 4

Ground is laid in patches, later ones over earlier ones, so that no shape ever needs to be cut out of another.
"""

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from zamek_env.components.model import NUM_SIDES, PORTS_PER_SIDE, Tile
from zamek_env.render.shapes import Path, Point, between, curve

BORDER = ((0.0, 0.0), (0.5, 0.0), (1.0, 0.0), (1.0, 0.5), (1.0, 1.0), (0.5, 1.0), (0.0, 1.0), (0.0, 0.5))
NUM_HALVES = len(BORDER)
CENTRE = (0.5, 0.5)
ROAD_WIDTH = 0.17
FOUNTAIN_ARMS = 3  # that many roads that end on one tile meet at a fountain
CAP_DEPTH = 0.93  # how far the seam round a patch leans towards the centre
CAP_LEAN = 0.14
DEAD_END = 0.84  # part of the way to the centre


@dataclass(frozen=True)
class Patch:
    """Ground of one segment; `name` is None where the face shows nothing."""

    name: str | None
    outline: Path


@dataclass(frozen=True)
class Road:
    """One stretch of a segment that lies on the middle ports."""

    name: str
    path: Path  # from the border inwards, or from border to border


@dataclass(frozen=True)
class Face:
    """The look of a tile at rotation 0."""

    patches: tuple[Patch, ...]  # the first lowest
    seams: tuple[Path, ...]  # paths along which two patches meet
    roads: tuple[Road, ...]
    crossing: bool  # roads meet in the centre
    fountain: bool
    building: bool  # a segment without ports is in the centre


@dataclass(frozen=True)
class _Run:
    """Neighbouring half-sides of one segment, from border point `start` to `end` (which may count past 8)."""

    name: str | None
    start: int
    end: int
    parts: bool = False  # lies between all others, so that they do not meet


@lru_cache(maxsize=1024)
def face_of(tile: Tile) -> Face:
    """Return the `Face` of a `Tile`."""
    arms = _find_arms(tile)
    building = any(not segment.ports for segment in tile.segments)
    junctions, fountain = _find_junctions(arms, building)
    patches, seams = _lay_ground(tile, junctions)
    roads = tuple(_lay_roads(arms, junctions))
    crossing = any(len(sides) >= FOUNTAIN_ARMS for sides in junctions)
    return Face(tuple(patches), tuple(seams), roads, crossing, fountain, building)


# --- ground ---


def _lay_ground(tile, junctions):
    runs = _find_runs(tile)
    if not junctions:
        return _fill(runs, None, _find_surroundings(tile, runs))
    patches, seams = [], []
    passed: set[int] = set()
    for sides in junctions:
        for number, side in enumerate(sides):
            after = sides[(number + 1) % len(sides)]
            start, end = 2 * side + 1, 2 * after + 1
            end += NUM_HALVES if end <= start else 0
            if passed & {middle % NUM_HALVES for middle in range(start + 1, end)}:
                continue  # laid with an earlier road
            more = _fill(_cut_runs(runs, start, end), _road_path(after, side, len(sides)))
            patches += more[0]
            seams += more[1]
        passed |= {2 * side + 1 for side in sides}
    return patches, seams


def _find_runs(tile):
    names = []
    for half in range(NUM_HALVES):
        segment = tile.segment_at(PORTS_PER_SIDE * (half // 2) + 2 * (half % 2))
        names.append(segment.name if segment else None)
    starts = [half for half in range(NUM_HALVES) if names[half] != names[half - 1]]
    if not starts:
        return [_Run(names[0], 0, NUM_HALVES)]
    ends = [*starts[1:], starts[0] + NUM_HALVES]
    return [_Run(names[start], start, end) for start, end in zip(starts, ends, strict=True)]


def _cut_runs(runs, start, end):
    """Return the parts of `runs` between two border points, clockwise."""
    doubled = [_Run(run.name, run.start + turn, run.end + turn) for turn in (0, NUM_HALVES) for run in runs]
    doubled = [_Run(runs[-1].name, runs[-1].start - NUM_HALVES, runs[-1].end - NUM_HALVES), *doubled]
    parts = [_Run(run.name, max(run.start, start), min(run.end, end)) for run in doubled]
    return [part for part in parts if part.start < part.end]


def _find_surroundings(tile, runs):
    """Return the run that shows on half of the border or more, on a tile with segments that touch others."""
    longest = max(runs, key=lambda run: run.end - run.start)
    touching = {segment.name for segment in tile.segments if segment.touches}
    if not touching or longest.end - longest.start < NUM_HALVES // 2:
        return None
    return replace(longest, parts=longest.name in touching)


def _fill(runs, path, trunk=None):
    """Cover the ground between `runs` and `path`, which leads inside from their end back to their start.

    `path` is None for a whole tile; `trunk` is the run that covers the middle, found here where it is None. Returns
    patches and seams.
    """
    middle = trunk or _find_trunk(runs, path is None)
    outline = _border(runs[0].start, runs[-1].end) + (path or ())
    if middle is None:
        return _fill_sectors(runs, path or ())
    patches, seams = [Patch(middle.name, outline)], []
    for gap in _find_gaps(runs, middle, path is None):
        seam = _cap(gap[-1].end, gap[0].start)
        more = _fill(gap, seam)
        patches += more[0]
        seams += [seam, *more[1]]
    return patches, seams


def _find_trunk(runs, whole):
    """Return the run whose segment covers the middle of the ground, or None where sectors meet there."""
    if len(runs) == 1:
        return runs[0]
    names = [run.name for run in runs]
    trunk = max(runs, key=lambda run: names.count(run.name))
    if names.count(trunk.name) > 1:
        return trunk
    return max(runs, key=lambda run: run.end - run.start) if whole and len(runs) == 2 else None


def _find_gaps(runs, trunk, whole):
    """Return the lists of neighbouring runs that belong to other segments than `trunk`, each alone if it `parts`."""
    name = trunk.name
    first = next(number for number, run in enumerate(runs) if run.name == name) if whole else 0
    turned = runs[first:] + [_Run(run.name, run.start + NUM_HALVES, run.end + NUM_HALVES) for run in runs[:first]]
    gaps: list[list[_Run]] = [[]]
    for run in turned:
        if run.name == name:
            gaps.append([])
        elif trunk.parts:
            gaps.append([run])
        else:
            gaps[-1].append(run)
    return [gap for gap in gaps if gap]


def _fill_sectors(runs, path):
    """Divide the ground into one sector a run; all meet in the middle of `path`, which is empty for a whole tile."""
    hub = path[len(path) // 2] if path else CENTRE
    legs = [_leg(run.end, hub) for run in runs]
    if path:
        legs[-1] = path[: len(path) // 2 + 1]
    backs = [path[len(path) // 2 :] if path else legs[-1][::-1], *(leg[::-1] for leg in legs[:-1])]
    patches = [
        Patch(run.name, _border(run.start, run.end) + leg + back)
        for run, leg, back in zip(runs, legs, backs, strict=True)
    ]
    return patches, (legs[:-1] if path else legs)


def _border(start, end):
    return tuple(BORDER[point % NUM_HALVES] for point in range(start, end + 1))


def _cap(start, end):
    """Return a path round what lies between two border points: towards the centre, leaning a little to one side."""
    first, second = BORDER[start % NUM_HALVES], BORDER[end % NUM_HALVES]
    lean = (CAP_LEAN * (second[1] - first[1]), CAP_LEAN * (first[0] - second[0]))
    near, far = between(first, CENTRE, CAP_DEPTH), between(second, CENTRE, CAP_DEPTH)
    return curve(first, (near[0] + lean[0], near[1] + lean[1]), (far[0] - lean[0], far[1] - lean[1]), second)


def _leg(start, hub):
    """Return a slightly bent path from a border point to the hub."""
    first = BORDER[start % NUM_HALVES]
    bend = (hub[1] - first[1], first[0] - hub[0])
    near, far = between(first, hub, 0.35), between(first, hub, 0.7)
    handles = ((near[0] + 0.12 * bend[0], near[1] + 0.12 * bend[1]), (far[0] - 0.06 * bend[0], far[1] - 0.06 * bend[1]))
    return curve(first, *handles, hub, steps=8)


# --- roads ---


def _find_arms(tile):
    """Return side -> name of the segment on its middle port."""
    segments = {side: tile.segment_at(PORTS_PER_SIDE * side + 1) for side in range(NUM_SIDES)}
    return {side: segment.name for side, segment in segments.items() if segment}


def _find_junctions(arms, building):
    """Return the sides joined by each road, and whether the roads that end here meet at a fountain.

    Two roads that end at a `building` are joined there as well.
    """
    by_name = {name: tuple(side for side in arms if arms[side] == name) for name in dict.fromkeys(arms.values())}
    ends = tuple(sides[0] for sides in by_name.values() if len(sides) == 1)
    junctions = [sides for sides in by_name.values() if len(sides) > 1]
    fountain = len(ends) >= FOUNTAIN_ARMS
    joined = fountain or (building and len(ends) > 1)
    return junctions + ([tuple(sorted(ends))] if joined else []), fountain


def _road_path(start_side, end_side, num_arms):
    start, end = BORDER[2 * start_side + 1], BORDER[2 * end_side + 1]
    if num_arms == 2:
        return curve(start, between(start, CENTRE, 0.72), between(end, CENTRE, 0.72), end, steps=14)
    return (start, CENTRE, end)


def _lay_roads(arms, junctions):
    for sides in junctions:
        if len(sides) == 2 and arms[sides[0]] == arms[sides[1]]:
            yield Road(arms[sides[0]], _road_path(sides[0], sides[1], 2))
        else:
            yield from (Road(arms[side], (BORDER[2 * side + 1], CENTRE)) for side in sides)
    joined = [side for sides in junctions for side in sides]
    for side in arms:
        if side not in joined:
            start = BORDER[2 * side + 1]
            yield Road(arms[side], (start, between(start, CENTRE, DEAD_END)))


def turned(point: Point, rotation: int) -> Point:
    """Return `point` of the unit square after `rotation` clockwise quarter turns."""
    x, y = point
    for _ in range(rotation % NUM_SIDES):
        x, y = 1 - y, x
    return (x, y)


# --- where marks and followers are drawn, and which segment shows at a point ---


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
