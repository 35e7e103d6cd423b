"""How a game ends, and who has won (K9)."""

from typing import Any

import numpy as np

from zamek_env.castle_cards.components.kinds import COPIED_KINDS, COPIES, FAIRY, HERALD, KNIGHT, NUM_KINDS, NUM_KNIGHTS
from zamek_env.castle_cards.components.sizes import NUM_SPACES
from zamek_env.castle_cards.core.fitting import has_space
from zamek_env.castle_cards.core.state import EMPTY_HANDED, NONE, STALLED
from zamek_env.castle_cards.core.swapping import find_in_turn
from zamek_env.castle_cards.layout.actions import OVER
from zamek_env.core.bits import as_index, count_word
from zamek_env.core.jit import kernel

_COPIES = np.array(COPIES, np.int64)
_MOST_LIKELY = (KNIGHT, FAIRY, HERALD)  # kinds that fit nearly always: asked for first


@kernel
def is_terminal(s):
    """Return whether the game is over."""
    return s.phase == OVER


@kernel
def check_end(s):
    """End the game where a player is out of cards, or no card can be played. Writes `end`, `winners`, `phase`."""
    for number in range(np.int64(s.players)):
        player = find_in_turn(s, number)
        if s.hand_size[as_index(player)] == 0 and s.deck_size[as_index(player)] == 0:
            _end(s, EMPTY_HANDED, 1 << player)
            return
    if is_stalled(s):
        end_by_hands(s, STALLED)


@kernel
def is_stalled(s):
    """Return whether no card of hands, decks and exchange fits anywhere."""
    for kind in _MOST_LIKELY:
        if _is_left(s, kind) and has_space(s, kind):
            return False
    for kind in range(NUM_KINDS):
        if _is_left(s, kind) and has_space(s, kind):
            return False
    return True


@kernel
def _is_left(s, kind):
    """Return whether a card of that kind is in a hand, a deck or the exchange: neither in play nor removed."""
    if kind == KNIGHT:
        in_play = 0
        for knight in range(NUM_KNIGHTS):
            in_play += s.knight_space[knight] != NONE
    elif COPIED_KINDS >> kind & 1:
        in_play = 0
        for space in range(NUM_SPACES):
            in_play += s.bottom[space] == kind
    else:
        in_play = 1 if s.where[as_index(kind)] != NONE else 0
    return in_play + np.int64(s.removed[as_index(kind)]) < _COPIES[as_index(kind)]


@kernel
def end_by_hands(s, end):
    """End the game; those with the fewest hand cards have won."""
    fewest = np.int64(s.hand_size[0])
    for player in range(1, np.int64(s.players)):
        fewest = min(fewest, np.int64(s.hand_size[as_index(player)]))
    winners = 0
    for player in range(np.int64(s.players)):
        if s.hand_size[as_index(player)] == fewest:
            winners |= 1 << player
    _end(s, end, winners)


@kernel
def _end(s, end, winners):
    s.end = end
    s.winners = winners
    s.phase = OVER
    s.decider = s.turn
    s.options.fill(0)
    s.num_options = 0


def find_result(winners: int, players: int, player: int) -> float:
    """Return the result of `player` where of so many `players` the `winners` have won, a set as bits (rule K9).

    It is 0 where nobody or everybody has won.
    """
    count = count_word(winners)
    if count in (0, players):
        return 0.0
    return 1.0 / count if (winners >> player) & 1 else -1.0 / (players - count)


find_result_in_kernel: Any = kernel(find_result)  # the same for kernels


@kernel
def find_return(s, player):
    """Return what a game that is over is worth to `player` (rule K9)."""
    return find_result_in_kernel(np.int64(s.winners), np.int64(s.players), player)
