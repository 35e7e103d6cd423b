"""What a tile would join, if it lay on a square, and the areas in which its segments would be then."""

import numpy as np

from zamek_agents.ppo.board_map import WALL
from zamek_agents.ppo.surroundings import (
    OPEN_PORTS,
    OPEN_SIDES,
    TILES,
    add_segment,
    find_facing,
    find_root,
    find_root_at,
    is_free,
)
from zamek_env.components.model import NUM_PORTS, NUM_SIDES, PORTS_PER_SIDE
from zamek_env.core.bits import as_index
from zamek_env.core.jit import kernel
from zamek_env.core.tables import NONE, record_dtype


def new_touch(board_map: np.record) -> np.record:
    """Return room for what a tile would join, if it lay on a square."""
    segments = board_map.feature.shape[1]
    fields = [
        ("root", np.int64, NUM_PORTS),  # of the area that faces that port, NONE for none
        ("group", np.int16, segments),  # equal for segments of the tile that would be in one area: the name of one
        ("after", np.int16, (segments, board_map.scales.size)),  # of that area, at the segment that names the group
        ("joins", np.uint8, NUM_PORTS),  # the tile would continue the area there
    ]
    return np.zeros(1, record_dtype(fields))[0]


@kernel
def write_touch(board_map, board, square, shown, touch):
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
            _unite_groups(board_map, shown, touch, port)
    _foresee(board_map, board, square, shown, touch)


@kernel
def _unite_groups(board_map, shown, touch, port):
    """Put the segment at a `port` of the tile into one group with those that continue the same area at ports before."""
    own = board_map.segment[shown, port]
    for other in range(port):
        if touch.joins[other] and touch.root[other] == touch.root[port]:
            _rename(touch.group, touch.group[own], touch.group[as_index(board_map.segment[shown, other])])


@kernel
def _rename(group, old, new):
    for segment in range(group.size):
        if group[segment] == old:
            group[segment] = new


@kernel
def _foresee(board_map, board, square, shown, touch):
    """Write `after`."""
    touch.after.fill(0)
    _add_segments(board_map, board, square, shown, touch)
    for port in range(NUM_PORTS):
        own = board_map.segment[shown, port]
        if own <= NONE:
            continue
        to = as_index(touch.group[own])
        if touch.joins[port]:
            _add_joined(board, touch, port, to)
        elif is_free(board, board_map.beside[square, port // PORTS_PER_SIDE]):
            touch.after[to, OPEN_PORTS] += 1
            touch.after[to, OPEN_SIDES] += _is_first_of_group(board_map, shown, touch, port)
    for segment in range(touch.group.size):
        if _joins_several(board_map, shown, touch, segment):
            _count_once(board_map, board, square, shown, touch, segment)


@kernel
def _add_segments(board_map, board, square, shown, touch):
    """Count in `after` the tile, and what its segments bring."""
    group, after = touch.group, touch.after
    for segment in range(group.size):
        if board_map.feature[shown, segment] <= NONE:
            continue
        to = as_index(group[segment])
        after[to, TILES] += group[segment] == segment  # each group once
        add_segment(board_map, board, square, shown, segment, after[to])


@kernel
def _add_joined(board, touch, port, group):
    """Add to a `group` in `after` the area that the tile continues at a `port`, unless it does so at a port before."""
    if _is_first_joined(touch, port):
        for column in range(touch.after.shape[1]):
            touch.after[group, column] += board.areas[touch.root[port], column]
        close_towards(touch, port, touch.after[group])


@kernel
def _is_first_joined(touch, port):
    """Return whether the area at a `port` is not joined at a port before."""
    for other in range(port):
        if touch.joins[other] and touch.root[other] == touch.root[port]:
            return False
    return True


@kernel
def close_towards(touch, port, columns):
    """Take from the `columns` of the area that faces a `port` of the tile what is open towards the tile."""
    for other in range(NUM_PORTS):
        if touch.root[other] == touch.root[port]:
            columns[OPEN_PORTS] -= 1
            is_first = True
            for before in range(other // PORTS_PER_SIDE * PORTS_PER_SIDE, other):
                is_first = is_first and touch.root[before] != touch.root[port]
            columns[OPEN_SIDES] -= is_first


@kernel
def _is_first_of_group(board_map, shown, touch, port):
    """Return whether the group at the `port` of the tile shows at no port before on the same side."""
    group = touch.group[as_index(board_map.segment[shown, port])]
    for other in range(port // PORTS_PER_SIDE * PORTS_PER_SIDE, port):
        segment = board_map.segment[shown, other]
        if segment > NONE and touch.group[segment] == group:
            return False
    return True


@kernel
def _joins_several(board_map, shown, touch, group):
    """Return whether the tile joins more than one area in the `group`."""
    many = 0
    for port in range(NUM_PORTS):
        if touch.joins[port] and touch.group[as_index(board_map.segment[shown, port])] == group:
            many += _is_first_joined(touch, port)
    return many > 1


@kernel
def _count_once(board_map, board, square, shown, touch, group):
    """Count tiles and open sides of a `group` anew: the areas that it joins may share some. Writes `after`."""
    segments = board_map.feature.shape[1]
    tiles, sides = 1, 0
    for port in range(NUM_PORTS):
        own = board_map.segment[shown, port]
        is_own = own > NONE and touch.group[own] == group and not touch.joins[port]
        if is_own and is_free(board, board_map.beside[square, port // PORTS_PER_SIDE]):
            sides += _is_first_of_group(board_map, shown, touch, port)
    for site in range(board.face.size):
        is_part = False
        for segment in range(segments if board.face[site] > NONE else 0):
            if board_map.feature[as_index(board.face[site]), segment] > NONE:
                root = find_root(board.parent, site * segments + segment)
                is_part = is_part or _is_joined(board_map, shown, touch, group, root)
        tiles += is_part
        for side in range(NUM_SIDES if is_part else 0):
            beside = board_map.beside[site, side]
            if beside != square and is_free(board, beside):
                sides += _shows(board_map, board, shown, touch, group, site, side)
    touch.after[group, TILES], touch.after[group, OPEN_SIDES] = tiles, sides


@kernel
def _shows(board_map, board, shown, touch, group, site, side):
    """Return whether an area that the tile joins in the `group` shows at a `side` of a site."""
    for port in range(side * PORTS_PER_SIDE, (side + 1) * PORTS_PER_SIDE):
        if _is_joined(board_map, shown, touch, group, find_root_at(board_map, board, site, port)):
            return True
    return False


@kernel
def _is_joined(board_map, shown, touch, group, root):
    """Return whether the area at a `root` is one that the tile joins in the `group`."""
    for port in range(NUM_PORTS):
        is_here = touch.joins[port] and touch.root[port] == root
        if is_here and touch.group[as_index(board_map.segment[shown, port])] == group:
            return True
    return False
