"""Deals the tiles and tokens (rule Z5), and re-deals what is hidden (rule Z31)."""

import numpy as np

from zamek_env.base.chance import draw_below, draw_random
from zamek_env.compiler.jit import kernel
from zamek_env.compiler.memory import new_scratch


@kernel
def deal(t, s, generator):
    """Shuffle the tiles, and the tokens of which the first go on the towers (rule Z5).

    Writes `deck`, `token_deal`, `generator`.
    """
    for number in range(s.deck.size):
        s.deck[number] = number
    for number in range(s.token_deal.size):
        s.token_deal[number] = t.token_pool[number]
    shuffle_from(s.deck, 0, generator)
    shuffle_from(s.token_deal, 0, generator)
    start_bag(s, generator)


@kernel
def start_bag(s, generator):
    """Draw how the bag will be shaken, where it is (rule H3). Writes `bag`, `generator`."""
    for number in range(s.bag.size):
        s.bag[number] = np.uint64(draw_random(generator)) << np.uint64(32) | np.uint64(draw_random(generator) | 1)


@kernel
def redeal(s, generator, observer):
    """Reshuffle exactly what is hidden: tiles not drawn, and tokens nobody has seen (rule Z31).

    Hands count as not drawn, but for those that `observer` sees, a player or NONE (rules H1, H2). Writes `deck`,
    `hand`, `bag`, `token_deal`, `generator`.
    """
    if s.hand.size > 0:
        places = new_scratch(s.deck)
        for last in range(_list_unseen(s, observer, places) - 1, 0, -1):
            swap(s.deck, places[last], places[draw_below(generator, last + 1)])
        _read_hands(s)
    else:
        shuffle_from(s.deck, int(s.drawn), generator)
    start_bag(s, generator)
    kinds = new_scratch(s.token_deal)
    count = 0
    for number in range(s.token_deal.size):
        if _is_hidden(s, number):
            kinds[count] = s.token_deal[number]
            count += 1
    for last in range(count - 1, 0, -1):
        swap(kinds, draw_below(generator, last + 1), last)
    count = 0
    for number in range(s.token_deal.size):
        if _is_hidden(s, number):
            s.token_deal[number] = kinds[count]
            count += 1


@kernel
def forget_hidden(s, observer):
    """Put exactly what is hidden into ascending order, so that re-dealing it follows from the generator alone.

    `observer` is as for `redeal`. Writes `deck`, `hand`, `bag`, `token_deal`.
    """
    is_hidden, places = new_scratch(s.deck), new_scratch(s.deck)
    is_hidden.fill(0)
    count = 0
    if s.hand.size > 0:
        count = _list_unseen(s, observer, places)
    else:
        for deck_index in range(s.drawn, s.deck.size):
            places[count] = deck_index
            count += 1
    for number in range(count):
        is_hidden[s.deck[places[number]]] = 1
    end = 0
    for tile in range(s.deck.size):
        if is_hidden[tile]:
            s.deck[places[end]] = tile
            end += 1
    if s.hand.size > 0:
        _read_hands(s)
    s.bag.fill(1)
    for number in range(s.token_deal.size):
        for later in range(number + 1, s.token_deal.size):
            if _is_hidden(s, number) and _is_hidden(s, later) and s.token_deal[later] < s.token_deal[number]:
                swap(s.token_deal, number, later)


@kernel
def find_bag(s):
    """Return where in `deck` the tiles of the bag begin."""
    return int(s.drawn) + int(s.held[0]) if s.hand.size > 0 else int(s.drawn)


@kernel
def can_see_hand(s, observer, player):
    """Return whether `observer`, NONE for somebody without a hand, sees the hand of `player` (rules H1, H2)."""
    return s.hides_hands.size == 0 or observer == player


@kernel
def _list_unseen(s, observer, places):
    """Write the indices in `deck` of tiles that `observer` has not seen into `places`; return their number.

    Tiles in hands come first in `deck` from then on, hand by hand. Writes `deck`.
    """
    count, place = 0, int(s.drawn)
    for player in range(s.hand.shape[0]):
        for slot in range(s.hand.shape[1]):
            if s.hand[player, slot] < 0:
                continue
            for number in range(place, s.deck.size):
                if s.deck[number] == s.hand[player, slot]:
                    swap(s.deck, place, number)
            if not can_see_hand(s, observer, player):
                places[count] = place
                count += 1
            place += 1
    for number in range(place, s.deck.size):
        places[count] = number
        count += 1
    return count


@kernel
def _read_hands(s):
    """Write the tiles in `deck` that are in hands, hand by hand, into `hand`."""
    place = int(s.drawn)
    for player in range(s.hand.shape[0]):
        for slot in range(s.hand.shape[1]):
            if s.hand[player, slot] >= 0:
                s.hand[player, slot] = s.deck[place]
                place += 1


@kernel
def put_next_tile(s, tile):
    """Make `tile`, one of those in the bag, the next one drawn. Writes `deck`."""
    for deck_index in range(find_bag(s), s.deck.size):
        if s.deck[deck_index] == tile:
            swap(s.deck, find_bag(s), deck_index)
            return


@kernel
def _is_hidden(s, number):
    """Return whether nobody has seen the token of that number in the deal: it lies on its tower or in the box."""
    return number >= s.tower_taken.size or not s.tower_taken[number]


@kernel
def swap(values, first, second):
    value = values[first]
    values[first] = values[second]
    values[second] = value


@kernel
def shuffle_from(values, start, generator):
    """Put `values[start:]` into random order. Writes `values`, `generator`."""
    for last in range(values.size - 1, start, -1):
        swap(values, last, start + draw_below(generator, last + 1 - start))
