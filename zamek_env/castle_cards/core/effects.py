"""The effects by kind: how each begins, and what happens at once because nothing is to be decided (K5)."""

import numpy as np

from zamek_env.castle_cards.components import kinds
from zamek_env.castle_cards.core.arranging import begin_arranging
from zamek_env.castle_cards.core.leaving import take_back
from zamek_env.castle_cards.core.pawns import begin_spying
from zamek_env.castle_cards.core.piles import find_bit
from zamek_env.castle_cards.core.protection import find_protected
from zamek_env.castle_cards.core.state import NONE
from zamek_env.castle_cards.core.swapping import ask_next, begin_swapping, pass_random
from zamek_env.castle_cards.layout.actions import COUNSEL, FINISH, MOVE_FROM, PILE, PLAYER, TARGET
from zamek_env.core.bits import as_index
from zamek_env.core.jit import kernel

_TARGETING = (
    1 << kinds.ARCHER
    | 1 << kinds.ASSASSIN
    | 1 << kinds.BARBARIAN
    | 1 << kinds.BLACK_KNIGHT
    | 1 << kinds.COURTIER
    | 1 << kinds.LADY_IN_WAITING
) | (
    1 << kinds.MAGICIAN | 1 << kinds.QUEEN | 1 << kinds.TRAITOR | 1 << kinds.DRAGON | 1 << kinds.FAIRY | 1 << kinds.KING
)
_MOVING = 1 << kinds.LOOKOUT | 1 << kinds.PRINCE_CHARMING | 1 << kinds.PRINCESS | 1 << kinds.MISTRESS
_ON_PAWNS = 1 << kinds.MERCHANT | 1 << kinds.THIEF | 1 << kinds.CONSPIRATOR
_ON_PLAYERS = 1 << kinds.COURTESAN | 1 << kinds.WITCH


@kernel
def begin_effect(s, log, kind):
    """Begin the effect of a card that has just been placed. Writes `phase` and all that effects remember."""
    s.effect = kind
    s.part = 0
    s.progress = 0
    s.is_carried = 0
    s.picked.fill(NONE)
    s.phase = FINISH
    bit = 1 << kind
    if _TARGETING & bit:
        s.phase = TARGET
    elif _MOVING & bit:
        s.phase = MOVE_FROM
    elif _ON_PAWNS & bit:
        s.phase = PILE
    elif _ON_PLAYERS & bit:
        s.phase = PLAYER
    elif kind == kinds.COUNSELOR:
        s.phase = COUNSEL
    elif kind == kinds.GHOST:
        s.is_carried = 1  # when he was placed
    else:
        _begin_special(s, log, kind)


@kernel
def _begin_special(s, log, kind):
    if kind == kinds.ALCHEMIST:
        begin_swapping(s)
    elif kind == kinds.MINSTREL:
        begin_arranging(s)
    elif kind == kinds.SPY:
        begin_spying(s)
    elif kind == kinds.FOOL:
        ask_next(s)
    elif kind == kinds.VILLAGE_IDIOT:
        pass_random(s, log)
    elif kind == kinds.ENCHANTER:
        _disenchant(s, log)


@kernel
def find_last_played(s):
    """Return the space of the card played last, NONE where there is none or its own effect put a Knight on it."""
    space = np.int64(s.last_space)
    return space if space != NONE and s.height[as_index(space)] == s.last_height else NONE


@kernel
def _disenchant(s, log):
    """Enchanter: take back the card played before him, unless it is protected or gone."""
    space = np.int64(s.before)
    s.before = NONE
    if space != NONE and not find_protected(s) & find_bit(space):
        s.is_carried = 1
        take_back(s, log, space, 0)
