"""Redeals what is hidden from an observer (K10).

Hidden are the other players' hands, except cards that the observer knows there, all decks, what the Courtesan drew from
a hand unless it concerns the observer, what others have chosen for the Fool, and chance to come. A card that is
announced, being given or played, is known to all. All hidden cards are shuffled, so every distribution of them is
equally likely. If nobody could decide anything afterwards, they are shuffled again, because all players see that
somebody must decide.
"""

import numpy as np

from zamek_env.base.chance import draw_below, draw_random
from zamek_env.castle_cards.components.box import NUM_CARDS, NUM_KINDS
from zamek_env.castle_cards.core.dealing import shuffle
from zamek_env.castle_cards.core.hands import add_to_hand, draw_any, take_from_hand
from zamek_env.castle_cards.core.rules import offer_options
from zamek_env.castle_cards.core.state import NONE
from zamek_env.castle_cards.core.turns import offer_actions
from zamek_env.castle_cards.layout.actions import PASS_ON, PLACE, SWAP_GIVE, SWAP_TAKE, TAKE
from zamek_env.compiler.bits import as_index
from zamek_env.compiler.jit import kernel


@kernel
def redeal(s, generator, observer):
    """Redeal what `observer` does not know; NONE is somebody who knows only what all players know.

    The result depends only on what the observer knows and on `generator`. Writes the other players' hands, `deck`, what
    others know of each other's hands, `stolen`, `picked` of the Fool, `options`, `num_options`, `legal`, `forced`, and
    `generator` of both.
    """
    cards = np.empty(NUM_CARDS, np.int64)
    count = _gather(s, observer, cards)
    could_decide = s.num_options > 0
    while True:
        shuffle(cards, count, generator)
        _deal_again(s, observer, cards)
        _choose_again(s, generator, observer)
        if not could_decide:
            break
        if s.legal > 0:
            offer_actions(s)  # counts them again
        offer_options(s)
        if s.num_options > 0:
            break
    _know_again(s, generator, observer)
    s.generator[0] = (np.uint64(draw_random(generator)) << np.uint64(32)) | np.uint64(draw_random(generator) | 1)
    s.forced.fill(NONE)


@kernel
def count_known(s, observer, holder, kind):
    """Return how many of these cards `observer` knows to be in another player's hand, announced ones included."""
    return max(_count_seen(s, observer, holder, kind), _count_announced(s, observer, holder, kind))


@kernel
def _count_seen(s, observer, holder, kind):
    """Return how many of these cards `observer` saw come into another player's hand."""
    viewer = holder if observer == NONE else observer
    return np.int64(s.known[as_index(viewer), as_index(holder), as_index(kind)])


@kernel
def _count_announced(s, observer, holder, kind):
    """Return how many of these cards of a hand the decision in progress has shown to `observer`."""
    count = 0
    if holder == s.turn and s.phase in (TAKE, PLACE):
        count += s.card == kind and not s.is_counseled
    elif holder == s.turn and s.phase in (SWAP_GIVE, SWAP_TAKE):
        for number in range(min(np.int64(s.part), np.int64(s.progress))):
            count += s.picked[as_index(number)] == kind
    elif s.stolen != NONE and holder == s.other and observer == s.turn:
        count += s.stolen == kind
    return count


@kernel
def _gather(s, observer, cards):
    """Write all hidden cards into `cards`, sorted; return their number."""
    hidden = np.zeros(NUM_KINDS, np.int64)
    for player in range(np.int64(s.players)):
        for kind in range(NUM_KINDS):
            if player != observer:
                hidden[kind] += np.int64(s.hand[as_index(player), kind]) - count_known(s, observer, player, kind)
        for number in range(np.int64(s.deck_size[as_index(player)])):
            hidden[as_index(s.deck[as_index(player), as_index(number)])] += 1
    count = 0
    for kind in range(NUM_KINDS):
        for _ in range(hidden[kind]):
            cards[as_index(count)] = kind
            count += 1
    return count


@kernel
def _deal_again(s, observer, cards):
    """Put `cards` where hidden cards were. Writes the other players' hands, `deck`."""
    used = 0
    for player in range(np.int64(s.players)):
        if player != observer:
            hidden = _empty_hand(s, observer, player)
            for number in range(used, used + hidden):
                add_to_hand(s, player, cards[as_index(number)])
            used += hidden
        for number in range(np.int64(s.deck_size[as_index(player)])):
            s.deck[as_index(player), as_index(number)] = cards[as_index(used)]
            used += 1


@kernel
def _empty_hand(s, observer, player):
    """Take the hidden cards out of a hand; return how many. Writes the hand."""
    count = 0
    for kind in range(NUM_KINDS):
        for _ in range(np.int64(s.hand[as_index(player), kind]) - count_known(s, observer, player, kind)):
            take_from_hand(s, player, kind)
            count += 1
    return count


@kernel
def _choose_again(s, generator, observer):
    """Redraw which cards of their hands others chose or lost. Writes `stolen`, `picked`, `generator`."""
    if s.stolen != NONE and observer != s.turn and observer != s.other:
        s.stolen = draw_any(s, np.int64(s.other), generator)
    if s.phase == PASS_ON:
        for player in range(np.int64(s.players)):
            if player != observer and s.picked[as_index(player)] != NONE:
                s.picked[as_index(player)] = draw_any(s, player, generator)


@kernel
def _know_again(s, generator, observer):
    """Redraw what others know of each other's hands but `observer` does not. Writes `known`, `generator`.

    Beyond what all know, these are cards that passed between two of them: the observer knows how many, but not which.
    """
    for other in range(np.int64(s.players)):
        for holder in range(np.int64(s.players)):
            if other not in (observer, holder) and holder != observer:
                for _ in range(_forget_private(s, other, holder)):
                    _know_any(s, generator, observer, other, holder)


@kernel
def _forget_private(s, other, holder):
    """Reduce `other`'s knowledge of a hand to what all know; return how many more cards it knew. Writes `known`."""
    count = np.int64(0)
    for kind in range(NUM_KINDS):
        seen_by_all = s.known[as_index(holder), as_index(holder), kind]
        count += np.int64(s.known[as_index(other), as_index(holder), kind]) - np.int64(seen_by_all)
        s.known[as_index(other), as_index(holder), kind] = seen_by_all
    return count


@kernel
def _know_any(s, generator, observer, other, holder):
    """Let `other` know one more card of a hand, a random one that `observer` has not seen there.

    Writes `known`, `generator`.
    """
    total = 0
    for kind in range(NUM_KINDS):
        total += _count_left(s, observer, other, holder, kind)
    if total == 0:
        return
    left = np.int64(draw_below(generator, total))
    for kind in range(NUM_KINDS):
        left -= _count_left(s, observer, other, holder, kind)
        if left < 0:
            s.known[as_index(other), as_index(holder), kind] += 1
            return


@kernel
def _count_left(s, observer, other, holder, kind):
    """Return how many of these cards `observer` has not seen and `other` does not know beyond what all know."""
    own = np.int64(s.known[as_index(other), as_index(holder), kind])
    own -= np.int64(s.known[as_index(holder), as_index(holder), kind])
    return max(0, np.int64(s.hand[as_index(holder), kind]) - _count_seen(s, observer, holder, kind) - own)
