"""Deals a new game: cards and pawns (K3)."""

import numpy as np

from zamek_env.base.chance import draw_below, seed_generator
from zamek_env.castle_cards.components import box
from zamek_env.castle_cards.core.hands import add_to_exchange, add_to_hand
from zamek_env.compiler.bits import as_index
from zamek_env.compiler.jit import kernel

_COPIES = np.array(box.COPIES, np.int64)
_HAND_SIZES = np.array(box.HAND_SIZES, np.int64)
_DECK_SIZES = np.array(box.DECK_SIZES, np.int64)
_PAWN_COUNTS = np.array(box.PAWN_COUNTS, np.int64)


@kernel
def deal(blank, states, game, players, number):
    """Make `states[game]` deal `number` for `players` players. `blank[0]` is an empty game."""
    states[game] = blank[0]
    s = states[game]
    begin_dealing(s, players, number)
    cards = np.empty(box.NUM_CARDS, np.int64)
    count = 0
    for kind in range(box.NUM_KINDS):
        for _ in range(_COPIES[kind] - np.int64(s.removed[kind])):
            cards[as_index(count)] = kind
            count += 1
    shuffle(cards, count, s.generator)
    hand_out(s, cards, count)


@kernel
def begin_dealing(s, players, number):
    """Hand out pawns, leave out cards, and start the generator. Writes `s`, a copy of an empty game."""
    seed_generator(s.generator, number)
    s.players = players
    for player in range(players):
        s.pawns[as_index(player)] = _PAWN_COUNTS[as_index(player)]
    for kind in range(box.NUM_KINDS):
        if players == 2 and box.NOT_FOR_TWO >> kind & 1:
            s.removed[kind] = 1


@kernel
def hand_out(s, cards, count):
    """Hand out the first `count` of `cards`: for each player a hand, a deck from the bottom up; then the exchange."""
    players, used = np.int64(s.players), 0
    for player in range(players):
        for _ in range(_HAND_SIZES[as_index(players)]):
            add_to_hand(s, player, cards[as_index(used)])
            used += 1
        for _ in range(_DECK_SIZES[as_index(players)]):
            add_to_deck(s, player, cards[as_index(used)])
            used += 1
    for number in range(used, count):
        add_to_exchange(s, cards[as_index(number)])


@kernel
def add_to_deck(s, player, kind):
    """Put a card on top of a deck. Writes `deck`, `deck_size`."""
    s.deck[as_index(player), as_index(s.deck_size[as_index(player)])] = kind
    s.deck_size[as_index(player)] += 1


@kernel
def shuffle(values, count, generator):
    """Put the first `count` of `values` into random order. Writes `values`, `generator`."""
    for last in range(count - 1, 0, -1):
        other = draw_below(generator, last + 1)
        value = values[as_index(last)]
        values[as_index(last)] = values[as_index(other)]
        values[as_index(other)] = value
