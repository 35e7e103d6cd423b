"""Falcon nests: what a completed area brings its scorer from the pool, and who has more (rules S8–S11)."""

from zamek_env.base.records import NONE
from zamek_env.compiler.jit import kernel
from zamek_env.core.pieces import has_special


@kernel
def count_pool(t, s):
    """Return how many nests lie in the pool."""
    left = int(t.nests)
    for player in range(s.nests.size):
        left -= int(s.nests[player])
    return left


@kernel
def count_due_nests(t, s, area, player):
    """Return how many nests are due to `player` for scoring the completed `area` (rules S8, S9)."""
    due = 0
    if s.nests.size > 0:
        due += int(s.area_nests[area])
        for kind in range(1, t.kind_nests.size):
            if has_special(t, s, area, player, kind):
                due += int(t.kind_nests[kind])
    return due


@kernel
def take_nests(t, s, area, player):
    """Give `player` the nests due for `area`, as far as the pool reaches; return how many (rules S9, S10).

    If the pool holds too few, both players first give back as many as the one with fewer has. Writes `nests`.
    """
    due = count_due_nests(t, s, area, player)
    if due > count_pool(t, s):
        returned = min(int(s.nests[0]), int(s.nests[1]))
        for holder in range(s.nests.size):
            s.nests[holder] -= returned
    taken = min(due, count_pool(t, s))
    if taken > 0:
        s.nests[player] += taken
    return taken


@kernel
def find_more_nests(s):
    """Return the player with more nests, or NONE (rule S11)."""
    if s.nests.size == 0 or s.nests[0] == s.nests[1]:
        return NONE
    return 0 if s.nests[0] > s.nests[1] else 1
