"""What the network of `ppo` is shown of a decision: numbers from 0 to about 1, all known to who decides.

FEATURE DESCRIPTION
    one      always 1
    turn …   whose turn it is, and how far it has come
    hand_0   cards left, by player: 0 decides, 1 is the other; likewise `deck_0`, `near_0` …
    near_0   cards of his on the board that could be taken back, by where they lie: in the castle and slots, or outside
    few_0_n  whether he has at most n cards left
    towers … spaces that are free
    hand, exchange, known: cards by name, as shares of those that there are; `known` are known to be in the other's hand
"""

import numpy as np

from zamek_agents.castle_cards.survey import LEADING, OWN, count_left
from zamek_env.castle_cards.components.cards import NAMES
from zamek_env.castle_cards.components.kinds import COPIES, NUM_KINDS
from zamek_env.castle_cards.components.sizes import DECK_SIZES, HAND_SIZES
from zamek_env.castle_cards.layout.board import COURT, SLOTS, TOWERS
from zamek_env.core.bits import count_word
from zamek_env.core.jit import kernel

PLAYERS = 2
FEW = (1, 2, 4)
FEATURES = (
    "one", "turn", "actions_left", "is_first", "towers", "court", "slots",
    *(f"{what}_{player}" for player in range(PLAYERS) for what in ("hand", "deck", "near", "far")),
    *(f"few_{player}_{count}" for player in range(PLAYERS) for count in FEW),
    *(f"{where} {name}" for name in NAMES for where in ("hand", "exchange", "known")),
)  # fmt: skip
NUM_FEATURES = len(FEATURES)
_FIRST_OF_PLAYER, _FIRST_FEW, _FIRST_CARD = 7, 15, 21
_HAND, _DECK = float(HAND_SIZES[PLAYERS]), float(DECK_SIZES[PLAYERS])
_BOARD = 10.0  # cards on the board that are shown as 1
_COPIES = np.array(COPIES, np.float64)
_FEW = np.array(FEW, np.int64)


@kernel
def write_features(s, seen, out):
    """Write into `out`, `(NUM_FEATURES,)`, what is to be decided in `s`; `seen` is what who decides finds there."""
    player, free = np.int64(s.decider), ~np.int64(s.occupied)
    out[0] = 1.0
    out[1] = 1.0 if s.turn == player else 0.0
    out[2] = s.actions_left / 2.0
    out[3] = np.float64(s.is_first)
    out[4] = count_word(TOWERS & free) / 4.0
    out[5] = count_word(COURT & free) / 16.0
    out[6] = count_word(SLOTS & free) / 4.0
    _write_players(s, seen, player, out)
    at = _FIRST_CARD
    for kind in range(NUM_KINDS):
        out[at] = s.hand[player, kind] / _COPIES[kind]
        out[at + 1] = s.exchange[kind] / _COPIES[kind]
        out[at + 2] = s.known[player, 1 - player, kind] / _COPIES[kind]
        at += 3


@kernel
def _write_players(s, seen, player, out):
    for number in range(PLAYERS):
        who, owner = (player, OWN) if number == 0 else (1 - player, LEADING)
        at = _FIRST_OF_PLAYER + 4 * number
        out[at] = s.hand_size[who] / _HAND
        out[at + 1] = s.deck_size[who] / _DECK
        out[at + 2] = count_word(np.int64(seen.near[owner])) / _BOARD
        out[at + 3] = count_word(np.int64(seen.far[owner])) / _BOARD
        for row in range(_FEW.size):
            is_few = count_left(s, who) <= _FEW[row]
            out[_FIRST_FEW + _FEW.size * number + row] = 1.0 if is_few else 0.0
