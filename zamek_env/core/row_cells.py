"""Cells in rows: how many tiles fit on the empty cells around a tile, and whose areas are open there."""

from zamek_env.components.model import NUM_PORTS, NUM_SIDES, PORTS_PER_SIDE
from zamek_env.core.areas import count_tiles, has_followers, is_paid
from zamek_env.core.bits import as_index, clear_bit, count_common, set_bit
from zamek_env.core.chance import can_see_hand
from zamek_env.core.jit import inlined_kernel, kernel
from zamek_env.core.memory import new_scratch
from zamek_env.core.pieces import find_factor
from zamek_env.core.scoring import find_size_points
from zamek_env.core.state import EMPTY, find_face, find_seat, find_tile
from zamek_env.core.tables import NONE
from zamek_env.layout.rows import FITTING


@kernel
def find_left(s, player, left):
    """Write which tiles are not drawn yet, or in hands that `player` does not see, into `left`, a bit set."""
    left.fill(0)
    for number in range(s.drawn, s.deck.size):
        set_bit(left, s.deck[number])
    for holder in range(s.hand.shape[0]):
        for slot in range(s.hand.shape[1]):
            if s.hand[holder, slot] > NONE and can_see_hand(s, player, holder):
                clear_bit(left, s.hand[holder, slot])


@kernel
def sum_up_cells(t, s, player, left, cell, sums):
    """Write what areas that are open at `cell` or its neighbours pay, as far as these are empty, into their columns."""
    for holder in range(t.row_cells.size):
        for column in range(len(FITTING)):
            sums[as_index(t.row_cells[holder] + column)] = 0
    _sum_up_cell(t, s, player, left, cell, sums)
    for side in range(NUM_SIDES):
        neighbor = t.neighbor[as_index(cell), side]
        if neighbor > NONE:
            _sum_up_cell(t, s, player, left, neighbor, sums)


@kernel
def _sum_up_cell(t, s, player, left, cell, sums):
    if find_tile(s, cell) > NONE:
        return
    open_areas = new_scratch(t.row_points, NUM_PORTS)
    count, surroundings = 0, 0
    for side in range(NUM_SIDES):
        neighbor = t.neighbor[as_index(cell), side]
        lying = find_face(s, neighbor) if neighbor > NONE else EMPTY
        if lying > EMPTY:
            face, facing = as_index(lying), (side + 2) % NUM_SIDES
            surroundings += t.surroundings[side] * (t.face_edge[face, facing] + 1)
            count = _list_open(t, s, face, facing, open_areas, count)
    if count == 0:
        return
    fitting = count_common(t.fitting[as_index(surroundings)], left)
    column = -1
    for least in FITTING:
        column += fitting >= least
    for number in range(count):
        _sum_up_open(t, s, player, as_index(open_areas[as_index(number)]), column, sums)


@inlined_kernel
def _list_open(t, s, face, side, open_areas, count):
    """Append the areas on a side of `face` that can be completed to `count` others; return the new count."""
    listed = count
    for port in range(PORTS_PER_SIDE * side, PORTS_PER_SIDE * (side + 1)):
        node = t.face_node[face, as_index(port)]
        if node <= NONE:
            continue
        area, feature = s.area[node], as_index(t.node_feature[node])
        is_new = t.feature_completes[feature] != 0 and not t.feature_surrounded[feature]
        for number in range(listed):
            is_new = is_new and open_areas[as_index(number)] != area
        if is_new:
            open_areas[as_index(listed)] = area
            listed += 1
    return listed


@inlined_kernel
def _sum_up_open(t, s, player, area, column, sums):
    """Count an area for the players who would be paid for it, or for nobody."""
    worth = find_size_points(t, s, area, count_tiles(s, area))
    if not has_followers(s, area):
        sums[as_index(t.row_cells[s.score.size] + column)] += worth
        return
    for owner in range(s.score.size):
        holder = find_seat(s, player, owner)
        if is_paid(t, s, area, holder):
            sums[as_index(t.row_cells[owner] + column)] += worth * find_factor(t, s, area, holder)
