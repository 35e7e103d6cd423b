"""The bitmask board: which cells are next to something, what fits where, and laying a tile.

For every side and every kind of edge `s.forbidden[:, side, edge]` is the set of cells whose neighbour on that side
shows another kind. A face fits on the frontier minus four such sets, for all cells of a word at once (rules Z9, Z10,
C1).

On an open table a game takes up a part of these sets. Only the words from the first to the last in use are looked at.
Of the cells beyond the window only those are in the sets that touch a tile, in ascending order (`spot_cell`). As one
comes or goes, those after it move.
"""

import numpy as np

from zamek_env.base.records import NONE
from zamek_env.compiler.bits import as_index, clear_bit, count_word, has_bit, set_bit
from zamek_env.compiler.jit import kernel
from zamek_env.components.bitset import WORD_BITS
from zamek_env.components.model import NUM_AROUND, NUM_ROTATIONS, NUM_SIDES, PORTS_PER_SIDE
from zamek_env.core.areas import add_areas, close_area, merge_areas
from zamek_env.core.state import EMPTY, find_near_tile, find_tile, find_turned, is_beyond, put_face

OWN, OTHERS = 1, 2  # whose areas a tile completes: its own, and those that it only touches


@kernel
def find_first_word(s):
    """Return the first word of the sets of cells that is in use; with a wall all are."""
    return 0 if s.reach.size == 0 else int(s.reach[0])


@kernel
def find_reach(s):
    """Return the end of the words of the sets of cells in use; with a wall all are."""
    return s.frontier.size if s.reach.size == 0 else int(s.reach[1])


@kernel
def is_in_window(s):
    """Return whether all words in use are of the window, as they are until a cell beyond it touches a tile."""
    return s.reach.size == 0 or find_reach(s) < s.frontier.size


@kernel
def _extend_reach(s, cell):
    """Count the word of `cell`, in the window, among those in use. Writes `reach`."""
    if s.reach.size > 0:
        word = int(cell) // WORD_BITS
        s.reach[0] = min(int(s.reach[0]), word)
        s.reach[1] = max(int(s.reach[1]), word + 1)


@kernel
def _leave_frontier(t, s, cell, far):
    """Take `cell`, on which a tile lies now, from the empty ones.

    Writes `empty`, `frontier`, `reach` or, beyond the window, what `_close_spot` writes.
    """
    if far is not None and is_beyond(s, cell):
        _close_spot(t, s, cell)
    else:
        clear_bit(s.empty, cell)
        clear_bit(s.frontier, cell)
        _extend_reach(s, cell)


@kernel
def _join_frontier(t, s, cell, far):
    """Add the empty `cell`, which touches something now, to the frontier; return its code.

    Writes `frontier`, `reach` or, beyond the window, what `_open_spot` writes.
    """
    if far is not None and is_beyond(s, cell):
        return _open_spot(t, s, cell)
    set_bit(s.frontier, cell)
    _extend_reach(s, cell)
    return int(cell)


@kernel
def _open_spot(t, s, cell):
    """Give the empty `cell` beyond the window, which touches a tile now, its spot; return its code.

    Writes `spot_cell`, `frontier`, `forbidden`, `reach`.
    """
    first = _find_spot(s, cell)
    code = int(t.window_cells) + first
    if s.spot_cell[first] != cell:
        for spot in range(s.spot_cell.size - 1, first, -1):
            s.spot_cell[spot] = s.spot_cell[spot - 1]
        s.spot_cell[first] = cell
        for word in range(s.frontier.size - 1, code // WORD_BITS - 1, -1):
            is_first = word == code // WORD_BITS
            kept, before = (1 << (code % WORD_BITS)) - 1 if is_first else 0, max(word - 1, 0)
            s.frontier[word] = _move_up(s.frontier[word], s.frontier[before] * (not is_first), kept)
            for side in range(NUM_SIDES):
                for edge in range(s.forbidden.shape[2]):
                    below = s.forbidden[before, side, edge] * (not is_first)
                    s.forbidden[word, side, edge] = _move_up(s.forbidden[word, side, edge], below, kept)
    set_bit(s.frontier, code)
    s.reach[1] = s.frontier.size
    return code


@kernel
def _close_spot(t, s, cell):
    """Take the spot of `cell`, beyond the window, on which a tile lies now.

    Writes `spot_cell`, `frontier`, `forbidden`.
    """
    first, last = _find_spot(s, cell), s.spot_cell.size - 1
    for spot in range(first, last):
        s.spot_cell[spot] = s.spot_cell[spot + 1]
    s.spot_cell[last] = NONE
    code, last_word = int(t.window_cells) + first, s.frontier.size - 1
    for word in range(code // WORD_BITS, s.frontier.size):
        kept = (1 << (code % WORD_BITS)) - 1 if word == code // WORD_BITS else 0
        after = min(word + 1, last_word)
        s.frontier[word] = _move_down(s.frontier[word], s.frontier[after] * (word < last_word), kept)
        for side in range(NUM_SIDES):
            for edge in range(s.forbidden.shape[2]):
                above = s.forbidden[after, side, edge] * (word < last_word)
                s.forbidden[word, side, edge] = _move_down(s.forbidden[word, side, edge], above, kept)


@kernel
def _find_spot(s, cell):
    """Return the first spot beyond the window that no lower cell than `cell` has."""
    spot = 0
    while spot < s.spot_cell.size and NONE < s.spot_cell[as_index(spot)] < cell:
        spot += 1
    return spot


@kernel
def _move_up(word, below, kept):
    """Return `word` with all but the `kept` lowest bits shifted up by one, and the highest bit of `below` filled in."""
    moved = (np.int64(word) & ~kept) << 1 | np.int64(below) >> (WORD_BITS - 1)
    return np.int64(word) & kept | moved & 0xFFFFFFFF


@kernel
def _move_down(word, above, kept):
    """Return `word` without the bit after the `kept` lowest, higher ones shifted down, and the lowest of `above`."""
    moved = np.int64(word) >> 1 | (np.int64(above) & 1) << (WORD_BITS - 1)
    return np.int64(word) & kept | moved & ~kept


@kernel
def lay_starts(t, s):
    """Make a board with what lies there from the beginning: start spaces or the start tile (rules Z2, C1).

    Writes `empty`, `frontier`, `reach`, `forbidden`, `area`, what `put_face` writes and, by `add_areas`, what is known
    of areas.
    """
    s.area.fill(NONE)
    for word in range(s.empty.size):
        s.empty[word] = t.all_cells[word]
    for word in range(s.frontier.size):
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
    """Lay a start space next to its cell."""
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

    Returns whether areas were completed (rules Z16, C4), `OWN` of the tile, `OTHERS` next to it, or both;
    `list_completed` finds which. Writes `empty`, `frontier`, `reach`, `forbidden`; by `put_face` where it lies; by
    `add_areas`, `merge_areas`, `close_area` the areas.
    """
    if s.spot_cell.size > 0 and touches_beyond(t, s, cell):
        return _lay(t, s, cell, face, True)
    return _lay(t, s, cell, face, None)


@kernel
def _lay(t, s, cell, face, far):
    """Do as `lay_tile` does; `far` is None where no cell near `cell` is beyond the window, which leaves out code."""
    put_face(s, cell, face)
    _leave_frontier(t, s, cell, far)
    closes_others = False
    add_areas(t, s, face // NUM_ROTATIONS)
    for side in range(NUM_SIDES):
        neighbor = t.neighbor[as_index(cell), side]
        if neighbor <= NONE:
            if t.open_edge.size > 0:
                _open_side(t, s, face, side)
            continue
        lying = find_turned(s, _find_lying(s, neighbor, far))
        if lying <= EMPTY:
            _open_side(t, s, face, side)
            _forbid(s, _join_frontier(t, s, neighbor, far), (side + 2) % NUM_SIDES, t.face_edge[face, side])
        else:
            closes_others |= _join_side(t, s, face, lying, side)
    if t.tile_middle.size > 0:
        closes_others |= surround(t, s, cell, face // NUM_ROTATIONS, far)
    return OWN * _close_areas(t, s, face // NUM_ROTATIONS) + OTHERS * closes_others


@kernel
def touches_beyond(t, s, cell):
    """Return whether `cell`, or one of the eight cells around it, is beyond the window."""
    return is_beyond(s, cell) or not has_bit(t.inner_cells, cell)


@kernel
def _find_lying(s, location, far):
    """Return which tile lies at `location`, NONE for none; `far` is as in `_lay`."""
    return find_near_tile(s, location) if far is None else find_tile(s, location)


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
def _forbid(s, cell_code, side, edge):
    """Note that the neighbour of a cell on `side` shows `edge`: any other kind is forbidden there."""
    word, bit = as_index(cell_code) >> 5, int(cell_code) & 31
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
        own, neighbor = _find_area(s, node), _find_area(s, other)
        s.open_ports[neighbor] -= 1
        is_joined = (node > NONE) & (t.node_feature[as_index(max(int(node), 0))] == t.node_feature[other])
        if is_joined & (own != neighbor):
            merge_areas(s, own, neighbor)
        is_closed = (not is_joined) & (s.open_ports[neighbor] == 0)
        completes |= is_closed
        if s.closed.size > 0 and is_closed and not _is_on_face(t, s, face, neighbor):
            close_area(t, s, neighbor)
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
    """Return one of the eight cells around a `cell` of a table: 0 … 3 at its sides, 4 … 7 at its corners.

    It is NONE beyond the edge of a table that has one (rule H7).
    """
    neighbor = t.neighbor[as_index(cell), as_index(number % NUM_SIDES)]
    if number < NUM_SIDES or (t.has_edge.size > 0 and neighbor <= NONE):
        return neighbor
    return t.neighbor[as_index(neighbor), as_index((number + 1) % NUM_SIDES)]


@kernel
def fills_hole(t, s):
    """Return whether there are tiles on all four sides of this turn's tile (rule H5)."""
    for side in range(NUM_SIDES):
        neighbor = t.neighbor[as_index(s.cell), side]
        if neighbor <= NONE or find_tile(s, neighbor) <= NONE:
            return False
    return True


@kernel
def surround(t, s, cell, tile, far):
    """Count the new `tile` on `cell` for the surrounded areas around it, and the tiles around it for its own (C4).

    Cells beyond an edge that closes are as good as laid (rule H8); `far` is as in `_lay`. Returns whether one around it
    is completed. Writes `open_ports`, `area_tiles`.
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
        lying = _find_lying(s, around, far)
        is_laid = lying > NONE  # without a branch, which would often be predicted wrongly
        other_tile = as_index(max(lying, 0))
        if own > NONE:
            s.open_ports[own] -= is_laid
            s.area_tiles[as_index(own), other_tile >> 5] |= np.int64(is_laid) << (int(other_tile) & 31)
        other = t.tile_middle[other_tile]
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
    """Clear the placements. Writes `placements`."""
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
    """Return the number of cells on which `tile` fits, in each rotation (rules Z9, C1)."""
    count = 0
    for number in range(find_first_word(s), find_reach(s)):
        for rotation in range(NUM_ROTATIONS):
            count += count_word(_find_fitting(t, s, as_index(number), as_index(tile * NUM_ROTATIONS + rotation)))
    return count


@kernel
def _find_fitting(t, s, word, face):
    """Return the cells of a `word` of the sets on which a face fits."""
    barred = 0
    for side in range(NUM_SIDES):
        barred |= np.int64(s.forbidden[word, side, as_index(t.face_edge[face, side])])
    return np.int64(s.frontier[word]) & ~barred


@kernel
def find_cell(t, s, cell_code):
    """Return the cell that an action names by `cell_code`, NONE for a spot that no cell has now (see `actions.py`)."""
    if not is_beyond(s, cell_code):
        return int(cell_code)
    return int(s.spot_cell[as_index(cell_code - t.window_cells)])


@kernel
def find_cell_code(t, s, cell):
    """Return the code by which actions name `cell`, in the window or on the frontier: the inverse of `find_cell`."""
    return int(t.window_cells) + _find_spot(s, cell) if is_beyond(s, cell) else int(cell)


@kernel
def tile_fits(s, cell_code, rotation):
    """Return whether the drawn tile fits on the cell that an action names by `cell_code`, in `rotation`."""
    return (np.int64(s.placements[as_index(cell_code) >> 5, as_index(rotation)]) >> (int(cell_code) & 31)) & 1 == 1
