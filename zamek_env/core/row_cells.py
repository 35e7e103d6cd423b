"""Cells in rows: how many tiles fit on the empty cells around a tile, and whose areas are open there.

What lies around these cells is found once for each cell on which the tile may lie. A tile there changes one side of
each.
"""

from zamek_env.base.records import NONE
from zamek_env.compiler.bits import as_index, clear_bit, count_common, set_bit
from zamek_env.compiler.jit import inlined_kernel, kernel
from zamek_env.compiler.memory import new_scratch
from zamek_env.components.model import NUM_PORTS, NUM_SIDES, PORTS_PER_SIDE
from zamek_env.core.areas import count_tiles, has_followers, is_paid
from zamek_env.core.dealing import can_see_hand
from zamek_env.core.pieces import find_factor
from zamek_env.core.scoring import find_size_points
from zamek_env.core.state import EMPTY, find_face, find_seat, find_tile
from zamek_env.layout.rows import FITTING

# What lies around an empty cell, in scratch space: first the number of its surroundings; then,
COUNT = 1  # how many areas are open there, NONE where the cell is taken,
AREAS = 2  # and which
ENTRIES = AREAS + NUM_PORTS
ONE = ENTRIES // NUM_SIDES + 1  # that space, by sides, for one cell,
NEAR = ENTRIES * (NUM_SIDES + 1) // NUM_SIDES + 1  # and for a cell and its neighbours


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
def look_around(t, s, cell, near):
    """Write what lies around the neighbours of `cell`, and last around itself, into `near`."""
    for place in range(NUM_SIDES + 1):
        location = cell if place == NUM_SIDES else t.neighbor[as_index(cell), as_index(place)]
        first = as_index(ENTRIES * place)
        near[first], near[first + COUNT] = 0, NONE
        if location <= NONE or find_tile(s, location) > NONE:
            continue
        count = 0
        for side in range(NUM_SIDES):
            neighbor = t.neighbor[as_index(location), side]
            lying = find_face(s, neighbor) if neighbor > NONE else EMPTY
            if lying > EMPTY:
                count = _add_side(t, s, as_index(lying), (side + 2) % NUM_SIDES, side, near, first, count)
        near[first + COUNT] = count


@inlined_kernel
def _add_side(t, s, face, side, towards, near, first, count):
    """Add what an empty cell sees on its side `towards`, the `side` of a `face`; return the new count of its areas."""
    near[first] += t.surroundings[towards] * (t.face_edge[face, side] + 1)
    listed = count
    for port in range(PORTS_PER_SIDE * side, PORTS_PER_SIDE * (side + 1)):
        node = t.face_node[face, as_index(port)]
        if node > NONE:
            feature = as_index(t.node_feature[node])
            if t.feature_completes[feature] != 0 and not t.feature_surrounded[feature]:
                listed = _add_area(s.area[node], near, first, listed)
    return listed


@inlined_kernel
def _add_area(area, near, first, count):
    """Append an area to the `count` of an empty cell, unless it is among them; return the new count."""
    number = 0
    while number < count and near[as_index(first + AREAS + number)] != area:
        number += 1
    near[as_index(first + AREAS + number)] = area
    return max(number + 1, count)


@kernel
def sum_up_cells(t, s, player, left, near, face, sums):
    """Write what areas pay that are open at the empty cells in `near`, as they are now in `s`, into their columns.

    Unless `face` is EMPTY, the cell in their midst counts as if that face lay there, whose areas `s` knows.
    """
    for holder in range(t.row_cells.size):
        for column in range(len(FITTING)):
            sums[as_index(t.row_cells[holder] + column)] = 0
    then = new_scratch(t.surroundings, ONE)
    for place in range(NUM_SIDES if face > EMPTY else NUM_SIDES + 1):
        first, count = as_index(ENTRIES * place), 0
        then[0] = near[first]
        for number in range(near[first + COUNT]):
            count = _add_area(s.area[as_index(near[as_index(first + AREAS + number)])], then, 0, count)
        if face > EMPTY and near[first + COUNT] > NONE:
            count = _add_side(t, s, as_index(face), place, (place + 2) % NUM_SIDES, then, 0, count)
        if count == 0:
            continue
        fitting = count_common(t.fitting[as_index(then[0])], left)
        column = -1
        for least in FITTING:
            column += fitting >= least
        for number in range(count):
            _sum_up_open(t, s, player, as_index(then[as_index(AREAS + number)]), column, sums)


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
