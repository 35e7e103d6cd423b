"""Where the areas of a board would be open if a tile lay on a square."""

from typing import NamedTuple

import numpy as np

from zamek_agents.ppo.openings import MANY, MOST_CROWDED, OPPOSITE, count_near, find_pattern, find_side
from zamek_agents.ppo.surroundings import FOLLOWERS, find_feature, is_free
from zamek_env.components.model import NUM_PORTS, NUM_SIDES, PORTS_PER_SIDE
from zamek_env.core.bits import as_index
from zamek_env.core.jit import kernel
from zamek_env.core.tables import NONE


class Free(NamedTuple):
    """A free square where the tile would change something."""

    square: int
    side: int  # of the tile, at which it lies, or NONE
    first: int  # of the pairs with it
    end: int


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
