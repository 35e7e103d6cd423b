"""The table of positions of *-minimax: what is known of the value of each, under a hash of all that is public."""

import numpy as np

from zamek_env.core.jit import kernel
from zamek_env.core.tables import find_kind, record_dtype

_KEYS, _FACTOR = 2**43 - 57, 1_000_003  # a prime; a key times the factor is a whole number of 63 bits
EXACT, AT_LEAST, AT_MOST = 1, 2, 3  # what an entry says of a value; 0: it is empty
ENTRY = record_dtype([("key", np.int64), ("value", np.float64), ("kind", np.int64)])


@kernel
def is_enough(entry, alpha, beta):
    """Return whether an entry says enough of a value for the window `alpha` … `beta`."""
    if entry.kind == AT_LEAST:
        return entry.value >= beta
    return entry.kind == EXACT or (entry.kind == AT_MOST and entry.value <= alpha)


@kernel
def mix(key, value):
    return (int(key) * _FACTOR + int(value) + 1) % _KEYS


@kernel
def find_key(t, s, laid):
    """Return a number that stands for all that is public at the beginning of a turn and may differ within one search.

    `laid` says which tiles were laid, and which left the game because they fit nowhere.
    """
    key = mix(int(laid), int(s.player))
    key = mix(mix(key, int(s.drawn)), int(find_kind(t, s.deck[s.drawn - 1])))
    for player in range(s.score.size):
        key = mix(key, int(s.score[player]))
        for piece in range(s.follower_area.shape[1]):
            key = mix(key, int(s.follower_area[player, piece]))
        for kind in range(s.tokens.shape[1]):
            key = mix(mix(key, int(s.tokens[player, kind])), int(s.fresh_tokens[player, kind]))
        if s.family_house.size > 0:
            key = mix(key, int(s.family_house[player]))
        if s.nests.size > 0:
            key = mix(key, int(s.nests[player]))
        if s.at_gate.size > 0:
            key = mix(key, int(s.at_gate[player]))
    for area in range(s.area_nests.size):
        key = mix(key, int(s.area_nests[area]))
    for number in range(s.token_deal.size):  # what was seen and what was not, by where it lay
        seen = number < s.tower_taken.size and s.tower_taken[number]
        key = mix(key, 1 + int(s.token_deal[number]) if seen else 0)
    return key
