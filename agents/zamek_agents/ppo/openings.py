"""Where the areas of a board are open, and how hard that is to fill.

An area is open to a square if one of its segments comes in there. A tile that is not drawn yet fits on the square if
its sides match those of the neighbours. What the neighbours show is the pattern of the square, a number with one digit
a side: 0 for no tile, and else 1 + the edge.
"""

import numpy as np
import numpy.typing as npt

from zamek_agents.ppo.board_map import WALL
from zamek_agents.ppo.limits import PLAYERS
from zamek_agents.ppo.surroundings import find_feature, find_leader, find_root_at, is_free
from zamek_env.components.model import NUM_PORTS, NUM_SIDES, PORTS_PER_SIDE, opposite_side
from zamek_env.core.bits import as_index
from zamek_env.core.jit import kernel
from zamek_env.core.tables import NONE, record_dtype

MOST_CROWDED = NUM_SIDES * (NUM_SIDES - 1) * PORTS_PER_SIDE  # areas open to the squares beside a tile, at most
MANY = 1000  # tiles that fit where an area is open to nothing

OPPOSITE = np.array([opposite_side(side) for side in range(NUM_SIDES)])


def new_openings(board_map: np.record) -> np.record:
    """Return room for where the areas of a board are open, and where they would be if a tile lay on a square.

    What would be is stored by the place of an area. The place of a group of the tile is its name. The place of an area
    that the tile would face but not continue is the number of segments + the first port that faces it. The places of
    areas that it would crowd come after these.
    """
    sites, segments = board_map.beside.shape[0], board_map.feature.shape[1]
    squares, nodes = len(board_map.around), sites * segments
    places = segments + NUM_PORTS + MOST_CROWDED
    fields = [
        # pairs of a square and an area that is open to it; those of a square follow each other
        ("squares", np.int64, squares * NUM_PORTS),
        ("roots", np.int64, squares * NUM_PORTS),  # of the area
        ("count", np.int64),  # how many there are
        # areas that would be open to one square
        ("met", np.int64, 2 * NUM_PORTS),  # their places, or beyond these their roots
        # areas that the tile would crowd
        ("crowded", np.int64, MOST_CROWDED),  # their roots
        ("num_crowded", np.int64),  # how many there are
        # tiles and patterns
        ("pattern", np.int32, squares),  # of each square that is free
        ("pattern_beside", np.int32, NUM_SIDES),  # that would be beside the tile
        ("fits", np.int16, board_map.fitting.shape[1]),  # how many of those not drawn yet fit a pattern
        # areas, at their roots
        ("open_to", np.int16, nodes),  # squares that it is open to
        ("fewest", np.int16, nodes),  # tiles that fit on the hardest of them
        ("near", np.int16, (nodes, PLAYERS)),  # areas that one tile might join it with, led by me, by them
        ("place", np.int16, nodes),  # at which what would be is stored, NONE where nothing changes
        # areas as they would be, by place
        ("open_to_after", np.int16, places),
        ("fewest_after", np.int16, places),
        ("near_after", np.int16, (places, PLAYERS)),
    ]
    openings = np.zeros(1, record_dtype(fields))[0]
    openings.place[:] = NONE
    return openings


@kernel
def read_openings(board_map: np.record, board: np.record, left: npt.NDArray[np.int16], openings: np.record) -> None:
    """Find where the areas of a `board` are open, when so many tiles of each kind are `left`.

    Writes all of `openings` but what would be if a tile lay on a square.
    """
    openings.fits.fill(0)
    for kind in range(left.size):
        if left[kind] > 0:
            for pattern in range(openings.fits.size):
                openings.fits[pattern] += left[kind] * board_map.fitting[kind, pattern]
    segments = board_map.feature.shape[1]
    for site in range(board.face.size):
        if board.face[site] > NONE:
            openings.open_to[site * segments : (site + 1) * segments] = 0
            openings.fewest[site * segments : (site + 1) * segments] = MANY
            openings.near[site * segments : (site + 1) * segments] = 0
    openings.count = 0
    for square in range(openings.pattern.size):
        if is_free(board, square):
            _read_square(board_map, board, square, openings)


@kernel
def _read_square(board_map, board, square, openings):
    """Note what the neighbours of a free `square` show, and which areas are open to it."""
    pattern, unit, first = 0, 1, openings.count
    for side in range(NUM_SIDES):
        beside = board_map.beside[square, side]
        if beside > WALL and board.face[beside] > NONE:
            pattern += unit * (1 + int(board_map.edge[as_index(board.face[beside]), OPPOSITE[side]]))
            _list_pairs(board_map, board, square, side, openings)
        unit *= board_map.digits
    openings.pattern[square] = pattern
    for number in range(first, openings.count):
        root = openings.roots[number]
        openings.open_to[root] += 1
        openings.fewest[root] = min(openings.fewest[root], openings.fits[pattern])
        feature = find_feature(board_map, board, root)
        for other in openings.roots[first : openings.count]:
            if other != root and find_feature(board_map, board, other) == feature:
                count_near(openings.near[root], board.areas[other])


@kernel
def _list_pairs(board_map, board, square, side, openings):
    """List with a `square` the areas that come in there from the tile at a `side`, unless they are listed with it."""
    beside, opposite = board_map.beside[square, side], OPPOSITE[side]
    for port in range(opposite * PORTS_PER_SIDE, (opposite + 1) * PORTS_PER_SIDE):
        root = find_root_at(board_map, board, beside, port)
        if root > NONE and not _is_listed(openings, square, root):
            openings.squares[openings.count] = square
            openings.roots[openings.count] = root
            openings.count += 1


@kernel
def _is_listed(openings, square, root):
    """Return whether the area at a `root` is listed with the `square`, of which the pairs come last."""
    number = openings.count - 1
    while number >= 0 and openings.squares[number] == square:
        if openings.roots[number] == root:
            return True
        number -= 1
    return False


@kernel
def count_near(near, columns):
    """Count an area with these `columns` among those `near`."""
    leader = find_leader(columns)
    near[0] += leader > 0
    near[1] += leader < 0


@kernel
def find_side(board_map, square, there):
    """Return the side of a `square` on which another lies, NONE for none."""
    for side in range(NUM_SIDES):
        if board_map.beside[square, side] == there:
            return side
    return NONE


@kernel
def find_pattern(board_map, openings, square, there):
    """Return the pattern of the free square `there`, if the tile lay on `square`, or as it is if that is NONE."""
    side = find_side(board_map, square, there) if square > NONE else NONE
    return openings.pattern[there] if side <= NONE else openings.pattern_beside[side]
