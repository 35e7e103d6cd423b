"""The areas of a board, put together from the planes of an observation.

A network sees a few squares far with each of its layers, while an area may run over the whole board. So the areas are
put together here, from the tiles that the planes show. What each legal placement would do to them, `touching.py` says.
"""

import numpy as np
import numpy.typing as npt

from zamek_agents.ppo.board_map import FOLLOWER, ROTATION, SPACE, TILE, WALL
from zamek_agents.ppo.limits import PLAYERS
from zamek_env.components.model import NUM_PORTS, NUM_ROTATIONS, PORTS_PER_SIDE, facing_port
from zamek_env.core.bits import as_index
from zamek_env.core.jit import kernel
from zamek_env.core.tables import NONE, record_dtype

AREA_COLUMNS = ("tiles", "open_ports", "open_sides", "my_followers", "their_followers", "marks")
TILES, OPEN_PORTS, OPEN_SIDES, FOLLOWERS, _, MARKS = range(len(AREA_COLUMNS))
# then its nests, where a ruleset has any, and for each special piece whether mine is there, and theirs

NESTS = len(AREA_COLUMNS)
NO_SPACE = NONE - 1

FACING_PORT = np.array([facing_port(port) for port in range(NUM_PORTS)])


def new_board(board_map: np.record) -> np.record:
    """Return room for a board: the tiles and areas of one observation."""
    sites, segments = board_map.beside.shape[0], board_map.feature.shape[1]
    fields = [
        ("parent", np.int32, sites * segments),  # the tree of each area; `areas` stand at its root
        ("face", np.int16, sites),  # NONE for none, NO_SPACE where none can lie
        ("areas", np.int16, (sites * segments, board_map.scales.size)),
    ]
    return np.zeros(1, record_dtype(fields))[0]


@kernel
def read_board(board_map: np.record, planes: npt.NDArray[np.uint8], board: np.record) -> None:
    """Read the `planes` of an observation, uint8 `(squares, planes)`. Writes the `board`, where there are tiles."""
    _read_faces(board_map, planes, board)
    _join(board_map, board)
    _measure(board_map, planes, board)


@kernel
def _read_faces(board_map, planes, board):
    """Write `face`, and begin a tree for each segment."""
    tile, rotation, space = board_map.planes[TILE], board_map.planes[ROTATION], board_map.planes[SPACE]
    for square in range(planes.shape[0]):
        kind = np.int64(planes[square, tile]) - 1
        if kind >= 0:
            board.face[square] = kind * NUM_ROTATIONS + planes[square, rotation]
        else:
            board.face[square] = NONE if planes[square, space] else NO_SPACE
    for start in range(board_map.start_face.size):
        board.face[planes.shape[0] + start] = board_map.start_face[start]
    segments = board_map.feature.shape[1]
    for site in range(board.face.size):
        for node in range(site * segments, (site + 1) * segments if board.face[site] > NONE else 0):
            board.parent[node] = node
            board.areas[node] = 0


@kernel
def _join(board_map, board):
    """Join the segments whose ports face each other. Writes `parent`."""
    for site in range(board.face.size):
        for port in range(NUM_PORTS if board.face[site] > NONE else 0):
            beside = board_map.beside[site, port // PORTS_PER_SIDE]
            if beside > site and board.face[beside] > NONE:
                _join_at(board_map, board, site, port, beside)


@kernel
def _join_at(board_map, board, site, port, beside):
    """Join what a site shows at a `port` with what the site `beside` shows there, if both are of one feature."""
    face, parent, segments = board.face, board.parent, board_map.feature.shape[1]
    own, facing = np.int64(board_map.segment[as_index(face[site]), port]), find_facing(board_map, face, beside, port)
    if own <= NONE or facing <= NONE:
        return
    if board_map.feature[as_index(face[site]), own] == board_map.feature[as_index(face[beside]), facing]:
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
def _measure(board_map, planes, board):
    """Write `areas`."""
    for site in range(board.face.size):
        if board.face[site] <= NONE:
            continue
        _count_segments(board_map, board, site)
        _count_openings(board_map, board, site)
        if site < planes.shape[0]:
            _count_pieces(board_map, planes, board, site)


@kernel
def _count_segments(board_map, board, site):
    """Count in `areas` a tile, and what its segments bring."""
    shown, areas, segments = as_index(board.face[site]), board.areas, board_map.feature.shape[1]
    for segment in range(segments):
        if board_map.feature[shown, segment] <= NONE:
            continue
        root = find_root(board.parent, site * segments + segment)
        areas[root, TILES] += _is_first_segment(board_map, board, site, segment)
        add_segment(board_map, board, site, shown, segment, areas[root])


@kernel
def _count_openings(board_map, board, site):
    """Count in `areas` where a tile is open."""
    for port in range(NUM_PORTS):
        if not is_free(board, board_map.beside[site, port // PORTS_PER_SIDE]):
            continue
        root = find_root_at(board_map, board, site, port)
        if root > NONE:
            board.areas[root, OPEN_PORTS] += 1
            board.areas[root, OPEN_SIDES] += _is_first_of_area(board_map, board, site, port)


@kernel
def _count_pieces(board_map, planes, board, site):
    """Count in `areas` the pieces that stand on a tile."""
    areas, segments = board.areas, board_map.feature.shape[1]
    for player in range(PLAYERS):
        held = np.int64(planes[site, board_map.planes[FOLLOWER + player]]) - 1
        if held > NONE:
            root = find_root(board.parent, site * segments + held)
            areas[root, FOLLOWERS + player] += 1
            for piece in range(board_map.factors.size):
                areas[root, find_special(board_map, piece, player)] += planes[site, board_map.special[piece, player]]


@kernel
def find_special(board_map, piece, player):
    """Return the number of the column that says whether the special `piece` of a player stands in an area."""
    return board_map.scales.size - PLAYERS * (board_map.factors.size - piece) + player


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
def _is_first_of_area(board_map, board, site, port):
    """Return whether the area that shows at the `port` of a site shows at no port before on the same side."""
    root = find_root_at(board_map, board, site, port)
    for other in range(port // PORTS_PER_SIDE * PORTS_PER_SIDE, port):
        if find_root_at(board_map, board, site, other) == root:
            return False
    return True


@kernel
def find_root_at(board_map, board, site, port):
    """Return the root of the area that shows at the `port` of a site, NONE for none."""
    segment = np.int64(board_map.segment[as_index(board.face[site]), port])
    if segment <= NONE:
        return NONE
    return find_root(board.parent, site * board_map.feature.shape[1] + segment)


@kernel
def find_feature(board_map, board, root):
    """Return the feature of the area at a `root` of the board."""
    segments = board_map.feature.shape[1]
    return board_map.feature[as_index(board.face[root // segments]), root % segments]


@kernel
def find_leader(columns):
    """Return 1 where I have more followers in an area than they, -1 where they have more, 0 otherwise."""
    return np.sign(np.int64(columns[FOLLOWERS]) - np.int64(columns[FOLLOWERS + 1]))


@kernel
def add_segment(board_map, board, site, shown, segment, columns):
    """Count what a `segment` of a tile that shows the face `shown` on a `site` brings to its area, but for the tile."""
    columns[MARKS] += board_map.marks[shown, segment]
    if board_map.nests.size > 0:
        columns[NESTS] += board_map.nests[shown, segment]
    if board_map.surrounded[board_map.feature[shown, segment]]:
        add_around(board_map, board, site, columns)


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
def is_free(board, beside):
    """Return whether a tile may still come to the square `beside`, which may be WALL."""
    return beside > WALL and board.face[beside] == NONE
