"""A card is played: it is placed, what is full is noticed, and its effect begins (K5, K8)."""

import numpy as np

from zamek_env.castle_cards.components.kinds import GHOST, KNIGHT, RAMPART_KINDS, SIEGE_ENGINE
from zamek_env.castle_cards.components.sizes import FIRST_OUTSIDE
from zamek_env.castle_cards.core.effects import begin_effect, find_last_played
from zamek_env.castle_cards.core.fitting import find_playable
from zamek_env.castle_cards.core.hands import lose_seen, take_from_exchange
from zamek_env.castle_cards.core.leaving import repel_engine, storm_ramparts, take_back
from zamek_env.castle_cards.core.log import FROM_EXCHANGE, PLAY, find_place, write_event
from zamek_env.castle_cards.core.piles import find_free_knight, lay_card, lay_knight
from zamek_env.castle_cards.core.state import NONE
from zamek_env.castle_cards.layout.actions import CARDS, PLACE
from zamek_env.core.bits import as_index
from zamek_env.core.jit import kernel


@kernel
def place_card(s, log, space):
    """Place the card that was chosen on `space`, and begin its effect. Writes nearly all of `s`."""
    kind, player = np.int64(s.card), np.int64(s.turn)
    if s.is_counseled:
        take_from_exchange(s, kind)
    else:
        lose_seen(s, player, kind)
        s.has_played = 1
    pawn = _spend_pawn(s, player)
    s.before = find_last_played(s)
    _write_play(s, log, kind, space)
    if kind == GHOST:
        take_back(s, log, space, 0)
    if kind == KNIGHT:
        lay_knight(s, find_free_knight(s), space, pawn)
    else:
        lay_card(s, space, kind, pawn)
    s.last_space = space
    s.last_height = s.height[as_index(space)]
    s.card = NONE
    s.is_counseled = 0
    s.legal = 0
    if RAMPART_KINDS >> kind & 1:
        repel_engine(s, log, space)
    elif kind == SIEGE_ENGINE:
        storm_ramparts(s, log)
    begin_effect(s, log, kind)


@kernel
def _spend_pawn(s, player):
    """Return whose pawn is laid on the card, NONE where it comes from the exchange or none is left. Writes `pawns`."""
    if s.is_counseled or s.pawns[as_index(player)] == 0:
        return NONE
    s.pawns[as_index(player)] -= 1
    return player


@kernel
def _write_play(s, log, kind, space):
    is_new = space >= FIRST_OUTSIDE and space - FIRST_OUTSIDE == s.outside_count
    place = FIRST_OUTSIDE + np.int64(s.next_number) if is_new else find_place(s, space)
    row = write_event(log, PLAY, kind, place, NONE if s.is_counseled else np.int64(s.legal))
    row[FROM_EXCHANGE] = s.is_counseled


@kernel
def offer_counseled(s):
    """Write the kinds of the exchange that can be placed into `options`."""
    s.options[CARDS], _ = find_playable(s, np.int64(s.exchange_kinds))


@kernel
def choose_counseled(s, kind):
    """Take note of the card of the exchange that is played. Writes `card`, `is_counseled`, `phase`."""
    s.card = kind
    s.is_counseled = 1
    s.phase = PLACE
