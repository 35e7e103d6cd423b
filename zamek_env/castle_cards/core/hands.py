"""Hands and the exchange, and what players know of hands (K10).

A player's knowledge of another's hand is the number of cards of each kind that are certainly there. A card that all saw
move is known to all. A card that leaves a hand unseen may have been any card of that hand: players who did not see it
know nothing of that hand any more. The entry where observer and holder are the same holds what all players know.
"""

import numpy as np

from zamek_env.base.chance import draw_below
from zamek_env.castle_cards.components.box import NUM_KINDS
from zamek_env.castle_cards.core.state import NONE
from zamek_env.compiler.bits import as_index
from zamek_env.compiler.jit import kernel


@kernel
def add_to_hand(s, player, kind):
    """Put a card into a hand, without noting who knows of it. Writes `hand`, `hand_size`, `hand_kinds`."""
    s.hand[as_index(player), as_index(kind)] += 1
    s.hand_size[as_index(player)] += 1
    s.hand_kinds[as_index(player)] |= 1 << kind


@kernel
def take_from_hand(s, player, kind):
    """Take a card, which must be there, out of a hand. Writes `hand`, `hand_size`, `hand_kinds`."""
    s.hand[as_index(player), as_index(kind)] -= 1
    s.hand_size[as_index(player)] -= 1
    if s.hand[as_index(player), as_index(kind)] == 0:
        s.hand_kinds[as_index(player)] &= ~(1 << kind)


@kernel
def add_to_exchange(s, kind):
    """Put a card into the exchange. Writes `exchange`, `exchange_size`, `exchange_kinds`."""
    s.exchange[as_index(kind)] += 1
    s.exchange_size += 1
    s.exchange_kinds |= 1 << kind


@kernel
def take_from_exchange(s, kind):
    """Take a card, which must be there, out of the exchange. Writes `exchange`, `exchange_size`, `exchange_kinds`."""
    s.exchange[as_index(kind)] -= 1
    s.exchange_size -= 1
    if s.exchange[as_index(kind)] == 0:
        s.exchange_kinds &= ~(1 << kind)


@kernel
def gain_seen(s, player, kind):
    """Put a card into a hand while all look on. Writes the hand, `known`."""
    add_to_hand(s, player, kind)
    for observer in range(np.int64(s.players)):
        s.known[as_index(observer), as_index(player), as_index(kind)] += 1


@kernel
def lose_seen(s, player, kind):
    """Take a card out of a hand while all look on. Writes the hand, `known`."""
    take_from_hand(s, player, kind)
    for observer in range(np.int64(s.players)):
        _note_seen(s, observer, player, kind)


@kernel
def lose_unseen(s, giver, receiver, kind):
    """Take a card out of a hand; only its receiver sees which. Writes the hand, `known`."""
    take_from_hand(s, giver, kind)
    for observer in range(np.int64(s.players)):
        if observer == receiver:
            _note_seen(s, observer, giver, kind)
        else:
            for other in range(NUM_KINDS):
                s.known[as_index(observer), as_index(giver), as_index(other)] = 0


@kernel
def gain_unseen(s, giver, receiver, kind):
    """Put a card into a hand; only its giver knows which. Writes the hand, `known`."""
    add_to_hand(s, receiver, kind)
    s.known[as_index(giver), as_index(receiver), as_index(kind)] += 1


@kernel
def draw_any(s, player, generator):
    """Return the kind of a random card of a hand, each card as likely; it stays there. Writes `generator`."""
    left = np.int64(draw_below(generator, np.int64(s.hand_size[as_index(player)])))
    for kind in range(NUM_KINDS):
        left -= np.int64(s.hand[as_index(player), as_index(kind)])
        if left < 0:
            return kind
    return NONE  # not reached: sizes are right


@kernel
def _note_seen(s, observer, player, kind):
    """Note that `observer` saw such a card leave the hand of `player`. Writes `known`."""
    if s.known[as_index(observer), as_index(player), as_index(kind)] > 0:
        s.known[as_index(observer), as_index(player), as_index(kind)] -= 1
