"""Trials in rows: finds how a tile would join areas without laying it, which takes a fraction of the time.

A trial changes the entries of a few areas in a copy of the game, and is taken back. A changed area keeps the name of an
old one, so that nodes are renamed only if it joins two of those.
"""

from zamek_env.components.model import NUM_AROUND, NUM_PORTS, NUM_ROTATIONS, NUM_SIDES, PORTS_PER_SIDE
from zamek_env.core.areas import add_entries, has_followers, is_due, move_followers, rename
from zamek_env.core.bits import as_index, set_bit
from zamek_env.core.jit import kernel
from zamek_env.core.placement import list_surrounded, surround
from zamek_env.core.row_sums import sum_up_pieces
from zamek_env.core.state import EMPTY, find_face, put_face, take_tile
from zamek_env.core.tables import NONE

MOST_NEAR = NUM_PORTS + NUM_AROUND  # areas near a tile: one a port, and those that it helps to surround


@kernel
def try_tile(t, then, cell, face, near):
    """Join the areas of `then` as if `face` lay on `cell`, and write the names of those that change to `near`.

    `then` must know the areas of the tile, by `add_areas`. Returns (how many are near, whether others may change too).
    """
    tile = face // NUM_ROTATIONS
    _begin(t, then, tile)
    count, reaches_far = 0, False
    for side in range(NUM_SIDES):
        beside = t.neighbor[as_index(cell), side]
        lying = find_face(then, beside) if beside > NONE else EMPTY
        if lying > EMPTY:
            _close_side(t, then, face, side)
            count, joins = _try_side(t, then, face, as_index(lying), side, near, count)
            reaches_far |= joins
        elif beside <= NONE and t.open_edge.size == 0:
            _close_side(t, then, face, side)
    if t.tile_middle.size > 0:
        count = list_surrounded(t, then, cell, near, count)
        surround(t, then, cell, tile, True)
    put_face(then, cell, face)
    return count, reaches_far or (then.closed.size > 0 and _closes(t, then, tile, near, count))


@kernel
def _begin(t, then, tile):
    """Make every segment of `tile` a separate area again, whose ports are all open."""
    for segment in range(t.tile_node.shape[1]):
        node = t.tile_node[as_index(tile), segment]
        if node <= NONE:
            break
        then.area[node] = node
        then.open_ports[node] = t.node_ports[node]
    if t.tile_middle.size > 0 and t.tile_middle[as_index(tile)] > NONE:
        own = as_index(t.tile_middle[as_index(tile)])
        for word in range(then.area_tiles.shape[1]):
            then.area_tiles[own, word] = 0
        set_bit(then.area_tiles[own], tile)


@kernel
def _close_side(t, then, face, side):
    """Close the ports of `face` on `side`."""
    for port in range(PORTS_PER_SIDE * side, PORTS_PER_SIDE * (side + 1)):
        node = t.face_node[as_index(face), as_index(port)]
        if node > NONE:
            then.open_ports[as_index(then.area[node])] -= 1


@kernel
def _try_side(t, then, face, other_face, side, near, count):
    """Close the neighbour's ports on `side`, join areas across it, and append its areas to the `count` in `near`.

    Returns (new count, whether two old areas are joined that others touch).
    """
    noted, reaches_far = count, False
    first_facing = PORTS_PER_SIDE * ((side + 2) % NUM_SIDES) + PORTS_PER_SIDE - 1
    for offset in range(PORTS_PER_SIDE):
        node = t.face_node[as_index(face), as_index(PORTS_PER_SIDE * side + offset)]
        other = t.face_node[other_face, as_index(first_facing - offset)]
        if other <= NONE:
            continue
        beside = as_index(then.area[other])
        noted = _note(near, noted, beside)
        then.open_ports[beside] -= 1
        if node <= NONE or t.node_feature[node] != t.node_feature[other]:
            continue
        own = as_index(then.area[node])
        if own != beside:
            reaches_far |= _join(t, then, beside, own, face // NUM_ROTATIONS)
    return noted, reaches_far


@kernel
def _note(near, count, area):
    """Append `area` to the `count` in `near` unless it is there; return the new count."""
    for number in range(count):
        if near[as_index(number)] == area:
            return count
    near[as_index(count)] = area
    return count + 1


@kernel
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
        if then.area[node] == gone:
            then.area[node] = kept
    return False


@kernel
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


@kernel
def sum_up_trial(t, s, then, player, near, count, sums):
    """Add what the `count` areas in `near` are worth to players after a trial to `sums`, less their present worth."""
    for number in range(count):
        area = as_index(near[as_index(number)])
        if has_followers(s, area):
            sum_up_pieces(t, s, area, player, -1, sums)
            joined = then.area[area]
            is_first = True
            for earlier in range(number):
                other = as_index(near[as_index(earlier)])
                is_first = is_first and (then.area[other] != joined or not has_followers(s, other))
            if is_first:
                sum_up_pieces(t, then, as_index(joined), player, 1, sums)


@kernel
def take_back(s, then, tile, near, count):
    """Restore `then` to `s`, except for the areas of `tile`, which is not laid."""
    take_tile(then, tile)
    is_renamed = False
    for number in range(count):
        area = as_index(near[as_index(number)])
        is_renamed |= then.area[area] != area
        then.open_ports[area] = s.open_ports[area]
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
