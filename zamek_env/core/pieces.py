"""A player's pieces: plain followers, and the special ones that a ruleset adds (rules S2, S4, S7, S8).

Pieces are numbered as in `tables.py`. A ruleset without special pieces has one kind, so that the loops over the special
kinds are empty and the compiler leaves them out.
"""

import numpy as np

from zamek_env.base.records import NONE
from zamek_env.compiler.bits import lowest_bit
from zamek_env.compiler.jit import kernel

FREE_BITS = 62  # of a number, that can be shifted freely: pieces that one holds


@kernel
def count_plain(t, s):
    """Return how many plain followers a player has, in supply or not."""
    return s.follower_node.shape[1] - (t.kind_factor.size - 1)


@kernel
def find_special(t, s, kind):
    """Return the number of a player's only piece of a special `kind`."""
    return count_plain(t, s) + kind - 1


@kernel
def find_free_piece(t, s, player, kind):
    """Return the number of a piece of `kind` in `player`'s supply, or NONE."""
    first = 0 if kind == 0 else find_special(t, s, kind)
    end = count_plain(t, s) if kind == 0 else first + 1
    if s.follower_node.shape[1] > FREE_BITS:  # known to the compiler
        return _find_free_among_many(s, player, first, end)
    free = np.int64(0)
    for piece in range(first, end):  # without branches, which would often be predicted wrongly
        free |= np.int64(s.follower_node[player, piece] == NONE) << piece
    return lowest_bit(free) if free != 0 else NONE


@kernel
def _find_free_among_many(s, player, first, end):
    """Return the first of the pieces `first` … `end - 1` in `player`'s supply, or NONE."""
    for piece in range(first, end):
        if s.follower_node[player, piece] == NONE:
            return piece
    return NONE


@kernel
def count_supply(t, s, player):
    """Return how many plain followers `player` could still send."""
    count = 0
    for piece in range(count_plain(t, s)):
        count += s.follower_node[player, piece] == NONE
    return count


@kernel
def has_special(t, s, area, player, kind):
    """Return whether `player`'s piece of a special `kind` is in `area`."""
    return s.follower_area[player, find_special(t, s, kind)] == area


@kernel
def find_factor(t, s, area, player):
    """Return the factor for the points that `player` scores for `area`: 2 with the player's prince (rule S7)."""
    factor = 1
    for kind in range(1, t.kind_factor.size):
        if has_special(t, s, area, player, kind):
            factor *= int(t.kind_factor[kind])
    return factor


@kernel
def can_stand(t, s, kind, area):
    """Return whether a piece of `kind` may be sent to a free `area`: a special one to none that is complete (S4)."""
    return kind == 0 or s.open_ports[area] > 0 or not t.feature_completes[t.node_feature[area]]


@kernel
def is_first_in_area(s, player, piece):
    """Return whether no earlier piece of `player` is in the area of a piece that is not in supply."""
    for earlier in range(piece):
        if s.follower_area[player, earlier] == s.follower_area[player, piece]:
            return False
    return True
