"""What the planes of an observation say of each legal placement: the areas that the tile would touch.

AREA DESCRIPTION
    A placement is a cell and a rotation in which the tile to place fits. It would touch some areas, in no order, so
    that alike placements have alike areas, wherever the cell and whatever the rotation. Each is told by

    `ROLES`         one-hot     own: a segment of the tile would be in it; told as it would be then
                                continued: the tile would continue it; told as it is
                                stopped: the tile would lie beside it and close it there, or lie around it;
                                told as it would be then
                                crowded: somebody is in it, and the tile would lie beside a square to which it is
                                open; told as it is, but for its openings, which are told as they would be then;
                                left out where these would not change
    the feature     one-hot
    `AREA_COLUMNS`  scaled; then nests and special pieces where there are any (`surroundings.py`)
    `OPENING_COLUMNS`
                    where it is open, and what fits there (`openings.py`)
    `FARM_COLUMNS`  where followers may stand in fields: which of them touch which cities (`farming.py`)
    `FITTED`        how many tiles fit where fewest do now, scaled, of a crowded area
    `PAID_COLUMNS`  the tile would complete it; what it would pay, with princes and without tokens, negative for the
                    opponent; whether the marker would find a token there (rule Z22), negative for the opponent
"""

from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from zamek_agents.ppo.board_map import CURRENT, FITS, MOST_SIZE, TILE, WALL, count_features, has_farms
from zamek_agents.ppo.farming import (
    FARM_COLUMNS,
    foresee_farms,
    new_farms,
    read_farms,
    tell_farms,
    tell_farms_after,
)
from zamek_agents.ppo.joining import close_towards, find_touch, new_touch
from zamek_agents.ppo.openings import (
    MOST_CROWDED,
    OPENING_COLUMNS,
    foresee_openings,
    is_crowded,
    new_openings,
    read_openings,
    tell_around,
    tell_crowded,
    tell_openings,
    tell_openings_after,
)
from zamek_agents.ppo.surroundings import (
    MARKS,
    OPEN_PORTS,
    OPEN_SIDES,
    TILES,
    find_feature,
    find_leader,
    find_root,
    find_special,
    is_free,
    new_board,
    read_board,
)
from zamek_env.components.model import NUM_AROUND, NUM_PORTS, NUM_ROTATIONS, NUM_SIDES
from zamek_env.core.bits import as_index
from zamek_env.core.jit import kernel
from zamek_env.core.tables import NONE

ROLES = ("own", "continued", "stopped", "crowded")
OWN, CONTINUED, STOPPED, CROWDED = range(len(ROLES))
PAID_COLUMNS = ("complete", "points", "token")
FITTED, COMPLETE, POINTS, TOKEN = range(-len(PAID_COLUMNS) - 1, 0)  # the last columns of a row
POINT_SCALE = 0.1
SIDE_COLUMNS = ("tiles", "walls")  # how many sides of the cell have a tile, or no space of the board


Scene: TypeAlias = tuple[np.record, np.record, np.record, np.record]  # see `new_scene`


class Placements(NamedTuple):
    """The m legal placements of several observations, and the k areas that they would touch, one after another."""

    samples: npt.NDArray[np.int64]  # (m,) the number of the observation, ascending
    actions: npt.NDArray[np.int64]  # (m,)
    sides: npt.NDArray[np.float32]  # (m, `SIDE_COLUMNS`)
    areas: npt.NDArray[np.float32]  # (k, `count_columns`)
    owners: npt.NDArray[np.int64]  # (k,) the number of the placement that would touch it, ascending


def new_scene(board_map: np.record) -> Scene:
    """Return room for a board, its fields, its openings, and what a tile would join."""
    return new_board(board_map), new_farms(board_map), new_openings(board_map), new_touch(board_map)


def count_columns(board_map: np.record) -> int:
    """Return how many entries an area has."""
    kinds = (ROLES, board_map.scales, OPENING_COLUMNS, PAID_COLUMNS, *((FARM_COLUMNS,) if has_farms(board_map) else ()))
    return count_features(board_map) + sum(map(len, kinds)) + 1  # `FITTED`


def describe_placements(
    board_map: np.record,
    scene: Scene,
    planes: npt.NDArray[np.uint8],
    tiles: npt.NDArray[np.int64],
    left: npt.NDArray[np.int16],
    ahead: npt.NDArray[np.uint8],
) -> Placements:
    """Return the `Placements` in the `planes`, uint8 `(n, rows, columns, planes)`.

    `tiles`, int64 `(n,)`, are the kinds of the tiles to place; `left`, int16 `(n, kinds)`, is how many of each are not
    drawn yet; `ahead` tells which tokens lie ahead (`track.py`). Writes `scene`, which is scratch space.
    """
    flat = _flatten(planes)
    first = board_map.planes[FITS]
    many = int(np.count_nonzero(flat[:, :, first : first + NUM_ROTATIONS]))
    most = board_map.feature.shape[1] + NUM_PORTS + NUM_AROUND + MOST_CROWDED
    found = Placements(
        np.empty(many, np.int64),
        np.empty(many, np.int64),
        np.empty((many, len(SIDE_COLUMNS)), np.float32),
        np.empty((many * most, count_columns(board_map)), np.float32),
        np.empty(many * most, np.int64),
    )
    written = _describe(board_map, flat, tiles, left, ahead, scene, found)
    return found._replace(areas=found.areas[:written], owners=found.owners[:written])


def describe_segments(
    board_map: np.record,
    scene: Scene,
    planes: npt.NDArray[np.uint8],
    left: npt.NDArray[np.int16],
    ahead: npt.NDArray[np.uint8],
) -> npt.NDArray[np.float32]:
    """Return the area of each segment of the tile just placed, as it is, float32 `(n, segments, count_columns)`.

    It is told as one that is continued, and what it pays if it is complete. The arguments are those of
    `describe_placements`. Where there is no segment or no such tile, all entries are 0.
    """
    flat = _flatten(planes)
    told = np.zeros((len(flat), board_map.feature.shape[1], count_columns(board_map)), np.float32)
    _describe_segments(board_map, flat, left, ahead, scene, told)
    return told


def _flatten(planes):
    """Return planes without rows and columns, one square after another."""
    count, rows, columns, depth = planes.shape
    return np.ascontiguousarray(planes).reshape(count, rows * columns, depth)


@kernel
def _describe(board_map, planes, tiles, left, ahead, scene, found):
    """Write all that was `found`; return how many areas that are."""
    board, farms, openings, touch = scene
    fits = as_index(board_map.planes[FITS])
    count, written = 0, 0
    for sample in range(planes.shape[0]):
        is_read = False
        for square in range(planes.shape[1]):
            for rotation in range(NUM_ROTATIONS):
                if planes[sample, square, fits + rotation] == 0:
                    continue
                if not is_read:
                    _read(board_map, planes[sample], left[sample], scene)
                    is_read = True
                shown = tiles[sample] * NUM_ROTATIONS + rotation
                find_touch(board_map, board, square, shown, touch)
                foresee_openings(board_map, board, square, shown, touch, openings)
                if board_map.touches.size > 0:
                    foresee_farms(board_map, shown, touch, farms)
                first = written
                written = _write_own(board_map, scene, square, shown, ahead[sample], found.areas, written)
                written = _write_facing(board_map, scene, ahead[sample], found.areas, written)
                written = _write_around(board_map, scene, square, ahead[sample], found.areas, written)
                written = _write_crowded(board_map, scene, found.areas, written)
                found.samples[count] = sample
                found.actions[count] = board_map.cell[square] * NUM_ROTATIONS + rotation
                found.owners[first:written] = count
                _write_sides(board_map, board, square, found.sides[count])
                count += 1
    return written


@kernel
def _describe_segments(board_map, planes, left, ahead, scene, told):
    """Write what is `told`."""
    board, _, openings, _ = scene
    segments, current = board_map.feature.shape[1], as_index(board_map.planes[CURRENT])
    for sample in range(planes.shape[0]):
        square = 0
        while square < planes.shape[1] and planes[sample, square, current] == 0:
            square += 1
        if square == planes.shape[1] or planes[sample, square, as_index(board_map.planes[TILE])] == 0:
            continue
        _read(board_map, planes[sample], left[sample], scene)
        for segment in range(segments):
            feature, row = board_map.feature[as_index(board.face[square]), segment], told[sample, segment]
            if feature > NONE:
                root = find_root(board.parent, square * segments + segment)
                _write_as_it_is(board_map, scene, feature, root, row)
                if board_map.surrounded[feature]:
                    tell_around(board_map, board, openings, NONE, square, _find_openings(board_map, row))
                _write_paid(board_map, feature, board.areas[root], ahead[sample], row)


@kernel
def _read(board_map, planes, left, scene):
    """Find all that there is to be known about the board that the `planes` show."""
    board, farms, openings, _ = scene
    read_board(board_map, planes, board)
    read_openings(board_map, board, left, openings)
    if board_map.touches.size > 0:
        read_farms(board_map, board, farms)


@kernel
def _write_own(board_map, scene, square, shown, ahead, areas, written):
    """Write the areas in which segments of the tile would be; return how many are `written` now."""
    board, farms, openings, touch = scene
    for segment in range(touch.group.size):
        feature = board_map.feature[shown, segment]
        if feature > NONE and touch.group[segment] == segment:
            row, columns = areas[written], touch.after[segment]
            _write_area(board_map, OWN, feature, columns, row)
            if board_map.surrounded[feature]:
                tell_around(board_map, board, openings, square, square, _find_openings(board_map, row))
            else:
                tell_openings_after(openings, segment, _find_openings(board_map, row))
            if board_map.touches.size > 0:
                tell_farms_after(board_map, board, touch, farms, feature, segment, _find_farms(row))
            _write_paid(board_map, feature, columns, ahead, row)
            written += 1
    return written


@kernel
def _write_facing(board_map, scene, ahead, areas, written):
    """Write the areas that face the tile; return how many are `written` now."""
    board, farms, openings, touch = scene
    segments = board_map.feature.shape[1]
    columns = np.empty(board_map.scales.size, np.int16)
    for port in range(NUM_PORTS):
        root = touch.root[port]
        if root <= NONE:
            continue
        is_first, is_joined = True, False
        for other in range(NUM_PORTS):
            if touch.root[other] == root:
                is_first = is_first and other >= port
                is_joined = is_joined or touch.joins[other]
        if not is_first:
            continue
        row, feature = areas[written], find_feature(board_map, board, root)
        if is_joined:
            _write_as_it_is(board_map, scene, feature, root, row)
        else:
            columns[:] = board.areas[root]
            close_towards(touch, port, columns)
            _write_area(board_map, STOPPED, feature, columns, row)
            tell_openings_after(openings, segments + port, _find_openings(board_map, row))
            if board_map.touches.size > 0:
                tell_farms(board_map, board, farms, feature, root, columns, _find_farms(row))
            _write_paid(board_map, feature, columns, ahead, row)
        written += 1
    return written


@kernel
def _write_as_it_is(board_map, scene, feature, root, row):
    """Write the area of a `feature` at a `root` of the board, but for what it pays."""
    board, farms, openings, _ = scene
    _write_area(board_map, CONTINUED, feature, board.areas[root], row)
    tell_openings(openings, root, _find_openings(board_map, row))
    if board_map.touches.size > 0:
        tell_farms(board_map, board, farms, feature, root, board.areas[root], _find_farms(row))


@kernel
def _write_around(board_map, scene, square, ahead, areas, written):
    """Write the surrounded areas around the `square`; return how many are `written` now."""
    board, farms, openings, _ = scene
    columns = np.empty(board_map.scales.size, np.int16)
    for number in range(board_map.around.shape[1]):
        around = board_map.around[square, number]
        if around <= WALL or board.face[around] <= NONE:
            continue
        for segment in range(board_map.feature.shape[1]):
            feature = board_map.feature[as_index(board.face[around]), segment]
            if feature > NONE and board_map.surrounded[feature]:
                root, row = around * board_map.feature.shape[1] + segment, areas[written]
                columns[:] = board.areas[root]
                columns[TILES] += 1
                columns[OPEN_PORTS] -= 1
                columns[OPEN_SIDES] -= 1
                _write_area(board_map, STOPPED, feature, columns, row)
                tell_around(board_map, board, openings, square, around, _find_openings(board_map, row))
                if board_map.touches.size > 0:
                    tell_farms(board_map, board, farms, feature, root, columns, _find_farms(row))
                _write_paid(board_map, feature, columns, ahead, row)
                written += 1
    return written


@kernel
def _write_crowded(board_map, scene, areas, written):
    """Write the areas that the tile would crowd; return how many are `written` now."""
    board, farms, openings, _ = scene
    for number in range(openings.num_crowded):
        if not is_crowded(openings, number):
            continue
        root, row = openings.crowded[number], areas[written]
        feature = find_feature(board_map, board, root)
        _write_area(board_map, CROWDED, feature, board.areas[root], row)
        row[FITTED] = tell_crowded(openings, number, _find_openings(board_map, row))
        if board_map.touches.size > 0:
            tell_farms(board_map, board, farms, feature, root, board.areas[root], _find_farms(row))
        written += 1
    return written


@kernel
def _find_openings(board_map, row):
    """Return the part of a `row` that holds the `OPENING_COLUMNS`."""
    first = len(ROLES) + board_map.completes.size + board_map.scales.size
    return row[first : first + len(OPENING_COLUMNS)]


@kernel
def _find_farms(row):
    """Return the part of a `row` that holds the `FARM_COLUMNS`, if there are any."""
    return row[FITTED - len(FARM_COLUMNS) : FITTED]


@kernel
def _write_area(board_map, role, feature, columns, row):
    row.fill(0)
    row[role] = 1
    row[len(ROLES) + as_index(feature)] = 1
    first = len(ROLES) + board_map.completes.size
    for column in range(columns.size):
        row[first + column] = columns[column] * board_map.scales[column]


@kernel
def _write_paid(board_map, feature, columns, ahead, row):
    if columns[OPEN_PORTS] > 0 or not board_map.completes[feature]:
        return
    row[COMPLETE] = 1
    sign = find_leader(columns)
    if sign == 0:
        return
    marks, size = np.int64(columns[MARKS]), min(np.int64(columns[TILES]), MOST_SIZE)
    points = board_map.points[feature, min(marks, 1), size] + marks * board_map.mark_points[feature]
    leader = int(sign < 0)
    for piece in range(board_map.factors.size):
        if columns[find_special(board_map, piece, leader)]:
            points *= board_map.factors[piece]
    row[POINTS] = sign * points * POINT_SCALE
    row[TOKEN] = sign * np.int64(ahead[leader, min(points, ahead.shape[1] - 1)])


@kernel
def _write_sides(board_map, board, square, sides):
    sides.fill(0)
    for side in range(NUM_SIDES):
        beside = board_map.beside[square, side]
        is_tile = beside > WALL and board.face[beside] > NONE
        sides[0] += is_tile
        sides[1] += not is_tile and not is_free(board, beside)
