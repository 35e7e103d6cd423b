"""What a tile would join, if it lay on a square, and the areas in which its segments would be then."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from zamek_agents.ppo.board_map import WALL
from zamek_agents.ppo.surroundings import (
    FACING_PORT,
    MARKS,
    OPEN_PORTS,
    OPEN_SIDES,
    TILES,
    add_around,
    find_facing,
    find_root,
    is_first_port,
    is_free,
)
from zamek_env.components.model import NUM_PORTS, PORTS_PER_SIDE
from zamek_env.core.bits import as_index
from zamek_env.core.jit import kernel
from zamek_env.core.tables import NONE


class Touch(NamedTuple):
    """What a tile would join, if it lay on a square."""

    root: npt.NDArray[np.int64]  # (12,) the root of the area that faces that port, NONE for none
    joins: npt.NDArray[np.bool_]  # (12,) the tile would continue it there
    group: npt.NDArray[np.int16]  # (segments,) equal for segments of the tile that would be in one area
    after: npt.NDArray[np.int16]  # (segments, `AREA_COLUMNS`) of that area, at the segment that names the group


@kernel
def find_touch(board_map, board, square, shown, touch):
    """Write what a tile that shows the face `shown` would join on a `square`."""
    segments = board_map.feature.shape[1]
    for segment in range(segments):
        touch.group[segment] = segment
    for port in range(NUM_PORTS):
        touch.root[port], touch.joins[port] = NONE, False
        beside = board_map.beside[square, port // PORTS_PER_SIDE]
        if beside <= WALL or board.face[beside] <= NONE:
            continue
        facing = find_facing(board_map, board.face, beside, port)
        if facing <= NONE:
            continue
        touch.root[port] = find_root(board.parent, beside * segments + facing)
        own = board_map.segment[shown, port]
        if own > NONE and board_map.feature[shown, own] == board_map.feature[as_index(board.face[beside]), facing]:
            touch.joins[port] = True
            for other in range(port):
                if touch.joins[other] and touch.root[other] == touch.root[port]:
                    _rename(touch.group, touch.group[own], touch.group[as_index(board_map.segment[shown, other])])
    _foresee(board_map, board, square, shown, touch)


@kernel
def _rename(group, old, new):
    for segment in range(group.size):
        if group[segment] == old:
            group[segment] = new


@kernel
def _foresee(board_map, board, square, shown, touch):
    """Write `after`."""
    group, after = touch.group, touch.after
    after.fill(0)
    for segment in range(group.size):
        feature = board_map.feature[shown, segment]
        if feature > NONE:
            to = as_index(group[segment])
            after[to, TILES] += group[segment] == segment  # each group once
            after[to, MARKS] += board_map.marks[shown, segment]
            if board_map.surrounded[feature]:
                add_around(board_map, board, square, after[to])
    for port in range(NUM_PORTS):
        own = board_map.segment[shown, port]
        if own <= NONE:
            continue
        to = as_index(group[own])
        if touch.joins[port]:
            if _is_first_joined(touch, port):
                for column in range(after.shape[1]):
                    after[to, column] += board.areas[touch.root[port], column]
                close_towards(board_map, board, square, touch, port, after[to])
        elif is_free(board_map, board, board_map.beside[square, port // PORTS_PER_SIDE]):
            after[to, OPEN_PORTS] += 1
            after[to, OPEN_SIDES] += is_first_port(board_map, shown, port)


@kernel
def _is_first_joined(touch, port):
    """Return whether the area at a `port` is not joined at a port before."""
    for other in range(port):
        if touch.joins[other] and touch.root[other] == touch.root[port]:
            return False
    return True


@kernel
def close_towards(board_map, board, square, touch, port, columns):
    """Take from the `columns` of the area that faces a `port` what is open towards the `square`."""
    for other in range(NUM_PORTS):
        if touch.root[other] == touch.root[port]:
            beside = as_index(board_map.beside[square, other // PORTS_PER_SIDE])
            columns[OPEN_PORTS] -= 1
            columns[OPEN_SIDES] -= is_first_port(board_map, as_index(board.face[beside]), FACING_PORT[other])
