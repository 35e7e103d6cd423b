"""Plays a card: places it, checks what is full, and begins its effect (K5, K8)."""

import numpy as np

from zamek_env.castle_cards.components import box
from zamek_env.castle_cards.core.hands import lose_seen, take_from_exchange
from zamek_env.castle_cards.core.leaving import find_protected, repel_engine, storm_ramparts, take_back
from zamek_env.castle_cards.core.log import FROM_EXCHANGE, PLAY, find_place, write_event
from zamek_env.castle_cards.core.pawns import begin_spying
from zamek_env.castle_cards.core.piles import find_bit, lay_top
from zamek_env.castle_cards.core.state import NONE
from zamek_env.castle_cards.core.swapping import ask_next, begin_swapping, pass_random
from zamek_env.castle_cards.core.targets import begin_arranging
from zamek_env.castle_cards.layout.actions import COUNSEL, FINISH, MOVE_FROM, PILE, PLAYER, TARGET
from zamek_env.compiler.bits import as_index
from zamek_env.compiler.jit import kernel

_FIRST_PHASE = np.full(box.NUM_KINDS, FINISH, np.int64)  # of the effect of a kind that begins with a decision
for _phase, _kinds in {
    TARGET: (
        box.ARCHER, box.ASSASSIN, box.BARBARIAN, box.BLACK_KNIGHT, box.COURTIER, box.DRAGON, box.FAIRY, box.KING,
        box.LADY_IN_WAITING, box.MAGICIAN, box.QUEEN, box.TRAITOR,
    ),
    MOVE_FROM: (box.LOOKOUT, box.MISTRESS, box.PRINCE_CHARMING, box.PRINCESS),
    PILE: (box.CONSPIRATOR, box.MERCHANT, box.THIEF),
    PLAYER: (box.COURTESAN, box.WITCH),
    COUNSEL: (box.COUNSELOR,),
}.items():  # fmt: skip
    _FIRST_PHASE[[*_kinds]] = _phase


@kernel
def place_card(s, log, space):
    """Place the card that was chosen on `space`, and begin its effect. Writes nearly all of `s`."""
    kind, player, pawn = np.int64(s.card), np.int64(s.turn), np.int64(NONE)
    if s.is_counseled:
        take_from_exchange(s, kind)
    else:
        lose_seen(s, player, kind)
        s.has_played = 1
        if s.pawns[as_index(player)] > 0:
            s.pawns[as_index(player)] -= 1
            pawn = player
    s.before = find_last_played(s)
    is_new = space >= box.FIRST_OUTSIDE and space - box.FIRST_OUTSIDE == s.outside_count
    place = box.FIRST_OUTSIDE + np.int64(s.next_number) if is_new else find_place(s, space)
    row = write_event(log, PLAY, kind, place, NONE if s.is_counseled else np.int64(s.legal))
    row[FROM_EXCHANGE] = s.is_counseled
    if kind == box.GHOST:
        take_back(s, log, space, 0)
    lay_top(s, space, kind, pawn)
    s.last_space = space
    s.last_height = s.height[as_index(space)]
    s.card = NONE
    s.is_counseled = 0
    s.legal = 0
    if box.RAMPART_KINDS >> kind & 1:
        repel_engine(s, log, space)
    elif kind == box.SIEGE_ENGINE:
        storm_ramparts(s, log)
    _begin_effect(s, log, kind)


@kernel
def _begin_effect(s, log, kind):
    """Begin the effect of a card that has just been placed. Writes `phase` and all fields of effects."""
    s.effect = kind
    s.part = 0
    s.progress = 0
    s.is_carried = 0
    s.picked.fill(NONE)
    s.phase = _FIRST_PHASE[as_index(kind)]
    if kind == box.GHOST:
        s.is_carried = 1  # when he was placed
    elif kind == box.ALCHEMIST:
        begin_swapping(s)
    elif kind == box.MINSTREL:
        begin_arranging(s)
    elif kind == box.SPY:
        begin_spying(s)
    elif kind == box.FOOL:
        ask_next(s)
    elif kind == box.VILLAGE_IDIOT:
        pass_random(s, log)
    elif kind == box.ENCHANTER:  # who takes back the card played before him, unless it is protected or gone
        space = np.int64(s.before)
        s.before = NONE
        if space != NONE and not find_protected(s) & find_bit(space):
            s.is_carried = 1
            take_back(s, log, space, 0)


@kernel
def find_last_played(s):
    """Return the space of the card played last, NONE where there is none or its own effect put a Knight on it."""
    space = np.int64(s.last_space)
    return space if space != NONE and s.height[as_index(space)] == s.last_height else NONE
