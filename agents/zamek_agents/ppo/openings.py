"""Where the areas of a board are open, and how hard that is to fill.

An area is open to a square if one of its segments comes in there. A tile that is not drawn yet fits on the square if
its sides match those of the neighbours. What the neighbours show is the pattern of the square, a number with one digit
a side: 0 for no tile, and else 1 + the edge.

OPENING DESCRIPTION
    `OPENING_COLUMNS` describe an area:

    squares   how many squares it is open to, scaled
    fitting   log2(1 + how many of the tiles left fit) on the square where fewest do, scaled; 0 where it is closed
    stuck     1 if no tile fits on one of them
    my_near, their_near   how often one tile might join it with an area of its feature in which I lead, or they: areas
              that are open to a square with it, scaled
"""

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from zamek_agents.ppo.board_map import WALL
from zamek_agents.ppo.limits import PLAYERS
from zamek_agents.ppo.surroundings import FOLLOWERS, find_feature, find_leader, find_root_at, is_free
from zamek_env.components.model import NUM_PORTS, NUM_SIDES, PORTS_PER_SIDE, opposite_side
from zamek_env.core.bits import as_index
from zamek_env.core.jit import kernel
from zamek_env.core.tables import NONE, record_dtype

MOST_CROWDED = NUM_SIDES * (NUM_SIDES - 1) * PORTS_PER_SIDE  # areas open to the squares beside a tile, at most
MANY = 1000  # tiles that fit where an area is open to nothing

OPPOSITE = np.array([opposite_side(side) for side in range(NUM_SIDES)])
OPENING_COLUMNS = ("squares", "fitting", "stuck", "my_near", "their_near")
SQUARES, FITTING, STUCK, NEAR, _ = range(len(OPENING_COLUMNS))
SQUARES_SCALE, FITTING_SCALE, NEAR_SCALE = 0.25, 0.2, 0.5


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


class Free(NamedTuple):
    """A free square where the tile would change something."""

    square: int
    side: int  # of the tile, at which it lies, or NONE
    first: int  # of the pairs with it
    end: int


# --- where areas would be open if a tile lay on a square ---


@kernel
def foresee_openings(
    board_map: np.record, board: np.record, square: int, shown: int, touch: np.record, openings: np.record
) -> None:
    """Find where areas would be open if a tile that shows the face `shown` lay on a `square`, as `touch` has it.

    Writes what `read_openings` leaves of `openings`.
    """
    openings.open_to_after.fill(0)
    openings.fewest_after.fill(MANY)
    openings.near_after.fill(0)
    _set_places(board_map, shown, touch, openings)
    _place_crowded(board_map, board, square, openings)
    _look_beside(board_map, board, square, shown, openings)
    end, sides = 0, 0
    while end < openings.count:
        first, there, changes = end, openings.squares[end], False
        while end < openings.count and openings.squares[end] == there:
            changes = changes or openings.place[openings.roots[end]] > NONE
            end += 1
        side = find_side(board_map, square, there)
        if there != square and (changes or side > NONE):
            _meet(board_map, board, square, shown, touch, openings, Free(there, side, first, end))
            sides |= 1 << side if side > NONE else 0
    for side in range(NUM_SIDES):  # where nothing was open before
        beside = board_map.beside[square, side]
        if is_free(board, beside) and not sides >> side & 1:
            _meet(board_map, board, square, shown, touch, openings, Free(int(beside), side, 0, 0))
    for port in range(NUM_PORTS):
        if touch.root[port] > NONE:
            openings.place[touch.root[port]] = NONE
    for root in openings.crowded[: openings.num_crowded]:
        openings.place[root] = NONE


@kernel
def _place_crowded(board_map, board, square, openings):
    """Find areas with followers that are open to a square beside the tile, and do not face it, and give them places."""
    openings.num_crowded = 0
    for number in range(openings.count):
        root = openings.roots[number]
        if openings.place[root] > NONE or find_side(board_map, square, openings.squares[number]) <= NONE:
            continue
        if board.areas[root, FOLLOWERS] > 0 or board.areas[root, FOLLOWERS + 1] > 0:
            openings.crowded[openings.num_crowded] = root
            openings.place[root] = find_crowded_place(openings, openings.num_crowded)
            openings.num_crowded += 1


@kernel
def find_crowded_place(openings, number):
    """Return the place of the crowded area of that number."""
    return openings.open_to_after.size - MOST_CROWDED + number


@kernel
def _set_places(board_map, shown, touch, openings):
    """Write the places of the areas that face the tile."""
    for port in range(NUM_PORTS - 1, -1, -1):
        if touch.root[port] > NONE:
            openings.place[touch.root[port]] = board_map.feature.shape[1] + port
    for port in range(NUM_PORTS):
        if touch.joins[port]:
            openings.place[touch.root[port]] = touch.group[as_index(board_map.segment[shown, port])]


@kernel
def _look_beside(board_map, board, square, shown, openings):
    """Find the patterns of the squares beside the tile."""
    unit = 1
    for opposite in range(NUM_SIDES):
        side = OPPOSITE[opposite]
        beside = board_map.beside[square, side]
        if is_free(board, beside):
            shows = unit * (1 + np.int64(board_map.edge[shown, side]))
            openings.pattern_beside[side] = openings.pattern[beside] + shows
        unit *= board_map.digits


@kernel
def _meet(board_map, board, square, shown, touch, openings, free):
    """Count a `free` square for each area that would be open to it if a tile lay on `square`."""
    count = _list_met(board_map, shown, touch, openings, free)
    fits = openings.fits[find_pattern(board_map, openings, square, free.square)]
    for area in openings.met[:count]:
        if area < openings.open_to_after.size:
            openings.open_to_after[area] += 1
            openings.fewest_after[area] = min(openings.fewest_after[area], fits)
            _count_all_near(board_map, board, shown, touch, openings, area, count)


@kernel
def _list_met(board_map, shown, touch, openings, free):
    """Return how many areas would be open to a `free` square: those open now, and the tile's. Writes `met`."""
    places, count = openings.open_to_after.size, 0
    for number in range(free.first, free.end):
        root = openings.roots[number]
        area = places + root if openings.place[root] <= NONE else np.int64(openings.place[root])
        if not _has(openings.met[:count], area):
            openings.met[count] = area
            count += 1
    for offset in range(PORTS_PER_SIDE if free.side > NONE else 0):
        own = board_map.segment[shown, free.side * PORTS_PER_SIDE + offset]
        if own > NONE and not _has(openings.met[:count], touch.group[own]):
            openings.met[count] = touch.group[own]
            count += 1
    return count


@kernel
def _has(areas, area):
    """Return whether an area is among some."""
    for other in areas:
        if other == area:
            return True
    return False


@kernel
def _count_all_near(board_map, board, shown, touch, openings, area, count):
    """Count for an `area` the others of its feature among the first `count` that were met. Writes `near_after`."""
    feature = _find_feature_met(board_map, board, shown, touch, openings, area)
    for other in openings.met[:count]:
        if other != area and _find_feature_met(board_map, board, shown, touch, openings, other) == feature:
            if other < touch.group.size:
                count_near(openings.near_after[area], touch.after[other])
            else:
                count_near(openings.near_after[area], board.areas[_find_root_met(touch, openings, other)])


@kernel
def _find_feature_met(board_map, board, shown, touch, openings, area):
    """Return the feature of an area that was met."""
    if area < touch.group.size:
        return board_map.feature[shown, area]
    return find_feature(board_map, board, _find_root_met(touch, openings, area))


@kernel
def _find_root_met(touch, openings, area):
    """Return the root of an area that was met and is in no group of the tile."""
    places = openings.open_to_after.size
    if area >= places:
        return area - places
    first = find_crowded_place(openings, 0)
    return openings.crowded[area - first] if area >= first else touch.root[area - touch.group.size]


@kernel
def write_openings(openings, root, row):
    """Write the `OPENING_COLUMNS` of the area at a `root` of the board, to `row`."""
    _write_squares(openings.open_to[root], openings.fewest[root], row)
    _write_near(openings.near[root], row)


@kernel
def write_openings_after(openings, place, row):
    """Write the `OPENING_COLUMNS` that the area at a `place` would have, to `row`."""
    _write_squares(openings.open_to_after[place], openings.fewest_after[place], row)
    _write_near(openings.near_after[place], row)


@kernel
def write_surrounded_openings(board_map, board, openings, square, middle, row):
    """Write the `OPENING_COLUMNS` of the surrounded area of the tile on the square `middle`, to `row`."""
    squares, fewest = 0, MANY
    for number in range(board_map.around.shape[1]):
        around = board_map.around[middle, number]
        if around != square and is_free(board, around):
            squares += 1
            fewest = min(fewest, int(openings.fits[find_pattern(board_map, openings, square, around)]))
    _write_squares(squares, fewest, row)


@kernel
def is_crowded(openings, number):
    """Return whether the tile would change the `OPENING_COLUMNS` of the crowded area of that number."""
    place, root = find_crowded_place(openings, number), openings.crowded[number]
    changes = openings.fewest_after[place] != openings.fewest[root]
    for player in range(PLAYERS):
        changes = changes or openings.near_after[place, player] != openings.near[root, player]
    return changes


@kernel
def write_crowded_openings(openings, number, row):
    """Write the `OPENING_COLUMNS` that a crowded area would have to `row`; return its present `fitting`."""
    write_openings_after(openings, find_crowded_place(openings, number), row)
    return _scale_fits(openings.fewest[openings.crowded[number]])


@kernel
def _scale_fits(fits):
    return math.log2(1.0 + fits) * FITTING_SCALE


@kernel
def _write_squares(squares, fewest, row):
    row[SQUARES] = squares * SQUARES_SCALE
    row[FITTING] = _scale_fits(fewest) if squares > 0 else 0.0
    row[STUCK] = squares > 0 and fewest == 0


@kernel
def _write_near(near, row):
    for player in range(PLAYERS):
        row[NEAR + player] = near[player] * NEAR_SCALE
