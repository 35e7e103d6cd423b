"""Trials in rows: finds how a tile would join areas without laying it, which takes a fraction of the time.

A trial changes the entries of a few areas in a copy of the game, and is taken back. What does not depend on how the
tile is turned is found once for each cell. A changed area keeps the name of an old one, so that nodes are renamed only
if it joins two of those.
"""

from zamek_env.base.records import NONE
from zamek_env.compiler.bits import as_index, count_word, lowest_bit, set_bit
from zamek_env.compiler.jit import inlined_kernel
from zamek_env.components.model import (
    MAX_FEATURES,
    NUM_AROUND,
    NUM_PORTS,
    NUM_ROTATIONS,
    NUM_SIDES,
    PORTS_PER_SIDE,
)
from zamek_env.core.areas import add_entries, has_followers, is_due, move_followers, rename
from zamek_env.core.placement import list_surrounded, surround
from zamek_env.core.row_sums import sum_up_pieces
from zamek_env.core.state import EMPTY, find_face

MOST_NEAR = NUM_PORTS + NUM_AROUND  # areas near a tile: one a port, and those that it helps to surround
# What lies around the cell of a trial, in scratch space: first the areas that change, those that face the tile before
# those that it helps to surround. Then,
LEFT = MOST_NEAR  # of each area that faces the tile, its open ports once a tile lies there,
FACED = LEFT + NUM_PORTS  # and the ports that it faces, as a bit set;
FACING = FACED + NUM_PORTS  # which area faces each port;
HELD = FACING + NUM_PORTS  # areas that face the tile and hold pieces;
OWN_PORTS = HELD + NUM_PORTS  # the ports of each segment of the tile, not turned;
BY_FEATURE = OWN_PORTS + NUM_PORTS + 1  # and of each feature the ports that its areas face
AROUND = BY_FEATURE + MAX_FEATURES
ALL_PORTS, SIDE_PORTS = (1 << NUM_PORTS) - 1, (1 << PORTS_PER_SIDE) - 1


@inlined_kernel
def list_own_ports(t, tile, around):
    """Write which ports each segment of `tile` has before it is turned."""
    for segment in range(t.tile_node.shape[1]):
        node, ports = t.tile_node[as_index(tile), segment], 0
        if node <= NONE:
            break
        for port in range(NUM_PORTS):
            ports |= (t.face_node[as_index(tile * NUM_ROTATIONS), port] == node) << port
        around[as_index(OWN_PORTS + segment)] = ports


@inlined_kernel
def enter_cell(t, then, cell, tile, around):
    """Count `tile` as lying on `cell`, for the areas around, and write what lies there to `around`.

    `then` must know the areas of the tile, by `add_areas`. Returns (how many areas face the tile, how many change, the
    ports of the tile that are not open).
    """
    faced, closed = 0, 0
    for feature in range(t.feature_points.size):
        around[as_index(BY_FEATURE + feature)] = 0
    for side in range(NUM_SIDES):
        neighbor = t.neighbor[as_index(cell), side]
        lying = find_face(then, neighbor) if neighbor > NONE else EMPTY
        is_closed = lying > EMPTY or (neighbor <= NONE and t.open_edge.size == 0)
        closed |= is_closed * SIDE_PORTS << PORTS_PER_SIDE * side
        if lying <= EMPTY:
            continue
        first_facing = PORTS_PER_SIDE * ((side + 2) % NUM_SIDES) + PORTS_PER_SIDE - 1
        for offset in range(PORTS_PER_SIDE):
            port = PORTS_PER_SIDE * side + offset
            other = t.face_node[as_index(lying), as_index(first_facing - offset)]
            if other > NONE:
                area = as_index(then.area[other])
                then.open_ports[area] -= 1
                number = _find_near(around, faced, area)
                if number == faced:
                    around[as_index(number)] = area
                    around[as_index(FACED + number)] = 0
                    faced += 1
                around[as_index(FACED + number)] |= 1 << port
                around[as_index(FACING + port)] = number
                around[as_index(BY_FEATURE + t.node_feature[other])] |= 1 << port
    count = faced
    if t.tile_middle.size > 0:
        if t.tile_middle[as_index(tile)] > NONE:
            own = as_index(t.tile_middle[as_index(tile)])
            for word in range(then.area_tiles.shape[1]):
                then.area_tiles[own, word] = 0
            set_bit(then.area_tiles[own], tile)
        count = list_surrounded(t, then, cell, around, count)
        surround(t, then, cell, tile, True)
    for number in range(faced):
        around[as_index(LEFT + number)] = then.open_ports[as_index(around[as_index(number)])]
    return faced, count, closed


@inlined_kernel
def _find_near(around, count, area):
    """Return the number of `area` among the first `count`, or `count`."""
    number = 0
    while number < count and around[as_index(number)] != area:
        number += 1
    return number


@inlined_kernel
def leave_cell(s, then, around, faced, count):
    """Undo what `enter_cell` did to the areas around."""
    for number in range(count):
        area = as_index(around[as_index(number)])
        then.open_ports[area] = s.open_ports[area]
        if number >= faced:
            for word in range(s.area_tiles.shape[1]):
                then.area_tiles[area, word] = s.area_tiles[area, word]


@inlined_kernel
def try_face(t, then, face, around, faced, closed):
    """Join the areas of `then` as if `face` lay on the cell; return whether others may change too.

    `faced` and `closed` are what `enter_cell` returned.
    """
    tile, turned, reaches_far = face // NUM_ROTATIONS, PORTS_PER_SIDE * (face % NUM_ROTATIONS), False
    for segment in range(t.tile_node.shape[1]):
        node = t.tile_node[as_index(tile), segment]
        if node <= NONE:
            break
        ports = int(around[as_index(OWN_PORTS + segment)]) << turned
        ports = (ports | ports >> NUM_PORTS) & ALL_PORTS
        then.area[node] = node
        if t.tile_middle.size == 0 or node != t.tile_middle[as_index(tile)]:
            then.open_ports[node] = t.node_ports[node] - count_word(ports & closed)
        alike = ports & int(around[as_index(BY_FEATURE + t.node_feature[node])])
        while alike != 0:
            number = as_index(around[as_index(FACING + lowest_bit(alike))])
            alike &= ~int(around[as_index(FACED + number)])
            own, neighbor = as_index(then.area[node]), as_index(then.area[as_index(around[number])])
            if own != neighbor:
                reaches_far |= _join(t, then, neighbor, own, tile)
    return reaches_far or (then.closed.size > 0 and _closes(t, then, tile, around, faced))


@inlined_kernel
def _join(t, then, kept, gone, tile):
    """Join two areas under the name of an old one; return whether the other is old too, and others touch such areas."""
    add_entries(then, kept, gone)
    if t.node_tile[gone] != tile:
        rename(then.area, gone, kept)
        if has_followers(then, gone):
            move_followers(then, gone, kept)
        return then.area_touched.size > 0 and gone < t.touched_nodes
    for segment in range(t.tile_node.shape[1]):
        node = t.tile_node[as_index(tile), segment]
        if node <= NONE:
            break
        then.area[node] = kept if then.area[node] == gone else then.area[node]
    return False


@inlined_kernel
def _closes(t, then, tile, near, count):
    """Return whether an area is completed that others touch."""
    for number in range(count):
        area = as_index(then.area[as_index(near[as_index(number)])])
        if area < t.touched_nodes and is_due(t, then, area):
            return True
    for segment in range(t.tile_node.shape[1]):
        node = t.tile_node[as_index(tile), segment]
        if node > NONE and then.area[node] < t.touched_nodes and is_due(t, then, as_index(then.area[node])):
            return True
    return False


@inlined_kernel
def sum_up_around(t, s, then, player, around, faced, count, sums):
    """Take what the `count` areas are worth to players from `sums`, and add what surrounded ones are worth then.

    Returns how many of the first `faced` areas hold pieces, and writes which to `around`.
    """
    held = 0
    for number in range(count):
        area = as_index(around[as_index(number)])
        if has_followers(s, area):
            sum_up_pieces(t, s, area, player, -1, sums)
            if t.tile_middle.size > 0 and number >= faced:
                sum_up_pieces(t, then, area, player, 1, sums)
            else:
                around[as_index(HELD + held)] = area
                held += 1
    return held


@inlined_kernel
def sum_up_held(t, then, player, around, held, sums):
    """Add what those areas that face the tile and hold pieces are worth to players after a trial to `sums`."""
    for number in range(held):
        joined, is_first = then.area[as_index(around[as_index(HELD + number)])], True
        for earlier in range(number):
            is_first &= then.area[as_index(around[as_index(HELD + earlier)])] != joined
        if is_first:
            sum_up_pieces(t, then, as_index(joined), player, 1, sums)


@inlined_kernel
def take_back(s, then, around, faced):
    """Restore `then` to what it was before `try_face`, except for the areas of the tile."""
    is_renamed = False
    for number in range(faced):
        area = as_index(around[as_index(number)])
        is_renamed |= then.area[area] != area
        then.open_ports[area] = around[as_index(LEFT + number)]
        then.area_marks[area] = s.area_marks[area]
        for player in range(s.score.size):
            then.area_followers[area, player] = s.area_followers[area, player]
        if s.area_nests.size > 0:
            then.area_nests[area] = s.area_nests[area]
        if area < s.area_tiles.shape[0]:
            for word in range(s.area_tiles.shape[1]):
                then.area_tiles[area, word] = s.area_tiles[area, word]
        elif s.area_touched.size > 0:
            for word in range(s.area_touched.shape[1]):
                row = as_index(area - s.area_tiles.shape[0])
                then.area_touched[row, word] = s.area_touched[row, word]
    if is_renamed:
        for node in range(s.area.size):
            then.area[as_index(node)] = s.area[as_index(node)]
        for player in range(s.score.size):
            for piece in range(s.follower_area.shape[1]):
                then.follower_area[player, piece] = s.follower_area[player, piece]
