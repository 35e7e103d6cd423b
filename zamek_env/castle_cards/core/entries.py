"""Where each group of an observation begins, for the kernels that write it: taken from its layout."""

from typing import Any

import numpy as np
import numpy.typing as npt

from zamek_env.castle_cards.components.cards import NAMES
from zamek_env.castle_cards.components.kinds import COPIES, NUM_KINDS, SOLDIER
from zamek_env.castle_cards.components.sizes import MAX_PICKED, MAX_PLAYERS, MIN_PLAYERS, NUM_GRID, NUM_SLOTS
from zamek_env.castle_cards.core.state import NONE
from zamek_env.castle_cards.layout.board import SIDES, WIDTH
from zamek_env.castle_cards.layout.observation import MAX_ARRANGED, PILE_COLUMNS, SINGLE_KINDS, find_layout
from zamek_env.core.tables import record_dtype

_GROUPS = (
    "hand", "phase", "decider", "turn", "actions_left", "is_first", "quiet", "has_played", "effect", "part",
    "is_counseled", "hand_size", "deck_size", "pawns", "exchange", "removed", "unseen", "card", "other", "stolen",
    "passed", "progress", "swapped", "arranging", "spying",
)  # fmt: skip
_DTYPE = record_dtype(
    [
        *((name, np.int64) for name in _GROUPS),
        ("known", np.int64, MAX_PLAYERS),  # by the player who holds the cards, counted from the observer on
        ("shown", np.int64, MAX_PLAYERS),  # by the player who knows them
        ("arranged", np.int64, MAX_ARRANGED),
        ("spied", np.int64, MAX_PICKED),
        ("space", np.int64, NUM_GRID),  # the kinds at the bottom, one-hot; then the columns of the pile
        ("siege", np.int64, NUM_SLOTS),  # the columns of the pile
        ("outside", np.int64, NUM_KINDS),  # the rank, then the columns of the pile; NONE for kinds with several cards
        ("soldier", np.int64, COPIES[SOLDIER]),  # the same, in the order of age
    ]
)
HEIGHT, LAST, CHOSEN = range(len(PILE_COLUMNS))
FIRST_PAWN = len(PILE_COLUMNS)


def _find_entries(players: int) -> npt.NDArray[np.record]:
    """Return the first entry of each group in games of so many players, shape `(1,)`; NONE where there is no group."""
    layout = find_layout(players)
    found: Any = np.full(_DTYPE.itemsize // 8, NONE, np.int64).view(_DTYPE)  # all fields are int64
    for name in _GROUPS:
        found[name] = layout[name].start
    for name in ("known", "shown"):
        found[name][0, 1:players] = [layout[f"{name}_{other}"].start for other in range(1, players)]
    for name, count in (("arranged", MAX_ARRANGED), ("spied", MAX_PICKED)):
        found[name] = [layout[f"{name}_{number}"].start for number in range(count)]
    found["space"] = [layout["space_{}_{}".format(*divmod(space, WIDTH))].start for space in range(NUM_GRID)]
    found["siege"] = [layout[f"siege_{side}"].start for side in SIDES]
    for kind in SINGLE_KINDS:
        found["outside"][0, kind] = layout[f"outside_{NAMES[kind].replace(' ', '_')}"].start
    found["soldier"] = [layout[f"outside_{NAMES[SOLDIER]}_{number}"].start for number in range(COPIES[SOLDIER])]
    return found


ENTRIES = np.zeros(MAX_PLAYERS + 1, _DTYPE)  # by the number of players
for _players in range(MIN_PLAYERS, MAX_PLAYERS + 1):
    ENTRIES[_players] = _find_entries(_players)[0]
