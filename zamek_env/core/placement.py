"""The bitmask board: which cells are next to something, what fits where, and laying a tile.

For every side and every kind of edge `s.forbidden[side, edge]` is the set of cells whose neighbour on that side shows
another kind. A face fits on the frontier minus four such sets, for all cells at once (rules Z9, Z10).
"""

import numpy as np

from zamek_env.core.areas import add_areas, merge_areas
from zamek_env.core.bits import clear_bit, has_bit, index, set_bit
from zamek_env.core.components import NUM_ROTATIONS, NUM_SIDES, PORTS_PER_SIDE
from zamek_env.core.jit import kernel
from zamek_env.core.state import EMPTY
from zamek_env.core.tables import NONE


@kernel
def lay_start_spaces(t, s):
    """Make an empty castle with its start spaces, which count as tiles (rule Z2).

    Writes `face`, `empty`, `frontier`, `forbidden` and, by `add_areas`, the areas.
    """
    num_cells = t.neighbor.shape[0]
    num_tiles = t.tile_node.shape[0] - t.start_cell.size
    s.face.fill(EMPTY)
    s.area.fill(NONE)
    s.empty[:] = t.all_cells
    s.frontier[:] = t.start_bits
    for start in range(t.start_cell.size):
        face = num_tiles * NUM_ROTATIONS + start
        cell, side = t.start_cell[start], t.start_side[start]
        towards = (side + 2) % NUM_SIDES
        s.face[num_cells + start] = face
        add_areas(t, s, num_tiles + start)
        for port in range(PORTS_PER_SIDE * towards, PORTS_PER_SIDE * (towards + 1)):
            node = t.face_node[face, port]
            if node > NONE:
                s.open_ports[s.area[node]] += 1
        _forbid(t, s, cell, side, t.face_edge[face, towards])


@kernel
def lay_tile(t, s, cell, face):
    """Lay a tile that fits on an empty cell and join its segments with what they touch.

    Writes `face`, `empty`, `frontier`, `forbidden` and, by `add_areas` and `merge_areas`, the areas.
    """
    s.face[index(cell)] = face
    clear_bit(s.empty, cell)
    clear_bit(s.frontier, cell)
    add_areas(t, s, face // NUM_ROTATIONS)
    for side in range(NUM_SIDES):
        beside = t.neighbor[index(cell), side]
        if beside <= NONE:
            continue
        if s.face[beside] <= EMPTY:
            _open_side(t, s, face, side)
            _forbid(t, s, beside, (side + 2) % NUM_SIDES, t.face_edge[face, side])
            set_bit(s.frontier, beside)
        else:
            _join_side(t, s, face, s.face[beside], side)


@kernel
def _forbid(t, s, cell, side, edge):
    """Note that the neighbour of `cell` on `side` shows `edge`: any other kind is forbidden there."""
    for other in range(s.forbidden.shape[1]):
        if other != edge:
            set_bit(s.forbidden[side, other], cell)


@kernel
def _open_side(t, s, face, side):
    """Count the ports of `side` as open: they face an empty space (rule Z16)."""
    for port in range(PORTS_PER_SIDE * side, PORTS_PER_SIDE * (side + 1)):
        node = t.face_node[index(face), port]
        if node > NONE:
            s.open_ports[index(s.area[node])] += 1


@kernel
def _join_side(t, s, face, other_face, side):
    """Close the neighbour's ports on `side` and join areas of one feature across it (rules Z7, Z16)."""
    first_facing = PORTS_PER_SIDE * ((side + 2) % NUM_SIDES) + PORTS_PER_SIDE - 1
    for place in range(PORTS_PER_SIDE):
        node = t.face_node[index(face), PORTS_PER_SIDE * side + place]
        other = t.face_node[index(other_face), first_facing - place]
        if other <= NONE:
            continue
        s.open_ports[index(s.area[other])] -= 1
        if node > NONE and t.node_feature[node] == t.node_feature[other]:
            merge_areas(s, index(s.area[node]), index(s.area[other]))


@kernel
def find_placements(t, s, tile):
    """Find where `tile` fits in each rotation; return whether it fits anywhere (rules Z9–Z11). Writes `placements`."""
    found = 0
    for rotation in range(NUM_ROTATIONS):
        face = index(tile * NUM_ROTATIONS + rotation)
        for word in range(s.frontier.size):
            barred = 0
            for side in range(NUM_SIDES):
                barred |= np.int64(s.forbidden[side, index(t.face_edge[face, side]), word])
            cells = np.int64(s.frontier[word]) & ~barred
            s.placements[rotation, word] = cells
            found |= cells
    return found != 0


@kernel
def can_place(s, cell, rotation):
    """Return whether the drawn tile fits on `cell` in `rotation`."""
    return has_bit(s.placements[rotation], cell)
