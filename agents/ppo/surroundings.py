"""The areas of a board, put together from the planes of an observation.

A network sees a few squares far with each of its layers, while an area may run over the whole board. So the areas are
put together here, from the tiles that the planes show. What each legal placement would do to them, `touching.py` tells.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from zamek_agents.ppo.board_map import FOLLOWER, ROTATION, SPACE, TILE, WALL, Map
from zamek_env.components.model import NUM_PORTS, NUM_ROTATIONS, PORTS_PER_SIDE, facing_port
from zamek_env.core.bits import as_index
from zamek_env.core.jit import kernel
from zamek_env.core.tables import NONE, NUM_PLAYERS

AREA_COLUMNS = ("tiles", "open_ports", "open_sides", "my_followers", "their_followers", "marks")
TILES, OPEN_PORTS, OPEN_SIDES, FOLLOWERS, _, MARKS = range(len(AREA_COLUMNS))

FACING_PORT = np.array([facing_port(port) for port in range(NUM_PORTS)])


class Board(NamedTuple):
    """What lies on the S squares and the start spaces of one observation."""

    squares: npt.NDArray[np.uint8]  # (squares, planes)
    face: npt.NDArray[np.int16]  # (squares and start spaces,) NONE for none
    parent: npt.NDArray[np.int16]  # (squares and start spaces * segments,) the tree of each area
    areas: npt.NDArray[np.int16]  # (squares and start spaces * segments, `AREA_COLUMNS`) at the root of each tree


@kernel
def read_board(board_map: Map, board: Board) -> None:
    """Read the `squares` of a board. Writes all the rest of it."""
    _read_faces(board_map, board)
    _join(board_map, board)
    _measure(board_map, board)


@kernel
def _read_faces(board_map, board):
    """Write `face`."""
    tile, rotation = board_map.planes[TILE], board_map.planes[ROTATION]
    squares = board.squares
    for square in range(squares.shape[0]):
        kind = np.int64(squares[square, tile]) - 1
        board.face[square] = NONE if kind < 0 else kind * NUM_ROTATIONS + squares[square, rotation]
    for start in range(board_map.start_face.size):
        board.face[squares.shape[0] + start] = board_map.start_face[start]


@kernel
def _join(board_map, board):
    """Join the segments whose ports face each other. Writes `parent`."""
    face, parent, segments = board.face, board.parent, board_map.feature.shape[1]
    for number in range(parent.size):
        parent[number] = number
    for site in range(face.size):
        if face[site] <= NONE:
            continue
        for port in range(NUM_PORTS):
            beside = board_map.beside[site, port // PORTS_PER_SIDE]
            if beside > site and face[beside] > NONE:
                own = board_map.segment[as_index(face[site]), port]
                facing = find_facing(board_map, face, beside, port)
                if own > NONE and facing > NONE:
                    feature = board_map.feature[as_index(face[site]), own]
                    if feature == board_map.feature[as_index(face[beside]), facing]:
                        first = find_root(parent, site * segments + own)
                        second = find_root(parent, beside * segments + facing)
                        parent[max(first, second)] = min(first, second)


@kernel
def find_facing(board_map, face, beside, port):
    """Return the segment of what lies at `beside` that faces the `port` of its neighbour."""
    return np.int64(board_map.segment[as_index(face[beside]), FACING_PORT[port]])


@kernel
def find_root(parent, number):
    """Return the root of the tree of segment `number`. Shortens the way to it."""
    root = np.int64(number)
    while parent[root] != root:
        parent[root] = parent[parent[root]]
        root = np.int64(parent[root])
    return root


@kernel
def _measure(board_map, board):
    """Write `areas`."""
    face, parent, areas, segments = board.face, board.parent, board.areas, board_map.feature.shape[1]
    areas.fill(0)
    for site in range(face.size):
        if face[site] <= NONE:
            continue
        shown = as_index(face[site])
        for segment in range(segments):
            feature = board_map.feature[shown, segment]
            if feature > NONE:
                root = find_root(parent, site * segments + segment)
                areas[root, TILES] += _is_first_segment(board_map, board, site, segment)
                areas[root, MARKS] += board_map.marks[shown, segment]
                if board_map.surrounded[feature]:
                    add_around(board_map, board, site, areas[root])
        for port in range(NUM_PORTS):
            segment, beside = board_map.segment[shown, port], board_map.beside[site, port // PORTS_PER_SIDE]
            if segment > NONE and is_free(board_map, board, beside):
                root = find_root(parent, site * segments + segment)
                areas[root, OPEN_PORTS] += 1
                areas[root, OPEN_SIDES] += is_first_port(board_map, shown, port)
        if site < board.squares.shape[0]:
            for player in range(NUM_PLAYERS):
                held = np.int64(board.squares[site, board_map.planes[FOLLOWER + player]]) - 1
                if held > NONE:
                    areas[find_root(parent, site * segments + held), FOLLOWERS + player] += 1


@kernel
def _is_first_segment(board_map, board, site, segment):
    """Return whether no segment before this one on a tile is in the same area."""
    segments = board_map.feature.shape[1]
    root = find_root(board.parent, site * segments + segment)
    for other in range(segment):
        if find_root(board.parent, site * segments + other) == root:
            return False
    return True


@kernel
def add_around(board_map, board, square, columns):
    """Count the tiles around a `square` as those of a surrounded area, and what is missing as its open ports."""
    for number in range(board_map.around.shape[1]):
        around = board_map.around[square, number]
        is_tile = around > WALL and board.face[around] > NONE
        columns[TILES] += is_tile
        columns[OPEN_PORTS] += not is_tile
        columns[OPEN_SIDES] += not is_tile


@kernel
def is_free(board_map, board, beside):
    """Return whether a tile may still come to the square `beside`, which may be WALL."""
    return beside > WALL and board.face[beside] <= NONE and board.squares[beside, board_map.planes[SPACE]] != 0


@kernel
def is_first_port(board_map, shown, port):
    """Return whether the segment at the `port` of a face shows at no port before on the same side."""
    for other in range(port // PORTS_PER_SIDE * PORTS_PER_SIDE, port):
        if board_map.segment[shown, other] == board_map.segment[shown, port]:
            return False
    return True
