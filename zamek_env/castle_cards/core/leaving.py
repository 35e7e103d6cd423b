"""Cards that leave the board: taken back, removed, put into the exchange; soldiers against siege engines (K6, K8)."""

import numpy as np

from zamek_env.castle_cards.components.sizes import FIRST_SLOT
from zamek_env.castle_cards.core import log as events
from zamek_env.castle_cards.core.hands import add_to_exchange, gain_seen
from zamek_env.castle_cards.core.piles import lift_top
from zamek_env.castle_cards.core.protection import find_free_to_leave
from zamek_env.castle_cards.core.state import NONE
from zamek_env.castle_cards.layout.board import NO_SIDE, RAMPART, RAMPARTS, SIDE_OF, SLOTS
from zamek_env.core.bits import as_index, lowest_bit
from zamek_env.core.jit import kernel


@kernel
def return_pawn(s, pawn):
    """Put a pawn, if it is one, back into its owner's supply. Writes `pawns`."""
    if pawn != NONE:
        s.pawns[as_index(pawn)] += 1


@kernel
def take_back(s, log, space, is_siege):
    """Take the uncovered card of a pile back, to the hand of its pawn's owner, or else to the exchange (K6)."""
    place = events.find_place(s, space)
    kind, pawn = lift_top(s, space)
    return_pawn(s, pawn)
    if pawn == NONE:
        add_to_exchange(s, kind)
    else:
        gain_seen(s, pawn, kind)
    row = events.write_event(log, events.TAKE_BACK, kind, place, pawn)
    row[events.BY_SIEGE] = is_siege
    if not is_siege and s.decider != s.turn:
        row[events.DECIDED_BY] = s.decider


@kernel
def remove_card(s, log, space):
    """Take the uncovered card of a pile out of the game. Writes `removed`, the board."""
    events.write_event(log, events.REMOVE, events.find_place(s, space), NONE, NONE)
    kind, pawn = lift_top(s, space)
    return_pawn(s, pawn)
    s.removed[as_index(kind)] += 1


@kernel
def put_into_exchange(s, log, space):
    """Put the uncovered card of a pile into the exchange. Writes the board, the exchange."""
    events.write_event(log, events.TO_EXCHANGE, events.find_place(s, space), NONE, NONE)
    kind, pawn = lift_top(s, space)
    return_pawn(s, pawn)
    add_to_exchange(s, kind)


@kernel
def repel_engine(s, log, space):
    """Take back the siege engine before a rampart that the soldier on `space` has filled (K8)."""
    if SIDE_OF[as_index(space)] == NO_SIDE:
        return
    side = np.int64(SIDE_OF[as_index(space)])
    slot = FIRST_SLOT + side
    is_full = np.int64(RAMPART[as_index(side)]) & ~s.occupied == 0
    if is_full and s.occupied & ~s.knighted & (1 << slot):
        take_back(s, log, slot, 1)


@kernel
def storm_ramparts(s, log):
    """Take back all soldiers that are not protected, once there are four siege engines (K8)."""
    if SLOTS & ~s.occupied:
        return
    left = RAMPARTS & find_free_to_leave(s) & ~s.knighted
    while left != 0:
        space = lowest_bit(left)
        left &= left - 1
        take_back(s, log, space, 1)
