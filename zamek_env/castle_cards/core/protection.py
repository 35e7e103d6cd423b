"""Which uncovered cards are protected, and which spaces belong to an effect's choice (K5–K7)."""

import numpy as np

from zamek_env.castle_cards.components.kinds import AMBASSADOR, CAPTAIN, FEMALES, PRIEST
from zamek_env.castle_cards.components.sizes import NUM_GRID
from zamek_env.castle_cards.core.piles import find_top_pawn
from zamek_env.castle_cards.core.state import NONE
from zamek_env.castle_cards.layout.board import CASTLE, NEIGHBOURS, NO_SIDE, RAMPART, SIDE_OF
from zamek_env.core.bits import as_index, lowest_bit
from zamek_env.core.jit import kernel


@kernel
def find_in_castle(s, kind):
    """Return the bit of the space where the only card of that kind lies, 0 where that is not in the castle."""
    space = np.int64(s.where[kind])
    return 1 << space if 0 <= space < NUM_GRID else 0


@kernel
def find_adjacent(s, kind):
    """Return the spaces adjacent to the only card of that kind; none where it is not in the castle."""
    space = np.int64(s.where[kind])
    return np.int64(NEIGHBOURS[as_index(space)]) if 0 <= space < NUM_GRID else 0


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
def find_bare_females(s):
    """Return the spaces of the castle with a female character on whom no Knight lies."""
    found, left = 0, FEMALES
    while left != 0:
        found |= find_in_castle(s, lowest_bit(left))
        left &= left - 1
    return found & ~s.knighted & CASTLE


@kernel
def find_bare(s, kind):
    """Return the space of the castle where the only card of that kind lies, unless a Knight lies on it."""
    return find_in_castle(s, kind) & ~s.knighted
