"""Finds which cards can be taken back, and the best gain of an effect: one for a card that an opponent plays again.

Both are seen from the player to decide. Only effects that take cards back are judged here, and those of soldiers on
siege engines. The table in `worths.py` says what all others are worth.

SURVEY DESCRIPTION
    Piles whose uncovered card could be taken back, by the owner of its pawn:
    near    spaces of the castle and slots, as bits
    far     ranks of piles outside, as bits
"""

import numpy as np

from zamek_env.base.records import record_dtype
from zamek_env.castle_cards.components import box
from zamek_env.castle_cards.core.fitting import find_spaces
from zamek_env.castle_cards.core.leaving import find_free_to_leave, find_protected
from zamek_env.castle_cards.core.piles import find_bare_females, find_top_pawn
from zamek_env.castle_cards.core.play import find_last_played
from zamek_env.castle_cards.core.state import NONE
from zamek_env.castle_cards.layout import board
from zamek_env.compiler.bits import as_index, count_word, lowest_bit
from zamek_env.compiler.jit import kernel

_ANYWHERE = 1 << box.ARCHER | 1 << box.BARBARIAN | 1 << box.DRAGON | 1 << box.KING | 1 << box.QUEEN
_LEAST = -1e9  # less than any gain

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


# --- whose cards lie where ---


@kernel
def survey_board(s, player, seen):
    """Write the survey of the board by `player` into `seen`, a record of `SURVEY`."""
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
        seen.far[as_index(find_owner(s, box.FIRST_OUTSIDE + rank, seen))] |= 1 << rank


@kernel
def write_leader(s, player, seen):
    """Write which opponent has the fewest cards left, of equal ones the next in turn, and how many."""
    seen.left = box.NUM_CARDS + 1
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
    """Return the owner of the uncovered card of a pile, one of four."""
    pawn = find_top_pawn(s, space)
    if pawn == NONE:
        return NOBODY
    if pawn == seen.player:
        return OWN
    return LEADING if pawn == seen.leader else TRAILING


# --- what effects bring ---


@kernel
def find_gain(s, worth, seen, kind):
    """Return the largest gain by the effect of a card of that kind, which fits somewhere."""
    bit = 1 << kind
    if box.BY_SPACE & bit:
        best, left = _LEAST, find_spaces(s, kind)[0]
        while left != 0:
            best = max(best, find_gain_at(s, worth, seen, kind, lowest_bit(left)))
            left &= left - 1
        return best
    if _ANYWHERE & bit:
        return _find_gain_anywhere(worth, seen, kind)
    if kind == box.SIEGE_ENGINE:
        return _find_storm(s, worth, seen)
    if kind == box.ENCHANTER:
        return _find_disenchanted(s, worth, seen)
    return 0.0


@kernel
def find_gain_at(s, worth, seen, kind, space):
    """Return the largest gain by the effect of a card of `BY_SPACE` placed on a space of the castle."""
    if kind == box.GHOST:
        return find_worst(worth, seen, 1 << space, 0)
    if not box.BY_SPACE >> kind & 1:
        return 0.0
    near = np.int64(board.NEIGHBOURS[as_index(space)])
    if box.RAMPART_KINDS >> kind & 1:
        gain = _find_repelled(s, worth, seen, space)
        return gain + find_worst(worth, seen, near & board.COURT, 0) if kind == box.TRAITOR else gain
    if kind == box.LADY_IN_WAITING:
        return find_worst(worth, seen, near & board.COURT & ~find_bare_females(s), 0)
    if kind == box.BLACK_KNIGHT:
        return find_worst(worth, seen, near & np.int64(s.knighted), 0)
    return find_worst(worth, seen, near, 0)


@kernel
def find_worst(worth, seen, near, far):
    """Return the gain of taking back one of these cards, the one that hurts opponents most; 0 without any."""
    if near & seen.near[LEADING] or far & seen.far[LEADING]:
        return np.float64(worth.lead)
    if near & seen.near[TRAILING] or far & seen.far[TRAILING]:
        return np.float64(worth.trail)
    if near & seen.near[NOBODY] or far & seen.far[NOBODY]:
        return 0.0
    return -np.float64(worth.own) if near & seen.near[OWN] or far & seen.far[OWN] else 0.0


@kernel
def _find_gain_anywhere(worth, seen, kind):
    if kind == box.ARCHER:
        return find_worst(worth, seen, board.SLOTS, -1)
    if kind == box.BARBARIAN:
        return find_worst(worth, seen, board.WALLS, 0)
    if kind == box.DRAGON:
        return find_worst(worth, seen, board.SLOTS, -1) + find_worst(worth, seen, board.WALLS, 0)
    return find_worst(worth, seen, board.CASTLE if kind == box.KING else board.COURT, 0)


@kernel
def _find_repelled(s, worth, seen, space):
    """Return the gain of a soldier on that space by repelling a siege engine (K8)."""
    side = np.int64(board.SIDE_OF[as_index(space)])
    if side == board.NO_SIDE or np.int64(board.RAMPART[as_index(side)]) & ~s.occupied & ~(1 << space):
        return 0.0
    return find_worst(worth, seen, (1 << (box.FIRST_SLOT + side)) & ~s.knighted, 0)


@kernel
def _find_storm(s, worth, seen):
    """Return the gain of one more siege engine by storming the ramparts (K8)."""
    if count_word(board.SLOTS & ~s.occupied) > 1:
        return 0.0
    soldiers = board.RAMPARTS & ~s.knighted
    return (
        worth.lead * count_word(soldiers & seen.near[LEADING])
        + worth.trail * count_word(soldiers & seen.near[TRAILING])
        - worth.own * count_word(soldiers & seen.near[OWN])
    )


@kernel
def _find_disenchanted(s, worth, seen):
    """Return the gain of taking back the card played last."""
    space = find_last_played(s)
    if space == NONE:
        return 0.0
    if space >= box.FIRST_OUTSIDE:
        return find_worst(worth, seen, 0, 1 << (space - box.FIRST_OUTSIDE))
    return find_worst(worth, seen, (1 << space) & ~find_protected(s), 0)
