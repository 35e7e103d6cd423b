"""Chance: a small generator, dealing the tiles and tokens (rule Z5), and re-dealing what is hidden (rule Z31).

All chance of a game lies in its deal: nothing is drawn at random later. A deal is named by a number, so that it can be
repeated anywhere. The generator is Marsaglia's xorshift64; its state is a `uint64` array of shape `(1,)`.
"""

import numpy as np

from zamek_env.core.jit import kernel
from zamek_env.core.scratch import new_scratch

MAX_DEAL = 2**63 - 1  # deals are numbered from 0 to this
_SEED_MIX = 0x9E3779B9  # 2**32 / golden ratio, so that deal 0 does not start from zeros
_WARM_UP = 8  # steps, after which one differing bit of a deal's number has reached all bits


@kernel
def seed_generator(generator, deal):
    """Start `generator` for the deal of that number. Writes `generator`."""
    low, high = int(deal) & 0xFFFFFFFF, int(deal) >> 32
    for _ in range(2):
        low = _scramble(low ^ _SEED_MIX ^ high)
        high = _scramble(high ^ low)
    generator[0] = (np.uint64(high) << np.uint64(32)) | np.uint64(low | 1)
    for _ in range(_WARM_UP):
        draw_random(generator)


@kernel
def _scramble(word):
    """Return a 32-bit word that depends on every bit of the 32-bit `word`; a bijection. Stays within int64."""
    first = ((word ^ (word >> 16)) * 0x45D9F3B) & 0xFFFFFFFF
    second = ((first ^ (first >> 16)) * 0x45D9F3B) & 0xFFFFFFFF
    return second ^ (second >> 16)


@kernel
def draw_random(generator):
    """Return the next 32 random bits as an int. Writes `generator`."""
    word = generator[0]
    word ^= word << np.uint64(13)
    word ^= word >> np.uint64(7)
    word ^= word << np.uint64(17)
    generator[0] = word
    return int(word >> np.uint64(32))


@kernel
def draw_below(generator, limit):
    """Return a random whole number from 0 to `limit - 1`, where 0 < `limit` < 2**31. Writes `generator`."""
    return (draw_random(generator) * int(limit)) >> 32


@kernel
def deal(t, s, generator):
    """Shuffle the tiles, and the tokens of which the first go on the towers (rule Z5).

    Writes `deck`, `token_deal`, `generator`.
    """
    for number in range(s.deck.size):
        s.deck[number] = number
    for number in range(s.token_deal.size):
        s.token_deal[number] = t.token_pool[number]
    _shuffle_from(s.deck, 0, generator)
    _shuffle_from(s.token_deal, 0, generator)


@kernel
def redeal(s, generator):
    """Reshuffle exactly what is hidden: tiles not drawn, and tokens nobody has seen (rule Z31).

    Writes `deck`, `token_deal`, `generator`.
    """
    _shuffle_from(s.deck, int(s.drawn), generator)
    kinds = new_scratch(s.token_deal)
    count = 0
    for number in range(s.token_deal.size):
        if _is_hidden(s, number):
            kinds[count] = s.token_deal[number]
            count += 1
    for last in range(count - 1, 0, -1):
        _swap(kinds, draw_below(generator, last + 1), last)
    count = 0
    for number in range(s.token_deal.size):
        if _is_hidden(s, number):
            s.token_deal[number] = kinds[count]
            count += 1


@kernel
def forget_hidden(s):
    """Put exactly what is hidden into ascending order, so that re-dealing it follows from the generator alone.

    Writes `deck`, `token_deal`.
    """
    is_drawn = new_scratch(s.deck)
    is_drawn.fill(0)
    for deck_index in range(s.drawn):
        is_drawn[s.deck[deck_index]] = 1
    end = int(s.drawn)
    for tile in range(s.deck.size):
        if not is_drawn[tile]:
            s.deck[end] = tile
            end += 1
    for number in range(s.token_deal.size):
        for later in range(number + 1, s.token_deal.size):
            if _is_hidden(s, number) and _is_hidden(s, later) and s.token_deal[later] < s.token_deal[number]:
                _swap(s.token_deal, number, later)


@kernel
def put_next_tile(s, tile):
    """Let `tile`, one of those not drawn, be the one to be drawn next. Writes `deck`."""
    for deck_index in range(s.drawn, s.deck.size):
        if s.deck[deck_index] == tile:
            _swap(s.deck, s.drawn, deck_index)
            return


@kernel
def _is_hidden(s, number):
    """Return whether nobody has seen the token of that number in the deal: it lies on its tower or in the box."""
    return number >= s.tower_taken.size or not s.tower_taken[number]


@kernel
def _swap(values, first, second):
    value = values[first]
    values[first] = values[second]
    values[second] = value


@kernel
def _shuffle_from(values, start, generator):
    """Put `values[start:]` into random order. Writes `values`, `generator`."""
    for last in range(values.size - 1, start, -1):
        _swap(values, last, start + draw_below(generator, last + 1 - start))
