"""Finds protected cards, and moves cards off the board: taken back, removed, put into the exchange.

Rules K6 to K8: cards that leave, where they go, and soldiers against siege engines.
"""

import numpy as np

from zamek_env.castle_cards.components.box import AMBASSADOR, CAPTAIN, FIRST_SLOT, NUM_GRID, PRIEST
from zamek_env.castle_cards.core import log as events
from zamek_env.castle_cards.core.hands import add_to_exchange, gain_seen
from zamek_env.castle_cards.core.piles import find_in_castle, find_top_pawn, lift_top
from zamek_env.castle_cards.core.state import NONE
from zamek_env.castle_cards.layout.board import NEIGHBOURS, NO_SIDE, RAMPART, RAMPARTS, SIDE_OF, SLOTS
from zamek_env.compiler.bits import as_index, lowest_bit
from zamek_env.compiler.jit import kernel


@kernel
def find_protected(s):
    """Return the spaces of the castle whose uncovered card is protected (K7). Outside none ever is."""
    bare = s.occupied & ~s.knighted
    found = find_in_castle(s, AMBASSADOR) & bare
    captain = np.int64(s.where[CAPTAIN])
    if 0 <= captain < NUM_GRID and SIDE_OF[as_index(captain)] != NO_SIDE:
        found |= np.int64(RAMPART[as_index(SIDE_OF[as_index(captain)])]) & bare & ~(1 << captain)
    priest = np.int64(s.where[PRIEST])
    if 0 <= priest < NUM_GRID:
        pawn = np.int64(s.bottom_pawn[as_index(priest)])
        left = np.int64(NEIGHBOURS[as_index(priest)]) & s.occupied
        while left != 0 and pawn != NONE:
            space = lowest_bit(left)
            left &= left - 1
            if find_top_pawn(s, space) == pawn:
                found |= 1 << space
    return found


@kernel
def find_free_to_leave(s):
    """Return the spaces of the castle and slots whose uncovered card is not protected."""
    return s.occupied & ~find_protected(s)


@kernel
def return_pawn(s, pawn):
    """Put a pawn, if there is one, back into its owner's supply. Writes `pawns`."""
    if pawn != NONE:
        s.pawns[as_index(pawn)] += 1


@kernel
def _take_off(s, space):
    """Take the uncovered card of a pile away; return its kind and whose pawn lay on it, which is in supply again."""
    kind, pawn = lift_top(s, space)
    return_pawn(s, pawn)
    return kind, pawn


@kernel
def take_back(s, log, space, is_siege):
    """Take the uncovered card of a pile back, to the hand of its pawn's owner, or else to the exchange (K6)."""
    place = events.find_place(s, space)
    kind, pawn = _take_off(s, space)
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
    kind, _ = _take_off(s, space)
    s.removed[as_index(kind)] += 1


@kernel
def put_into_exchange(s, log, space):
    """Put the uncovered card of a pile into the exchange. Writes the board, the exchange."""
    events.write_event(log, events.TO_EXCHANGE, events.find_place(s, space), NONE, NONE)
    kind, _ = _take_off(s, space)
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
