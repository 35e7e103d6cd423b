"""Tiles in hands, where house rules let players draw ahead or hold a hand (rules H1, H2), and the bag (rule H3).

`hand` holds the tiles in hands by player and slot; they are in `deck` too, see `state.py`.
"""

from zamek_env.base.chance import draw_below
from zamek_env.base.records import NONE
from zamek_env.compiler.jit import kernel
from zamek_env.core.dealing import find_bag, swap
from zamek_env.core.placement import fits_anywhere
from zamek_env.core.tables import find_kind


@kernel
def fill_hand(s, player):
    """Draw from the bag into the empty slots of `player`'s hand. Writes `hand`, `held`."""
    for slot in range(s.hand.shape[1]):
        first = find_bag(s)
        if s.hand[player, slot] <= NONE and first < s.deck.size:
            s.hand[player, slot] = s.deck[first]
            s.held[0] += 1


@kernel
def is_empty_handed(s, player):
    """Return whether `player` holds no tile."""
    for slot in range(s.hand.shape[1]):
        if s.hand[player, slot] > NONE:
            return False
    return True


@kernel
def take_from_hand(s, player, slot):
    """Take a tile out of a hand to lay it: it becomes this turn's. Writes `hand`, `held`, `deck`, `drawn`."""
    swap(s.deck, _find_held(s, s.hand[player, slot]), int(s.drawn))
    s.hand[player, slot] = NONE
    s.held[0] -= 1
    s.drawn += 1


@kernel
def put_into_bag(s, player, slot):
    """Put a tile of a hand back, as the first of the bag (rule H3). Writes `hand`, `held`, `deck`."""
    swap(s.deck, _find_held(s, s.hand[player, slot]), find_bag(s) - 1)
    s.hand[player, slot] = NONE
    s.held[0] -= 1


@kernel
def _find_held(s, tile):
    """Return the index in `deck` of a tile in a hand."""
    for number in range(int(s.drawn), find_bag(s)):
        if s.deck[number] == tile:
            return number
    return NONE


@kernel
def find_layable(t, s, player):
    """Return which slots of `player`'s hand hold a tile that can be laid, as a bit set; alike tiles count once (H2)."""
    slots = 0
    for slot in range(s.hand.shape[1]):
        tile = s.hand[player, slot]
        if tile > NONE and not _is_alike(t, s, player, slot) and fits_anywhere(t, s, tile):
            slots |= 1 << slot
    return slots


@kernel
def _is_alike(t, s, player, slot):
    """Return whether an earlier slot holds a tile of the same kind."""
    kind = find_kind(t, s.hand[player, slot])
    for earlier in range(slot):
        tile = s.hand[player, earlier]
        if tile > NONE and find_kind(t, tile) == kind:
            return True
    return False


@kernel
def find_first_in_bag(t, s):
    """Return the index in `deck` of the first tile of the bag that can be laid, NONE without one."""
    for number in range(find_bag(s), s.deck.size):
        if fits_anywhere(t, s, s.deck[number]):
            return number
    return NONE


@kernel
def shake(s, first):
    """Put the tiles of the bag, from `deck[first]` on, into random order (rule H3). Writes `deck`, `bag`."""
    for last in range(s.deck.size - 1, first, -1):
        swap(s.deck, last, first + draw_below(s.bag, last + 1 - first))
