"""The areas that a placement would touch, as rows of numbers.

AREA DESCRIPTION
    The areas come in no order, so that alike placements have alike areas, wherever the cell and whatever the
    rotation. Each is described by

    `ROLES`         one-hot     own: a segment of the tile would be in it; shown as it would be then
                                continued: the tile would continue it; shown as it is
                                stopped: the tile would lie beside it and close it there, or lie around it;
                                shown as it would be then
                                crowded: somebody is in it, and the tile would lie beside a square to which it is
                                open; shown as it is, but for its openings, which are shown as they would be then;
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

import numpy as np

from zamek_agents.ppo.board_map import MOST_SIZE, WALL, count_features, has_farms
from zamek_agents.ppo.farming import FARM_COLUMNS, write_farms, write_farms_after
from zamek_agents.ppo.joining import close_towards
from zamek_agents.ppo.openings import (
    OPENING_COLUMNS,
    is_crowded,
    write_crowded_openings,
    write_openings,
    write_openings_after,
    write_surrounded_openings,
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
)
from zamek_env.components.model import NUM_PORTS
from zamek_env.core.bits import as_index
from zamek_env.core.jit import kernel
from zamek_env.core.tables import NONE

ROLES = ("own", "continued", "stopped", "crowded")
OWN, CONTINUED, STOPPED, CROWDED = range(len(ROLES))
PAID_COLUMNS = ("complete", "points", "token")
FITTED, COMPLETE, POINTS, TOKEN = range(-len(PAID_COLUMNS) - 1, 0)  # the last columns of a row
POINT_SCALE = 0.1


def count_columns(board_map: np.record) -> int:
    """Return how many entries an area has."""
    kinds = (ROLES, board_map.scales, OPENING_COLUMNS, PAID_COLUMNS, *((FARM_COLUMNS,) if has_farms(board_map) else ()))
    return count_features(board_map) + sum(map(len, kinds)) + 1  # `FITTED`


@kernel
def write_touched(board_map, scene, square, shown, ahead, areas, written):
    """Write the areas that a tile would touch on a `square`, once that is foreseen; return how many are `written` now.

    `shown` is the face that it shows; `ahead` says which tokens lie ahead (`Track`).
    """
    own = _write_own(board_map, scene, square, shown, ahead, areas, written)
    facing = _write_facing(board_map, scene, ahead, areas, own)
    around = _write_around(board_map, scene, square, ahead, areas, facing)
    return _write_crowded(board_map, scene, areas, around)


@kernel
def write_segment(board_map, scene, square, segment, ahead, row):
    """Write the area of a `segment` of the tile on a `square`, if there is one, as it is, and what it pays to `row`."""
    board, _, openings, _ = scene
    feature = board_map.feature[as_index(board.face[square]), segment]
    if feature <= NONE:
        return
    root = find_root(board.parent, square * board_map.feature.shape[1] + segment)
    _write_as_it_is(board_map, scene, feature, root, row)
    if board_map.surrounded[feature]:
        write_surrounded_openings(board_map, board, openings, NONE, square, _find_openings(board_map, row))
    _write_paid(board_map, feature, board.areas[root], ahead, row)


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
                write_surrounded_openings(board_map, board, openings, square, square, _find_openings(board_map, row))
            else:
                write_openings_after(openings, segment, _find_openings(board_map, row))
            write_farms_after(board_map, board, touch, farms, feature, segment, _find_farms(row))
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
            write_openings_after(openings, segments + port, _find_openings(board_map, row))
            write_farms(board_map, board, farms, feature, root, columns, _find_farms(row))
            _write_paid(board_map, feature, columns, ahead, row)
        written += 1
    return written


@kernel
def _write_as_it_is(board_map, scene, feature, root, row):
    """Write the area of a `feature` at a `root` of the board, but for what it pays."""
    board, farms, openings, _ = scene
    _write_area(board_map, CONTINUED, feature, board.areas[root], row)
    write_openings(openings, root, _find_openings(board_map, row))
    write_farms(board_map, board, farms, feature, root, board.areas[root], _find_farms(row))


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
            if feature <= NONE or not board_map.surrounded[feature]:
                continue
            root, row = around * board_map.feature.shape[1] + segment, areas[written]
            columns[:] = board.areas[root]
            columns[TILES] += 1
            columns[OPEN_PORTS] -= 1
            columns[OPEN_SIDES] -= 1
            _write_area(board_map, STOPPED, feature, columns, row)
            write_surrounded_openings(board_map, board, openings, square, around, _find_openings(board_map, row))
            write_farms(board_map, board, farms, feature, root, columns, _find_farms(row))
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
        row[FITTED] = write_crowded_openings(openings, number, _find_openings(board_map, row))
        write_farms(board_map, board, farms, feature, root, board.areas[root], _find_farms(row))
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
