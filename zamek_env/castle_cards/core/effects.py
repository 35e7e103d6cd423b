"""The effects by kind: how each begins, and what happens at once because nothing is to be decided (K5)."""

import numpy as np

from zamek_env.castle_cards.components.kinds import (
    ALCHEMIST,
    ARCHER,
    ASSASSIN,
    BARBARIAN,
    BLACK_KNIGHT,
    CONSPIRATOR,
    COUNSELOR,
    COURTESAN,
    COURTIER,
    DRAGON,
    ENCHANTER,
    FAIRY,
    FOOL,
    GHOST,
    KING,
    LADY_IN_WAITING,
    LOOKOUT,
    MAGICIAN,
    MERCHANT,
    MINSTREL,
    MISTRESS,
    PRINCE_CHARMING,
    PRINCESS,
    QUEEN,
    SPY,
    THIEF,
    TRAITOR,
    VILLAGE_IDIOT,
    WITCH,
)
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
    1 << ARCHER | 1 << ASSASSIN | 1 << BARBARIAN | 1 << BLACK_KNIGHT | 1 << COURTIER | 1 << LADY_IN_WAITING
) | (1 << MAGICIAN | 1 << QUEEN | 1 << TRAITOR | 1 << DRAGON | 1 << FAIRY | 1 << KING)
_MOVING = 1 << LOOKOUT | 1 << PRINCE_CHARMING | 1 << PRINCESS | 1 << MISTRESS
_ON_PAWNS = 1 << MERCHANT | 1 << THIEF | 1 << CONSPIRATOR
_ON_PLAYERS = 1 << COURTESAN | 1 << WITCH


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
    elif kind == COUNSELOR:
        s.phase = COUNSEL
    elif kind == GHOST:
        s.is_carried = 1  # when he was placed
    else:
        _begin_special(s, log, kind)


@kernel
def _begin_special(s, log, kind):
    if kind == ALCHEMIST:
        begin_swapping(s)
    elif kind == MINSTREL:
        begin_arranging(s)
    elif kind == SPY:
        begin_spying(s)
    elif kind == FOOL:
        ask_next(s)
    elif kind == VILLAGE_IDIOT:
        pass_random(s, log)
    elif kind == ENCHANTER:
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
