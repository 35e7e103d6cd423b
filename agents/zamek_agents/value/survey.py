"""Surveys the board for the learned evaluation: where open areas can grow, how hard that is, and who is near.

The tile that is drawn for the turn to begin is counted among those left, so that nobody can know more than before the
draw; no order of tiles is read.

Which of the tiles left would complete an area, and which would join two, are sets of tiles, found beforehand. A tile
that fits on an open cell of an area, turned somehow, ends it there if at each port by which the area comes in it shows
another feature, or a segment that leads to closed sides only. A side where another area of the feature comes in, one
that is open elsewhere, counts as not closed, whichever ports meet there. A tile joins two areas if they come in at
ports of one segment.
"""

import numpy as np

from zamek_env.base.records import NONE
from zamek_env.compiler.bits import as_index, clear_bit, count_word, lowest_bit, set_bit
from zamek_env.compiler.jit import kernel
from zamek_env.components.bitset import WORD_BITS
from zamek_env.components.model import MAX_PLAYERS, NUM_PORTS, NUM_ROTATIONS, NUM_SIDES, PORTS_PER_SIDE
from zamek_env.core.areas import count_followers, count_rivals, has_followers
from zamek_env.core.pieces import is_first_in_area
from zamek_env.core.placement import find_cell, find_first_word, find_reach
from zamek_env.core.state import EMPTY, find_face, find_seat
from zamek_env.layout.actions import CHOOSE, PLACE

SLOTS = 512  # numbers of tiles that are remembered, a power of 2
_MIX = 0x9E3779B1  # 2**32 / golden ratio, so that keys are spread over all slots
_KINDS = 2  # of counts
# owners besides the players: several have most pieces there, nobody has any, all features of the area are written
EVEN, NOBODY, DONE = range(MAX_PLAYERS, MAX_PLAYERS + 3)
# what may have changed of an area since the base was surveyed (`incremental.py`)
SAME, WORTH, OPENINGS = range(3)
MANY = 255  # fits of a cell, where nothing is known to be in the way


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
    """Return how many tiles left end an area coming in at `ports`, given the `closed` sides; both are bit sets."""
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
    """Return the bit set of sides of `cell` with another area of the same feature that is open elsewhere too.

    An area that comes in at several sides counts at the first.
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


# --- counts are cached as long as the same tiles are left ---


@kernel
def forget_counts(evaluator):
    """Note that other tiles are left."""
    evaluator.counted_keys.fill(NONE)


@kernel
def _find_key(evaluator, kind, feature, pattern, ports):
    """Return a key that is unique to each count."""
    where = (int(feature) * evaluator.fitting.shape[0] + int(pattern)) * _KINDS + kind
    return (where << (NUM_PORTS + NUM_SIDES)) + ports


@kernel
def _find_slot(key):
    """Return the slot where the count of a `key` is cached, unless another has taken it."""
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
    """Write the ports of `face` that the segment `node` connects to a `port`; return the bit set of their sides."""
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


@kernel
def count_left(s):
    """Return how many tiles will be laid after this turn; the one that begins the next turn is still one of them."""
    return s.deck.size - int(s.drawn) + (s.phase == PLACE)


@kernel
def find_mover(s):
    """Return the player who has the turn that comes after the one that ends, or begins now."""
    begins = s.phase == PLACE or (s.hand.size > 0 and s.phase == CHOOSE)
    return int(s.player) if begins else int(find_seat(s, int(s.player), 1))


@kernel
def survey(t, s, evaluator):
    """Note which cells each area opens to, and what fits there. The places of pieces affect only `links`.

    Writes what `note_cells`, `forget_changes` and `survey_areas` write.
    """
    note_cells(t, s, evaluator, count_left(s))
    forget_changes(evaluator)
    survey_areas(t, s, evaluator)


# --- cells ---


@kernel
def note_cells(t, s, evaluator, left):
    """Note for each cell next to a tile what surrounds it, and how many of the last `left` tiles of the deck fit there.

    Writes `left`, `noted_left`, `entries` and its counter, and the fields by cell.
    """
    evaluator.left.fill(0)
    for deck_index in range(s.deck.size - left, s.deck.size):
        set_bit(evaluator.left, s.deck[deck_index])
    evaluator.noted_left = left
    forget_counts(evaluator)
    evaluator.num_entries = 0
    evaluator.num_kept = 0
    for number in range(find_first_word(s), find_reach(s)):
        cells = np.int64(s.frontier[number])
        while cells != 0:
            note_cell(t, s, evaluator, find_cell(t, s, number * WORD_BITS + lowest_bit(cells)))
            cells &= cells - 1


@kernel
def note_cell(t, s, evaluator, cell):
    """Note what surrounds `cell`, and append to `entries` by which neighbouring ports of a side each area comes in."""
    pattern, closed, entries = 0, 0, int(evaluator.num_entries)
    evaluator.first_entry[as_index(cell)] = entries
    for side in range(NUM_SIDES):
        neighbor = t.neighbor[as_index(cell), side]
        if neighbor <= NONE:
            closed |= (t.open_edge.size == 0) << side
            continue
        lying = find_face(s, neighbor)
        if lying > EMPTY:
            closed |= 1 << side
            face = as_index(lying)
            pattern += t.surroundings[side] * (1 + int(t.face_edge[face, (side + 2) % NUM_SIDES]))
            entries = _append_entries(t, evaluator, face, as_index(side), entries)
    evaluator.num_entries = entries
    evaluator.end_entry[as_index(cell)] = entries
    evaluator.pattern[as_index(cell)] = pattern
    evaluator.closed[as_index(cell)] = closed
    evaluator.cell_fits[as_index(cell)] = count_fits(evaluator, pattern)


@kernel
def _append_entries(t, evaluator, face, side, entries):
    """Append the areas that come in from `face`, at a `side` of a cell; return the new number of `entries`."""
    opposite, before = (side + 2) % NUM_SIDES, NONE
    for offset in range(PORTS_PER_SIDE):
        node = t.face_node[face, PORTS_PER_SIDE * opposite + PORTS_PER_SIDE - 1 - offset]  # rule Z6
        port = PORTS_PER_SIDE * side + offset
        if node > NONE and node == before:
            evaluator.entries[as_index(entries - 1), 1] |= 1 << port
        elif node > NONE:
            evaluator.entries[as_index(entries), 0] = port
            evaluator.entries[as_index(entries), 1] = 1 << port
            evaluator.entries[as_index(entries), 2] = node
            entries += 1
        before = node
    return entries


# --- areas ---


@kernel
def survey_areas(t, s, evaluator):
    """Note for each area where it opens to the noted cells, and what may have changed because of other areas.

    Writes `cells`, `fits`, `last`, `before`, `is_linked`, `seen`, `near`, `links`, `changed` and their counters.
    """
    evaluator.cells.fill(0)
    evaluator.fits.fill(MANY)
    evaluator.last.fill(NONE)
    evaluator.num_seen = 0
    evaluator.num_links = 0
    for number in range(find_first_word(s), find_reach(s)):
        cells = np.int64(s.frontier[number])
        while cells != 0:
            _survey_cell(t, s, evaluator, find_cell(t, s, number * WORD_BITS + lowest_bit(cells)))
            cells &= cells - 1


@kernel
def _survey_cell(t, s, evaluator, cell):
    """Note which areas open to `cell`."""
    found = 0
    for number in range(evaluator.first_entry[as_index(cell)], evaluator.end_entry[as_index(cell)]):
        found = _note_entry(t, s, evaluator, cell, evaluator.entries[as_index(number)], found)
    fits = evaluator.cell_fits[as_index(cell)]
    for number in range(found):
        area = as_index(evaluator.near[number, 0])
        evaluator.fits[area] = min(evaluator.fits[area], fits)


@kernel
def _note_entry(t, s, evaluator, cell, entry, found):
    """Note where an area comes in at `cell`; return how many areas were `found` there so far."""
    area, ports = as_index(s.area[as_index(entry[2])]), int(entry[1])
    last = int(evaluator.last[area])
    if last >> NUM_PORTS == cell:
        evaluator.last[area] = last | ports
        return found
    if last == NONE:
        evaluator.seen[as_index(evaluator.num_seen)] = area
        evaluator.num_seen += 1
        evaluator.is_linked[area] = 0
    evaluator.before[area] = last
    evaluator.last[area] = cell << NUM_PORTS | ports
    evaluator.cells[area] += 1
    evaluator.near[found, 0] = area
    evaluator.near[found, 1] = entry[0]
    _link(t, s, evaluator, cell, found)
    return found + 1


@kernel
def _link(t, s, evaluator, cell, found):
    """Link the area `found` in `near` with those of its feature before it.

    Where one of the two has pieces, the link is noted in `links`, as far as there is room.
    """
    area = as_index(evaluator.near[found, 0])
    for number in range(found):
        other = as_index(evaluator.near[number, 0])
        if t.node_feature[other] != t.node_feature[area]:
            continue
        evaluator.is_linked[other] = 1
        evaluator.is_linked[area] = 1
        if OPENINGS in (evaluator.change[other], evaluator.change[area]):
            mark(evaluator, other, WORTH)
            mark(evaluator, area, WORTH)
        end = as_index(evaluator.num_links)
        if end < evaluator.links.shape[0] and (has_followers(s, area) or has_followers(s, other)):
            evaluator.links[end, 0] = other
            evaluator.links[end, 1] = area
            evaluator.links[end, 2] = cell
            evaluator.links[end, 3] = evaluator.near[number, 1]
            evaluator.links[end, 4] = evaluator.near[found, 1]
            evaluator.num_links += 1


@kernel
def forget_changes(evaluator):
    """Note that no area has changed."""
    evaluator.change.fill(SAME)
    evaluator.num_changed = 0


@kernel
def mark(evaluator, area, change):
    """Note what may have changed of `area`, if that is more than noted before."""
    if evaluator.change[area] == SAME:
        evaluator.changed[as_index(evaluator.num_changed)] = area
        evaluator.num_changed += 1
    evaluator.change[area] = max(int(evaluator.change[area]), change)


@kernel
def note_owners(s, evaluator):
    """Note who leads in each area, and with whose areas it may be joined. Writes `owner` and `risk`."""
    evaluator.owner.fill(NOBODY)
    evaluator.risk.fill(0)
    for player in range(s.score.size):
        for piece in range(s.follower_area.shape[1]):
            area = s.follower_area[player, piece]
            if area > NONE:
                evaluator.owner[area] = find_leader(s, area)
    for number in range(evaluator.num_links):
        first, second = as_index(evaluator.links[number, 0]), as_index(evaluator.links[number, 1])
        evaluator.risk[first] |= _find_risk(evaluator.owner[second])
        evaluator.risk[second] |= _find_risk(evaluator.owner[first])


@kernel
def find_leader(s, area):
    """Return the player with most pieces in an `area` that has pieces, EVEN where several have."""
    leader, most = 0, count_followers(s, area, 0)
    for player in range(1, s.score.size):
        count = count_followers(s, area, player)
        if count >= most:
            leader, most = EVEN if count == most else player, count
    return leader


@kernel
def _find_risk(owner):
    """Return the bit in `risk` of areas that one tile may join with one of that owner's."""
    return 1 << int(owner) if owner < EVEN else 0


@kernel
def leads(s, evaluator, area, player, piece):
    """Return whether `player`, whose `piece` is there, leads in `area`; of several, that is only true of one piece."""
    if evaluator.sums.size > 1 and evaluator.owner[area] == EVEN:
        own = count_followers(s, area, player)
        return own >= count_rivals(s, area, player) and is_first_in_area(s, player, piece)
    return evaluator.owner[area] == player


@kernel
def note_done(evaluator, area):
    """Note that the features of an `area` with one leader are written. Writes `owner`."""
    if evaluator.owner[area] != EVEN:
        evaluator.owner[area] = DONE


@kernel
def count_fits_on(t, s, evaluator, cell):
    """Return how many of the tiles left fit on the empty `cell`."""
    pattern = 0
    for side in range(NUM_SIDES):
        neighbor = t.neighbor[as_index(cell), side]
        lying = find_face(s, neighbor) if neighbor > NONE else EMPTY
        if lying > EMPTY:
            pattern += t.surroundings[side] * (1 + int(t.face_edge[as_index(lying), (side + 2) % NUM_SIDES]))
    return count_fits(evaluator, pattern)


@kernel
def count_fits(evaluator, pattern):
    """Return how many of the tiles left fit where the neighbours show that `pattern`."""
    fits = 0
    for word in range(evaluator.left.size):
        fits += count_word(np.int64(evaluator.left[word] & evaluator.fitting[as_index(pattern), word]))
    return fits
