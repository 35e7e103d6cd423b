"""Whose cards lie where: sets of piles whose uncovered card could be taken back, by the owner of its pawn.

near    spaces of the castle and slots, as bits
far     ranks of piles outside, as bits
"""

import numpy as np

from zamek_env.castle_cards.components.kinds import NUM_CARDS
from zamek_env.castle_cards.components.sizes import FIRST_OUTSIDE
from zamek_env.castle_cards.core.piles import find_top_pawn
from zamek_env.castle_cards.core.protection import find_free_to_leave
from zamek_env.castle_cards.core.state import NONE
from zamek_env.core.bits import as_index, lowest_bit
from zamek_env.core.jit import kernel
from zamek_env.core.tables import record_dtype

LEADING, TRAILING, NOBODY, OWN = range(4)  # the opponent with the fewest cards left, other opponents, no pawn, oneself
NUM_OWNERS = 4

SURVEY = record_dtype(
    [
        ("near", np.int64, NUM_OWNERS),
        ("far", np.int64, NUM_OWNERS),
        ("leader", np.int64),  # the opponent with the fewest cards left
        ("left", np.int64),  # how many cards that are
        ("player", np.int64),  # who looks
    ]
)


@kernel
def survey_board(s, player, seen):
    """Write into `seen`, a record of `SURVEY`, what `player` finds on the board."""
    seen.near.fill(0)
    seen.far.fill(0)
    seen.player = player
    write_leader(s, player, seen)
    left = find_free_to_leave(s)
    while left != 0:
        space = lowest_bit(left)
        left &= left - 1
        seen.near[as_index(find_owner(s, space, seen))] |= 1 << space
    for rank in range(np.int64(s.outside_count)):
        seen.far[as_index(find_owner(s, FIRST_OUTSIDE + rank, seen))] |= 1 << rank


@kernel
def write_leader(s, player, seen):
    """Write which opponent has the fewest cards left, of equal ones the next in turn, and how many."""
    seen.left = NUM_CARDS + 1
    for number in range(1, np.int64(s.players)):
        other = (player + number) % np.int64(s.players)
        left = count_left(s, other)
        if left < seen.left:
            seen.leader = other
            seen.left = left


@kernel
def count_left(s, player):
    """Return how many cards a player has in hand and deck."""
    return np.int64(s.hand_size[as_index(player)]) + np.int64(s.deck_size[as_index(player)])


@kernel
def find_owner(s, space, seen):
    """Return which of the four owners the uncovered card of a pile has."""
    pawn = find_top_pawn(s, space)
    if pawn == NONE:
        return NOBODY
    if pawn == seen.player:
        return OWN
    return LEADING if pawn == seen.leader else TRAILING
