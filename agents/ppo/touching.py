"""What the planes of an observation say of each legal placement: the areas that the tile would touch.

AREA DESCRIPTION
    A placement is a cell and a rotation in which the tile to place fits. It would touch some areas, in no order, so
    that alike placements have alike areas, wherever the cell and whatever the rotation. Each is told by

    `ROLES`         one-hot     own: a segment of the tile would be in it; told as it would be then
                                continued: the tile would continue it; told as it is
                                stopped: the tile would lie beside it and close it there, or lie around it;
                                told as it would be then
    the feature     one-hot
    `AREA_COLUMNS`  scaled by `AREA_SCALES`
    `PAID_COLUMNS`  the tile would complete it; what it would pay, without tokens, negative for the opponent; whether
                    the marker would find a token there (rule Z22), negative for the opponent

Tiles and open sides of areas that the tile would join are added up. What two of them share counts twice.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from zamek_agents.ppo.board_map import FITS, MOST_SIZE, WALL, Map, count_features
from zamek_agents.ppo.joining import Touch, close_towards, find_touch
from zamek_agents.ppo.surroundings import (
    AREA_COLUMNS,
    FOLLOWERS,
    MARKS,
    OPEN_PORTS,
    OPEN_SIDES,
    TILES,
    Board,
    is_free,
    read_board,
)
from zamek_env.components.model import NUM_AROUND, NUM_PORTS, NUM_ROTATIONS, NUM_SIDES
from zamek_env.core.bits import as_index
from zamek_env.core.jit import kernel
from zamek_env.core.tables import NONE

ROLES = ("own", "continued", "stopped")
OWN, CONTINUED, STOPPED = range(len(ROLES))
AREA_SCALES = np.array([0.2, 0.25, 0.25, 0.5, 0.5, 0.5], np.float32)  # make most entries lie between 0 and 1
PAID_COLUMNS = ("complete", "points", "token")
COMPLETE, POINTS, TOKEN = range(-len(PAID_COLUMNS), 0)  # the last columns of a row
POINT_SCALE = 0.1
SIDE_COLUMNS = ("tiles", "walls")  # how many sides of the cell have a tile, or no space of the board


class Placements(NamedTuple):
    """The m legal placements of several observations, and the k areas that they would touch, one after another."""

    samples: npt.NDArray[np.int64]  # (m,) the number of the observation, ascending
    actions: npt.NDArray[np.int64]  # (m,)
    sides: npt.NDArray[np.float32]  # (m, `SIDE_COLUMNS`)
    areas: npt.NDArray[np.float32]  # (k, `count_columns`)
    owners: npt.NDArray[np.int64]  # (k,) the number of the placement that would touch it, ascending


def count_columns(board_map: Map) -> int:
    """Return how many entries an area has."""
    return len(ROLES) + count_features(board_map) + len(AREA_COLUMNS) + len(PAID_COLUMNS)


def describe_placements(
    board_map: Map, planes: npt.NDArray[np.uint8], tiles: npt.NDArray[np.int64], ahead: npt.NDArray[np.uint8]
) -> Placements:
    """Return the `Placements` in the `planes`, uint8 `(n, rows, columns, planes)`.

    `tiles`, int64 `(n,)`, are the kinds of the tiles to place; `ahead` tells which tokens lie ahead (`track.py`).
    """
    flat = np.ascontiguousarray(planes).reshape(len(planes), -1, planes.shape[-1])
    first = board_map.planes[FITS]
    many = int(np.count_nonzero(flat[:, :, first : first + NUM_ROTATIONS]))
    most = board_map.feature.shape[1] + NUM_PORTS + NUM_AROUND
    found = Placements(
        np.empty(many, np.int64),
        np.empty(many, np.int64),
        np.empty((many, len(SIDE_COLUMNS)), np.float32),
        np.empty((many * most, count_columns(board_map)), np.float32),
        np.empty(many * most, np.int64),
    )
    written = _describe(board_map, flat, tiles, ahead, found)
    return found._replace(areas=found.areas[:written], owners=found.owners[:written])


@kernel
def _describe(board_map, planes, tiles, ahead, found):
    """Write all that was `found`; return how many areas that are."""
    sites, segments, columns = board_map.beside.shape[0], board_map.feature.shape[1], AREA_SCALES.size
    face, parent = np.empty(sites, np.int16), np.empty(sites * segments, np.int16)
    areas = np.empty((sites * segments, columns), np.int16)
    touch = Touch(
        np.empty(NUM_PORTS, np.int64),
        np.empty(NUM_PORTS, np.bool_),
        np.empty(segments, np.int16),
        np.empty((segments, columns), np.int16),
    )
    fits = as_index(board_map.planes[FITS])
    count, written = 0, 0
    for sample in range(planes.shape[0]):
        board = Board(planes[sample], face, parent, areas)
        is_read = False
        for square in range(planes.shape[1]):
            for rotation in range(NUM_ROTATIONS):
                if planes[sample, square, fits + rotation] == 0:
                    continue
                if not is_read:
                    read_board(board_map, board)
                    is_read = True
                shown = tiles[sample] * NUM_ROTATIONS + rotation
                find_touch(board_map, board, square, shown, touch)
                first = written
                written = _write_own(board_map, shown, touch, ahead[sample], found.areas, written)
                written = _write_facing(board_map, board, square, touch, ahead[sample], found.areas, written)
                written = _write_around(board_map, board, square, ahead[sample], found.areas, written)
                found.samples[count] = sample
                found.actions[count] = board_map.cell[square] * NUM_ROTATIONS + rotation
                found.owners[first:written] = count
                _write_sides(board_map, board, square, found.sides[count])
                count += 1
    return written


@kernel
def _write_own(board_map, shown, touch, ahead, areas, written):
    """Write the areas in which segments of the tile would be; return how many are `written` now."""
    for segment in range(touch.group.size):
        feature = board_map.feature[shown, segment]
        if feature > NONE and touch.group[segment] == segment:
            _write_area(board_map, OWN, feature, touch.after[segment], areas[written])
            _write_paid(board_map, feature, touch.after[segment], ahead, areas[written])
            written += 1
    return written


@kernel
def _write_facing(board_map, board, square, touch, ahead, areas, written):
    """Write the areas that face the tile; return how many are `written` now."""
    columns = np.empty(AREA_SCALES.size, np.int16)
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
        segments = board_map.feature.shape[1]
        feature = board_map.feature[as_index(board.face[root // segments]), root % segments]
        if is_joined:
            _write_area(board_map, CONTINUED, feature, board.areas[root], areas[written])
        else:
            columns[:] = board.areas[root]
            close_towards(board_map, board, square, touch, port, columns)
            _write_area(board_map, STOPPED, feature, columns, areas[written])
            _write_paid(board_map, feature, columns, ahead, areas[written])
        written += 1
    return written


@kernel
def _write_around(board_map, board, square, ahead, areas, written):
    """Write the surrounded areas around the `square`; return how many are `written` now."""
    columns = np.empty(AREA_SCALES.size, np.int16)
    for number in range(board_map.around.shape[1]):
        around = board_map.around[square, number]
        if around <= WALL or board.face[around] <= NONE:
            continue
        for segment in range(board_map.feature.shape[1]):
            feature = board_map.feature[as_index(board.face[around]), segment]
            if feature > NONE and board_map.surrounded[feature]:
                columns[:] = board.areas[around * board_map.feature.shape[1] + segment]
                columns[TILES] += 1
                columns[OPEN_PORTS] -= 1
                columns[OPEN_SIDES] -= 1
                _write_area(board_map, STOPPED, feature, columns, areas[written])
                _write_paid(board_map, feature, columns, ahead, areas[written])
                written += 1
    return written


@kernel
def _write_area(board_map, role, feature, columns, row):
    row.fill(0)
    row[role] = 1
    row[len(ROLES) + as_index(feature)] = 1
    first = len(ROLES) + board_map.completes.size
    for column in range(columns.size):
        row[first + column] = columns[column] * AREA_SCALES[column]


@kernel
def _write_paid(board_map, feature, columns, ahead, row):
    if columns[OPEN_PORTS] > 0 or not board_map.completes[feature]:
        return
    row[COMPLETE] = 1
    lead = columns[FOLLOWERS] - columns[FOLLOWERS + 1]
    if lead == 0:
        return
    marks, size = np.int64(columns[MARKS]), min(np.int64(columns[TILES]), MOST_SIZE)
    points = board_map.points[feature, min(marks, 1), size] + marks * board_map.mark_points[feature]
    sign = 1 if lead > 0 else -1
    row[POINTS] = sign * points * POINT_SCALE
    row[TOKEN] = sign * np.int64(ahead[int(lead < 0), min(points, ahead.shape[1] - 1)])


@kernel
def _write_sides(board_map, board, square, sides):
    sides.fill(0)
    for side in range(NUM_SIDES):
        beside = board_map.beside[square, side]
        is_tile = beside > WALL and board.face[beside] > NONE
        sides[0] += is_tile
        sides[1] += not is_tile and not is_free(board_map, board, beside)
