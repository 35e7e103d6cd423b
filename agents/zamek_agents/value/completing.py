"""Which of the tiles left would complete an area, and which would join two: sets of tiles, found beforehand.

A tile that fits on an open cell of an area, turned somehow, ends it there if at each port by which the area comes in
it shows another feature, or a segment that leads to closed sides only. A side where another area of the feature comes
in, one that is open elsewhere, counts as not closed, whichever ports meet there. A tile joins two areas if they come in
at ports of one segment.
"""

import numpy as np

from zamek_env.components.bitset import WORD_BITS
from zamek_env.components.model import NUM_PORTS, NUM_ROTATIONS, NUM_SIDES, PORTS_PER_SIDE
from zamek_env.core.bits import as_index, clear_bit, count_word, set_bit
from zamek_env.core.jit import kernel
from zamek_env.core.tables import NONE

SLOTS = 512  # numbers of tiles that are remembered, a power of 2
_MIX = 0x9E3779B1  # 2**32 / golden ratio, so that keys are spread over all slots
_KINDS = 2  # of counts


@kernel
def count_ending(t, s, evaluator, area, opening):
    """Return how many of the tiles left end `area` at an `opening`: a cell << NUM_PORTS, with bits for its ports."""
    cell, ports = as_index(opening >> NUM_PORTS), int(opening) & ((1 << NUM_PORTS) - 1)
    feature, pattern = as_index(t.node_feature[area]), as_index(evaluator.pattern[cell])
    closed = int(evaluator.closed[cell])
    if evaluator.is_linked[area]:
        closed &= ~int(_find_exits(t, s, evaluator, area, cell))
    key = _find_key(evaluator, 0, feature, pattern, ports << NUM_SIDES | closed)
    slot = _find_slot(key)
    if evaluator.counted_keys[slot] != key:
        evaluator.counted_keys[slot] = key
        evaluator.counts[slot] = _count_ending_at(evaluator, feature, pattern, ports, as_index(closed))
    return int(evaluator.counts[slot])


@kernel
def _count_ending_at(evaluator, feature, pattern, ports, closed):
    """Return how many of the tiles left end an area coming in at `ports` beside `closed` sides; both are bit sets."""
    count = 0
    for word in range(evaluator.left.size):
        ending = np.int64(0)
        for rotation in range(NUM_ROTATIONS):
            tiles = np.int64(evaluator.fitting_turned[pattern, rotation, word])
            for side in range(NUM_SIDES):  # one without ports leaves all tiles
                at_side = as_index(ports >> (PORTS_PER_SIDE * side) & ((1 << PORTS_PER_SIDE) - 1))
                tiles &= np.int64(evaluator.closing[feature, side, at_side, closed, rotation, word])
            ending |= tiles
        count += count_word(ending & np.int64(evaluator.left[word]))
    return count


@kernel
def _find_exits(t, s, evaluator, area, cell):
    """Return the bit set of sides of `cell` where lies another area of the same feature that is open elsewhere too.

    Of an area that comes in at several sides it is the first.
    """
    exits, first = 0, evaluator.first_entry[cell]
    for number in range(first, evaluator.end_entry[cell]):
        other = as_index(s.area[as_index(evaluator.entries[as_index(number), 2])])
        if other == area or evaluator.cells[other] <= 1 or t.node_feature[other] != t.node_feature[area]:
            continue
        earlier = first
        while s.area[as_index(evaluator.entries[as_index(earlier), 2])] != other:
            earlier += 1
        if earlier == number:
            exits |= 1 << (int(evaluator.entries[as_index(number), 0]) // PORTS_PER_SIDE)
    return exits


@kernel
def count_joining(t, evaluator, link):
    """Return how many of the tiles left join the two areas of the `link` of that number."""
    first, cell = as_index(evaluator.links[link, 0]), as_index(evaluator.links[link, 2])
    feature, pattern = as_index(t.node_feature[first]), as_index(evaluator.pattern[cell])
    port, other = as_index(evaluator.links[link, 3]), as_index(evaluator.links[link, 4])
    key = _find_key(evaluator, 1, feature, pattern, int(port) * NUM_PORTS + int(other))
    slot = _find_slot(key)
    if evaluator.counted_keys[slot] != key:
        evaluator.counted_keys[slot] = key
        evaluator.counts[slot] = _count_joining_at(evaluator, feature, pattern, port, other)
    return int(evaluator.counts[slot])


@kernel
def _count_joining_at(evaluator, feature, pattern, port, other):
    """Return how many of the tiles left join what comes in at two ports."""
    count = 0
    for word in range(evaluator.left.size):
        joining = np.int64(0)
        for rotation in range(NUM_ROTATIONS):
            tiles = np.int64(evaluator.fitting_turned[pattern, rotation, word])
            joining |= tiles & np.int64(evaluator.joining[feature, port, other, rotation, word])
        count += count_word(joining & np.int64(evaluator.left[word]))
    return count


# --- what was counted is remembered as long as the same tiles are left ---


@kernel
def forget_counts(evaluator):
    """Note that other tiles are left."""
    evaluator.counted_keys.fill(NONE)


@kernel
def _find_key(evaluator, kind, feature, pattern, ports):
    """Return a number that tells every count from every other."""
    where = (int(feature) * evaluator.fitting.shape[0] + int(pattern)) * _KINDS + kind
    return (where << (NUM_PORTS + NUM_SIDES)) + ports


@kernel
def _find_slot(key):
    """Return where the count of a `key` is remembered, unless another has taken its place."""
    return as_index(((key * _MIX) >> 16) & (SLOTS - 1))


# --- the sets ---


@kernel
def write_fitting(t, edges, evaluator):
    """Write the sets of tiles that fit each pattern, in each rotation and in any."""
    tiles = t.tile_node.shape[0] - t.start_cell.size
    for pattern in range(evaluator.fitting.shape[0]):
        for face in range(tiles * NUM_ROTATIONS):
            shown, fits = pattern, True
            for side in range(NUM_SIDES):
                fits = fits and shown % (1 + edges) in (0, 1 + t.face_edge[face, side])
                shown //= 1 + edges
            if fits:
                set_bit(evaluator.fitting[pattern], face // NUM_ROTATIONS)
                set_bit(evaluator.fitting_turned[pattern, face % NUM_ROTATIONS], face // NUM_ROTATIONS)


@kernel
def write_ending(t, evaluator):
    """Write the sets of tiles that end an area and of those that join two, by feature and rotation."""
    tiles = t.tile_node.shape[0] - t.start_cell.size
    evaluator.closing.fill((1 << WORD_BITS) - 1)
    for face in range(tiles * NUM_ROTATIONS):
        for port in range(NUM_PORTS):
            node = t.face_node[face, port]
            if node > NONE:
                sides = _write_joining(t, evaluator, face, port, node)
                _leave_out_where_open(evaluator, face, t.node_feature[node], port, sides)


@kernel
def _write_joining(t, evaluator, face, port, node):
    """Write to which ports of `face` the segment `node` leads from a `port`; return the bit set of their sides."""
    feature, tile, rotation, sides = t.node_feature[node], face // NUM_ROTATIONS, face % NUM_ROTATIONS, 0
    for other in range(NUM_PORTS):
        if t.face_node[face, other] == node:
            set_bit(evaluator.joining[feature, port, other, rotation], tile)
            sides |= 1 << (other // PORTS_PER_SIDE)
    return sides


@kernel
def _leave_out_where_open(evaluator, face, feature, port, sides):
    """Take the tile of `face` from those that end an area at a `port`, wherever one of the `sides` it leads to is open.

    Writes `closing`.
    """
    tile, rotation = face // NUM_ROTATIONS, face % NUM_ROTATIONS
    side, bit = port // PORTS_PER_SIDE, 1 << (port % PORTS_PER_SIDE)
    for closed in range(1 << NUM_SIDES):
        if sides & ~closed == 0:
            continue
        for ports in range(1 << PORTS_PER_SIDE):
            if ports & bit:
                clear_bit(evaluator.closing[feature, side, ports, closed, rotation], tile)
