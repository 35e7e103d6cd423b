"""The bitmask board: which cells are next to something, what fits where, and laying a tile.

For every side and every kind of edge `s.forbidden[:, side, edge]` is the set of cells whose neighbour on that side
shows another kind. A face fits on the frontier minus four such sets, for all cells of a word at once (rules Z9, Z10,
C1).

On an open table a game takes up a part of these sets. Only the words from the first to the last in use are looked at.
"""

import numpy as np

from zamek_env.components.bitset import WORD_BITS
from zamek_env.components.model import NUM_AROUND, NUM_ROTATIONS, NUM_SIDES, PORTS_PER_SIDE
from zamek_env.core.areas import add_areas, close_area, merge_areas
from zamek_env.core.bits import as_index, clear_bit, count_word, nth_bit_of_word, set_bit
from zamek_env.core.jit import kernel
from zamek_env.core.state import EMPTY, find_face, find_tile, put_face
from zamek_env.core.tables import NONE

OWN, OTHERS = 1, 2  # whose areas a tile completes: its own, and those that it only touches


@kernel
def find_first_word(s):
    """Return the first word of the sets of cells that is in use; with a wall all are."""
    return 0 if s.reach.size == 0 else int(s.reach[0])


@kernel
def find_reach(s):
    """Return the end of the words of the sets of cells that are in use; with a wall all are."""
    return s.frontier.size if s.reach.size == 0 else int(s.reach[1])


@kernel
def _extend_reach(s, cell):
    """Count the word of `cell` among those in use. Writes `reach`."""
    if s.reach.size > 0:
        word = int(cell) // WORD_BITS
        s.reach[0] = min(int(s.reach[0]), word)
        s.reach[1] = max(int(s.reach[1]), word + 1)


@kernel
def lay_starts(t, s):
    """Make a board with what lies there from the beginning: start spaces or the start tile (rules Z2, C1).

    Writes `empty`, `frontier`, `reach`, `forbidden`, `area`, what `put_face` writes and, by `add_areas`, what is known
    of areas.
    """
    s.area.fill(NONE)
    for word in range(s.empty.size):
        s.empty[word] = t.all_cells[word]
        s.frontier[word] = t.start_bits[word]
    if s.reach.size > 0:
        s.reach[0], s.reach[1] = s.frontier.size, 0
    num_tiles = t.tile_node.shape[0] - t.start_cell.size
    for start in range(t.start_cell.size):
        if t.start_side[start] <= NONE:
            lay_tile(t, s, t.start_cell[start], (num_tiles + start) * NUM_ROTATIONS)
        else:
            _lay_start_space(t, s, start, num_tiles)


@kernel
def _lay_start_space(t, s, start, num_tiles):
    """Lay a start space beside its cell."""
    face = (num_tiles + start) * NUM_ROTATIONS
    cell, side = t.start_cell[start], t.start_side[start]
    towards = (side + 2) % NUM_SIDES
    put_face(s, t.neighbor.shape[0] + start, face)
    add_areas(t, s, num_tiles + start)
    _open_side(t, s, face, towards)
    _forbid(s, cell, side, t.face_edge[face, towards])


@kernel
def lay_tile(t, s, cell, face):
    """Lay a tile that fits on an empty cell and join its segments with what they touch.

    Returns whether areas were completed (rules Z16, C4), `OWN` of the tile, `OTHERS` beside it, or both;
    `list_completed` finds which.
    Writes `empty`, `frontier`, `reach`, `forbidden`; by `put_face` where it lies; by `add_areas`, `merge_areas`,
    `close_area` the areas.
    """
    put_face(s, cell, face)
    clear_bit(s.empty, cell)
    clear_bit(s.frontier, cell)
    _extend_reach(s, cell)
    closes_others = False
    add_areas(t, s, face // NUM_ROTATIONS)
    for side in range(NUM_SIDES):
        beside = t.neighbor[as_index(cell), side]
        if beside <= NONE:
            if t.open_edge.size > 0:
                _open_side(t, s, face, side)
            continue
        lying = find_face(s, beside)
        if lying <= EMPTY:
            _open_side(t, s, face, side)
            _forbid(s, beside, (side + 2) % NUM_SIDES, t.face_edge[face, side])
            set_bit(s.frontier, beside)
            _extend_reach(s, beside)
        else:
            closes_others |= _join_side(t, s, face, lying, side)
    if t.tile_middle.size > 0:
        closes_others |= surround(t, s, cell, face // NUM_ROTATIONS)
    return OWN * _close_areas(t, s, face // NUM_ROTATIONS) + OTHERS * closes_others


@kernel
def _close_areas(t, s, tile):
    """Note which areas of the new `tile` are completed; return whether one is. Writes `closed`, `area_touched`."""
    completes = False
    for segment in range(t.tile_node.shape[1]):
        node = t.tile_node[as_index(tile), segment]
        if node <= NONE:
            break
        area = as_index(s.area[node])
        if s.open_ports[area] == 0 and t.feature_completes[as_index(t.node_feature[area])]:
            completes = True
            if s.closed.size > 0:
                close_area(t, s, area)
    return completes


@kernel
def _forbid(s, cell, side, edge):
    """Note that the neighbour of `cell` on `side` shows `edge`: any other kind is forbidden there."""
    word, bit = as_index(cell) >> 5, int(cell) & 31
    for other in range(s.forbidden.shape[2]):  # without a branch, which would often be predicted wrongly
        s.forbidden[word, side, other] |= np.int64(other != edge) << bit


@kernel
def _open_side(t, s, face, side):
    """Count the ports of `side` as open: they face an empty space (rule Z16)."""
    for port in range(PORTS_PER_SIDE * side, PORTS_PER_SIDE * (side + 1)):
        node = t.face_node[as_index(face), port]
        s.open_ports[_find_area(s, node)] += node > NONE


@kernel
def _join_side(t, s, face, other_face, side):
    """Close the neighbour's ports on `side` and join areas of one feature across it (rules Z7, Z16).

    Returns whether an area that is not joined may have been completed.
    """
    completes = False
    first_facing = PORTS_PER_SIDE * ((side + 2) % NUM_SIDES) + PORTS_PER_SIDE - 1
    for offset in range(PORTS_PER_SIDE):
        node = t.face_node[as_index(face), PORTS_PER_SIDE * side + offset]
        other = t.face_node[as_index(other_face), first_facing - offset]
        if other <= NONE:
            continue
        own, beside = _find_area(s, node), _find_area(s, other)
        s.open_ports[beside] -= 1
        is_joined = (node > NONE) & (t.node_feature[as_index(max(int(node), 0))] == t.node_feature[other])
        if is_joined & (own != beside):
            merge_areas(s, own, beside)
        is_closed = (not is_joined) & (s.open_ports[beside] == 0)
        completes |= is_closed
        if s.closed.size > 0 and is_closed and not _is_on_face(t, s, face, beside):
            close_area(t, s, beside)
    return completes


@kernel
def _is_on_face(t, s, face, area):
    """Return whether the new `face` is part of `area`, which sides that are still to be joined may open again."""
    for port in range(t.face_node.shape[1]):
        node = t.face_node[as_index(face), port]
        if node > NONE and s.area[as_index(node)] == area:
            return True
    return False


@kernel
def _find_area(s, node):
    """Return the area of a node on the board as an index, without a branch; any area where the node is NONE."""
    return as_index(max(int(s.area[as_index(max(int(node), 0))]), 0))


@kernel
def find_around(t, cell, number):
    """Return one of the eight cells around a `cell` of a table: 0 … 3 beside it, 4 … 7 at its corners.

    It is NONE beyond the edge of a table that has one (rule H7).
    """
    beside = t.neighbor[as_index(cell), as_index(number % NUM_SIDES)]
    if number < NUM_SIDES or (t.has_edge.size > 0 and beside <= NONE):
        return beside
    return t.neighbor[as_index(beside), as_index((number + 1) % NUM_SIDES)]


@kernel
def fills_hole(t, s):
    """Return whether there are tiles on all four sides of this turn's tile (rule H5)."""
    for side in range(NUM_SIDES):
        beside = t.neighbor[as_index(s.cell), side]
        if beside <= NONE or find_tile(s, beside) <= NONE:
            return False
    return True


@kernel
def surround(t, s, cell, tile):
    """Count the new `tile` on `cell` for the surrounded areas around it, and the tiles around it for its own (C4).

    Cells beyond an edge that closes are as good as laid (rule H8). Returns whether one around it is completed. Writes
    `open_ports`, `area_tiles`.
    """
    completes = False
    own = t.tile_middle[as_index(tile)]
    if own > NONE:
        s.open_ports[own] = NUM_AROUND
    for number in range(NUM_AROUND):
        around = find_around(t, cell, number)
        if t.has_edge.size > 0 and around <= NONE:
            if own > NONE and t.open_edge.size == 0:
                s.open_ports[own] -= 1
            continue
        lying = find_tile(s, around)
        is_laid = lying > NONE  # without a branch, which would often be predicted wrongly
        beside = as_index(max(lying, 0))
        if own > NONE:
            s.open_ports[own] -= is_laid
            s.area_tiles[as_index(own), beside >> 5] |= np.int64(is_laid) << (int(beside) & 31)
        other = t.tile_middle[beside]
        if is_laid & (other > NONE):
            s.open_ports[other] -= 1
            completes |= s.open_ports[other] == 0
            set_bit(s.area_tiles[as_index(other)], tile)
    return completes


@kernel
def list_surrounded(t, s, cell, areas, count):
    """Append the surrounded areas around `cell` to the `count` in `areas`; return the new count (rule C4)."""
    listed = count
    for number in range(NUM_AROUND):
        around = find_around(t, cell, number)
        if t.has_edge.size > 0 and around <= NONE:
            continue
        tile = find_tile(s, around)
        if tile > NONE and t.tile_middle[as_index(tile)] > NONE:
            areas[as_index(listed)] = t.tile_middle[as_index(tile)]
            listed += 1
    return listed


@kernel
def clear_placements(s):
    """Forget where a tile fits. Writes `placements`."""
    for word in range(find_first_word(s), find_reach(s)):
        for rotation in range(NUM_ROTATIONS):
            s.placements[as_index(word), rotation] = 0


@kernel
def write_placements(t, s, tile):
    """Find where `tile` fits in each rotation; return whether it fits anywhere (rules Z9–Z11). Writes `placements`."""
    found = 0
    for number in range(find_first_word(s), find_reach(s)):
        word = as_index(number)
        for rotation in range(NUM_ROTATIONS):
            cells = _find_fitting(t, s, word, as_index(tile * NUM_ROTATIONS + rotation))
            s.placements[word, rotation] = cells
            found |= cells
    return found != 0


@kernel
def fits_anywhere(t, s, tile):
    """Return whether `tile` fits anywhere, turned somehow (rules Z9, C1)."""
    return count_placements(t, s, tile) > 0


@kernel
def count_placements(t, s, tile):
    """Return on how many cells `tile` fits, in each rotation (rules Z9, C1)."""
    count = 0
    for number in range(find_first_word(s), find_reach(s)):
        for rotation in range(NUM_ROTATIONS):
            count += count_word(_find_fitting(t, s, as_index(number), as_index(tile * NUM_ROTATIONS + rotation)))
    return count


@kernel
def _find_fitting(t, s, word, face):
    """Return on which cells of a `word` of the sets a face fits."""
    barred = 0
    for side in range(NUM_SIDES):
        barred |= np.int64(s.forbidden[word, side, as_index(t.face_edge[face, side])])
    return np.int64(s.frontier[word]) & ~barred


@kernel
def find_cell(t, s, cell_code):
    """Return the cell that an action names by `cell_code`, NONE for a spot that no cell has now (see `actions.py`)."""
    if s.reach.size == 0 or cell_code < t.window_cells:
        return int(cell_code)
    left = cell_code - t.window_cells
    for number in range(t.first_beyond // WORD_BITS, find_reach(s)):
        word = np.int64(s.frontier[number])
        if left < count_word(word):
            return number * WORD_BITS + nth_bit_of_word(word, left)
        left -= count_word(word)
    return NONE


@kernel
def find_cell_code(t, s, cell):
    """Return how an action names `cell`, which is in the window or on the frontier: the inverse of `find_cell`."""
    if s.reach.size == 0 or cell < t.window_cells:
        return int(cell)
    last = int(cell) // WORD_BITS
    spot = count_word(np.int64(s.frontier[as_index(last)]) & ((1 << (int(cell) % WORD_BITS)) - 1))
    for number in range(t.first_beyond // WORD_BITS, last):
        spot += count_word(np.int64(s.frontier[number]))
    return t.window_cells + spot


@kernel
def can_place(t, s, cell_code, rotation):
    """Return whether the drawn tile fits on the cell that an action names by `cell_code`, in `rotation`."""
    cell = find_cell(t, s, cell_code)
    return cell > NONE and tile_fits(s, cell, rotation)


@kernel
def tile_fits(s, cell, rotation):
    """Return whether the drawn tile fits on `cell` in `rotation`."""
    return (np.int64(s.placements[as_index(cell) >> 5, as_index(rotation)]) >> (int(cell) & 31)) & 1 == 1
