"""Areas: segments joined through facing ports (rule Z7), and the groups of empty spaces.

An area is named by its smallest node. `s.area` holds that name for every node on the board, so looking an area up
takes one read; joining two areas renames the nodes of one of them in a single pass, which compiles to a few vector
instructions.
"""

import numpy as np

from zamek_env.base.records import NONE
from zamek_env.compiler.bits import as_index, clear_bit, count_word, has_bit, lowest_bit, set_bit
from zamek_env.compiler.jit import kernel
from zamek_env.compiler.machine import runs_on_gpu
from zamek_env.compiler.memory import new_scratch
from zamek_env.components.bitset import WORD_BITS
from zamek_env.components.model import NUM_SIDES


@kernel
def add_areas(t, s, tile):
    """Make every segment of `tile` a separate area, with no open port yet.

    Writes `area`, `open_ports`, `area_marks`, `area_nests`, `area_tiles`, `area_touched`.
    """
    for segment in range(t.tile_node.shape[1]):
        node = t.tile_node[tile, segment]
        if node <= NONE:
            break
        s.area[node] = node
        s.open_ports[node] = 0
        s.area_marks[node] = t.node_marks[node]
        if s.area_nests.size > 0:
            s.area_nests[node] = t.node_nests[node]
        completes = node < s.area_tiles.shape[0]
        if s.area_tiles.size > 0:  # without a branch that depends on the node
            row = as_index(min(int(node), s.area_tiles.shape[0] - 1))
            s.area_tiles[row, as_index(tile >> 5)] |= np.int64(completes) << (int(tile) & 31)
        if s.area_touched.size > 0 and not completes:
            for word in range(s.area_touched.shape[1]):
                s.area_touched[node - s.area_tiles.shape[0], word] = t.node_touched[node - s.area_tiles.shape[0], word]


@kernel
def merge_areas(s, first, second):
    """Join two different areas under the smaller of their names, leaving nothing behind at the other (rules Z7, Z14).

    Writes `area`, `follower_area`, `area_followers`, `open_ports`, `area_marks`, `area_nests`, `area_tiles`,
    `area_touched`.
    """
    kept, gone = min(first, second), max(first, second)
    rename(s.area, gone, kept)
    if has_followers(s, gone):
        move_followers(s, gone, kept)
    add_entries(s, kept, gone)
    s.open_ports[gone] = 0
    s.area_marks[gone] = 0
    if s.area_nests.size > 0:
        s.area_nests[gone] = 0
    if gone < s.area_tiles.shape[0]:
        for word in range(s.area_tiles.shape[1]):
            s.area_tiles[gone, word] = 0
    elif s.area_touched.size > 0:
        for word in range(s.area_touched.shape[1]):
            s.area_touched[gone - s.area_tiles.shape[0], word] = 0


@kernel
def add_entries(s, area, other):
    """Add the entries of `other`, without its followers, to those of `area`, of the same feature.

    Writes `open_ports`, `area_marks`, `area_nests`, `area_tiles`, `area_touched`.
    """
    s.open_ports[area] += s.open_ports[other]
    s.area_marks[area] += s.area_marks[other]
    if s.area_nests.size > 0:
        s.area_nests[area] += s.area_nests[other]
    if other < s.area_tiles.shape[0]:
        for word in range(s.area_tiles.shape[1]):
            s.area_tiles[area, word] |= s.area_tiles[other, word]
    elif s.area_touched.size > 0:
        first_field = s.area_tiles.shape[0]
        for word in range(s.area_touched.shape[1]):
            s.area_touched[area - first_field, word] |= s.area_touched[other - first_field, word]


@kernel
def rename(names, gone, kept):
    """Replace each `gone` by `kept`. Writes `names`."""
    if runs_on_gpu():
        for node in range(names.size):
            if names[node] == gone:
                names[node] = kept
    else:
        for node in range(names.size):
            names[node] = kept if names[node] == gone else names[node]


@kernel
def move_followers(s, gone, kept):
    """Move the followers of area `gone` to area `kept`. Writes `follower_area`, `area_followers`."""
    for player in range(s.score.size):
        s.area_followers[kept, player] += s.area_followers[gone, player]
        s.area_followers[gone, player] = 0
        for follower in range(s.follower_area.shape[1]):
            if s.follower_area[player, follower] == gone:
                s.follower_area[player, follower] = kept


@kernel
def count_tiles(s, area):
    """Return the size of an area of a completing feature: tiles and start spaces, each once (rule Z18)."""
    total = 0
    for word in range(s.area_tiles.shape[1]):
        total += count_word(np.int64(s.area_tiles[as_index(area), word]))
    return total


@kernel
def count_touched(s, area, completed):
    """Return how many areas the `area` of a feature that touches others touches, `completed` ones or the others (C8).

    An area touched in several places counts once. Of a completed one the set holds only the name; others are counted by
    their names, word after word of the set of names.
    """
    row = as_index(area - s.area_tiles.shape[0])
    total = 0
    for names_word in range(s.area_touched.shape[1]):
        names = np.int64(s.area_touched[row, names_word] & s.closed[names_word]) if completed else 0
        for word in range(0 if completed else s.area_touched.shape[1]):
            nodes = np.int64(s.area_touched[row, word]) & ~np.int64(s.closed[word])
            while nodes != 0:
                touched = as_index(s.area[as_index(word * WORD_BITS + lowest_bit(nodes))])
                if touched >> 5 == names_word:
                    names |= 1 << (int(touched) & 31)
                nodes &= nodes - 1
        total += count_word(names)
    return total


@kernel
def close_area(t, s, area):
    """Note that `area` is completed, and let areas that touch it hold its name instead of its nodes (rule C8).

    Writes `closed`, `area_touched`.
    """
    if area >= t.touched_nodes or not t.feature_completes[t.node_feature[area]]:
        return
    set_bit(s.closed, area)
    for word in range(s.closed.size):
        nodes = 0
        for bit in range(WORD_BITS):
            node = word * WORD_BITS + bit
            nodes |= (node < t.touched_nodes and s.area[as_index(node)] == area) << bit
        for row in range(s.area_touched.shape[0]):
            if np.int64(s.area_touched[row, word]) & nodes != 0:
                s.area_touched[row, word] &= 0xFFFFFFFF ^ nodes
                set_bit(s.area_touched[row], area)


@kernel
def count_followers(s, area, player):
    """Return how many of `player`'s pieces are in `area`: each counts as one follower (rule S5)."""
    return np.int64(s.area_followers[as_index(area), as_index(player)])  # signed, so that a lead can be negative


@kernel
def has_followers(s, area):
    """Return whether `area` holds a follower of any player."""
    total = count_followers(s, area, 0)
    for player in range(1, s.score.size):
        total += count_followers(s, area, player)
    return total > 0


@kernel
def count_rivals(s, area, player):
    """Return the most pieces that any other player has in `area`."""
    if s.score.size == 2:
        return count_followers(s, area, 1 - player)
    most = np.int64(0)
    for other in range(s.score.size):
        if other != player:
            most = max(most, count_followers(s, area, other))
    return most


@kernel
def is_paid(t, s, area, player):
    """Return whether `player` has most followers in `area`: where ties pay, others may have as many (rules Z17, C5)."""
    own, others = count_followers(s, area, player), count_rivals(s, area, player)
    return own > others or (own == others and own > 0 and t.ties_pay != 0)


@kernel
def is_due(t, s, area):
    """Return whether `area` is complete and so will be scored in this turn."""
    return s.open_ports[area] == 0 and t.feature_completes[as_index(t.node_feature[area])] != 0


@kernel
def return_followers(s, area):
    """Take every follower in `area` back to its owner's supply (rule Z20).

    Writes `follower_node`, `follower_area`, `area_followers`.
    """
    if not has_followers(s, area):
        return
    for player in range(s.score.size):
        s.area_followers[as_index(area), player] = 0
        for follower in range(s.follower_node.shape[1]):
            if s.follower_area[player, follower] == area:
                s.follower_node[player, follower] = NONE
                s.follower_area[player, follower] = NONE


@kernel
def count_largest_empty_group(t, s):
    """Return how many spaces the largest group of empty spaces joined by sides has (rule Z28)."""
    left, waiting = new_scratch(s.empty), new_scratch(t.cell_square)
    for word in range(left.size):
        left[word] = s.empty[word]
    largest = 0
    for word in range(left.size):
        while left[word] != 0:
            waiting[0] = word * WORD_BITS + lowest_bit(np.int64(left[word]))
            left[word] &= left[word] - 1
            size, done = 1, 0
            while done < size:
                size = _spread(t, left, waiting, waiting[done], size)
                done += 1
            largest = max(largest, size)
    return largest


@kernel
def _spread(t, left, waiting, cell, size):
    """Move the neighbours of `cell` from `left` to `waiting`; return the new size of the group."""
    grown = size
    for side in range(NUM_SIDES):
        neighbor = t.neighbor[cell, side]
        if 0 <= neighbor < t.neighbor.shape[0] and has_bit(left, neighbor):
            clear_bit(left, neighbor)
            waiting[grown] = neighbor
            grown += 1
    return grown
