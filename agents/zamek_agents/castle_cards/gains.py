"""What the effect of a card brings at best, seen from who plays it: one for a card that an opponent must play again.

Only effects that take cards back are judged here, and those of soldiers on siege engines. What all others are worth
stands in the table (`worths.py`).
"""

import numpy as np

from zamek_agents.castle_cards.survey import LEADING, NOBODY, OWN, TRAILING
from zamek_env.castle_cards.components import kinds
from zamek_env.castle_cards.components.sizes import FIRST_OUTSIDE, FIRST_SLOT
from zamek_env.castle_cards.core.effects import find_last_played
from zamek_env.castle_cards.core.fitting import find_spaces
from zamek_env.castle_cards.core.protection import find_bare_females, find_protected
from zamek_env.castle_cards.core.state import NONE
from zamek_env.castle_cards.layout import board
from zamek_env.core.bits import as_index, count_word, lowest_bit
from zamek_env.core.jit import kernel

_BY_SPACE = (  # whose effect depends on where they are placed
    kinds.RAMPART_KINDS | 1 << kinds.COURTIER | 1 << kinds.LADY_IN_WAITING | 1 << kinds.BLACK_KNIGHT | 1 << kinds.GHOST
)
_ANYWHERE = 1 << kinds.ARCHER | 1 << kinds.BARBARIAN | 1 << kinds.DRAGON | 1 << kinds.KING | 1 << kinds.QUEEN
_LEAST = -1e9  # less than any gain


@kernel
def find_gain(s, worth, seen, kind):
    """Return the most that playing a card of that kind, which fits somewhere, brings by its effect."""
    bit = 1 << kind
    if _BY_SPACE & bit:
        best, left = _LEAST, find_spaces(s, kind)[0]
        while left != 0:
            best = max(best, find_gain_at(s, worth, seen, kind, lowest_bit(left)))
            left &= left - 1
        return best
    if _ANYWHERE & bit:
        return _find_gain_anywhere(worth, seen, kind)
    if kind == kinds.SIEGE_ENGINE:
        return _find_storm(s, worth, seen)
    if kind == kinds.ENCHANTER:
        return _find_disenchanted(s, worth, seen)
    return 0.0


@kernel
def find_gain_at(s, worth, seen, kind, space):
    """Return the most that a card of `_BY_SPACE` brings by its effect if it is placed on a space of the castle."""
    if kind == kinds.GHOST:
        return find_worst(worth, seen, 1 << space, 0)
    if not _BY_SPACE >> kind & 1:
        return 0.0
    near = np.int64(board.NEIGHBOURS[as_index(space)])
    if kinds.RAMPART_KINDS >> kind & 1:
        gain = _find_repelled(s, worth, seen, space)
        return gain + find_worst(worth, seen, near & board.COURT, 0) if kind == kinds.TRAITOR else gain
    if kind == kinds.LADY_IN_WAITING:
        return find_worst(worth, seen, near & board.COURT & ~find_bare_females(s), 0)
    if kind == kinds.BLACK_KNIGHT:
        return find_worst(worth, seen, near & np.int64(s.knighted), 0)
    return find_worst(worth, seen, near, 0)


@kernel
def find_worst(worth, seen, near, far):
    """Return what taking back one of these cards brings, the one that hurts opponents most; 0 where there is none."""
    if near & seen.near[LEADING] or far & seen.far[LEADING]:
        return np.float64(worth.lead)
    if near & seen.near[TRAILING] or far & seen.far[TRAILING]:
        return np.float64(worth.trail)
    if near & seen.near[NOBODY] or far & seen.far[NOBODY]:
        return 0.0
    return -np.float64(worth.own) if near & seen.near[OWN] or far & seen.far[OWN] else 0.0


@kernel
def _find_gain_anywhere(worth, seen, kind):
    if kind == kinds.ARCHER:
        return find_worst(worth, seen, board.SLOTS, -1)
    if kind == kinds.BARBARIAN:
        return find_worst(worth, seen, board.WALLS, 0)
    if kind == kinds.DRAGON:
        return find_worst(worth, seen, board.SLOTS, -1) + find_worst(worth, seen, board.WALLS, 0)
    return find_worst(worth, seen, board.CASTLE if kind == kinds.KING else board.COURT, 0)


@kernel
def _find_repelled(s, worth, seen, space):
    """Return what a soldier on that space brings by repelling a siege engine (K8)."""
    side = np.int64(board.SIDE_OF[as_index(space)])
    if side == board.NO_SIDE or np.int64(board.RAMPART[as_index(side)]) & ~s.occupied & ~(1 << space):
        return 0.0
    return find_worst(worth, seen, (1 << (FIRST_SLOT + side)) & ~s.knighted, 0)


@kernel
def _find_storm(s, worth, seen):
    """Return what one more siege engine brings by storming the ramparts (K8)."""
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
    """Return what taking back the card played last brings."""
    space = find_last_played(s)
    if space == NONE:
        return 0.0
    if space >= FIRST_OUTSIDE:
        return find_worst(worth, seen, 0, 1 << (space - FIRST_OUTSIDE))
    return find_worst(worth, seen, (1 << space) & ~find_protected(s), 0)
