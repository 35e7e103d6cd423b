"""One game as one record: everything that changes during a game, in one block of memory.

STATE DESCRIPTION
    Kinds of cards are numbered in `components/box.py`, spaces in `layout/board.py`, options in `layout/actions.py`.
    NONE stands for nothing.
    A pile is a card and perhaps Knights on it: only Knights lie on cards. `bottom` and `bottom_pawn` describe the card
    at the bottom, and four entries describe the Knights.
    Records have one dtype for all numbers of players. Players who do not take part have nothing. A card that is chosen
    stays where it is until its step is complete: the card to be played or given stays in the hand, the card that the
    Courtesan drew stays in the hand that it was drawn from. Assigning a record copies the game, `np.save` is the
    checkpoint. Equal games may differ in bytes, but not in what `find_essence` returns.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from zamek_env.base.records import copy_records, record_dtype
from zamek_env.castle_cards.components import box
from zamek_env.castle_cards.layout import actions

NONE = -1
NOT_ENDED, EMPTY_HANDED, STALLED, QUIET = range(4)  # in `end`, K9
END_NAMES = (None, "empty", "stalled", "quiet")

_WITHIN_EFFECTS = {*range(actions.OVER)} - {actions.ACTION, actions.TAKE, actions.PLACE}
_SCRATCH = {  # what effects leave behind: the phases in which it means something
    **dict.fromkeys(("part", "is_carried", "progress", "picked"), _WITHIN_EFFECTS),
    "before": set(),
    "source": {actions.MOVE_TO, actions.LEVEL},
    "other": {actions.STEAL_GIVE, actions.AWARD},
    "pawns_left": {actions.PAWN},
    "arranging": {actions.ARRANGE},
}
_OF_ACTION = ("is_first", "has_played", "is_counseled", "card")  # all players see them (K10)
_KNIGHTS = ("knight_space", "knight_level", "knight_pawn")

STATE = record_dtype(
    [
        ("generator", np.uint64, 1),  # of which chance draws; hidden (K11)
        # sets of spaces and kinds, as bits
        ("occupied", np.int64),  # spaces of the castle and slots with a pile
        ("knighted", np.int64),  # of these, those with a Knight on it
        ("knighted_outside", np.int64),  # ranks of piles outside with a Knight on it
        ("hand_kinds", np.int64, box.MAX_PLAYERS),  # kinds in a hand
        ("exchange_kinds", np.int64),  # kinds in the exchange
        ("options", np.int64, actions.NUM_GROUPS),  # legal options
        ("arranging", np.int64),  # Minstrel: spaces that take part
        ("arranging_kinds", np.int64),  # Minstrel: cards that have no place yet
        # outside
        ("outside_number", np.int32, box.NUM_OUTSIDE),  # by rank: the number that names the place in records, ascending
        ("next_number", np.int32),  # of the next place outside
        ("turns", np.int32),  # begun so far
        ("legal", np.int16),  # how many actions were legal when the one in progress was chosen, as records count them
        ("num_options", np.int16),
        # from here on single bytes. The board
        ("bottom", np.int8, box.NUM_SPACES),  # kind of the card at the bottom
        ("bottom_pawn", np.int8, box.NUM_SPACES),  # the player whose pawn lies on it
        ("height", np.uint8, box.NUM_SPACES),  # cards there
        ("knight_space", np.int8, box.NUM_KNIGHTS),  # where each Knight in play lies
        ("knight_level", np.uint8, box.NUM_KNIGHTS),  # 1 on a card, 2 on a Knight …
        ("knight_pawn", np.int8, box.NUM_KNIGHTS),
        ("where", np.int8, box.NUM_KINDS),  # the space of a card of which there is only one
        ("outside_count", np.uint8),  # piles outside, without siege engines
        # of the card played last; it stays there until the next one is played, since no effect meets its own card
        ("last_space", np.int8),
        ("last_height", np.uint8),  # cards there right after it was played: where there are more, it is covered
        # cards
        ("hand", np.uint8, (box.MAX_PLAYERS, box.NUM_KINDS)),  # hidden from others
        ("hand_size", np.uint8, box.MAX_PLAYERS),
        ("deck", np.uint8, (box.MAX_PLAYERS, box.MAX_DECK)),  # kinds, the top card last; hidden from all
        ("deck_size", np.uint8, box.MAX_PLAYERS),
        ("exchange", np.uint8, box.NUM_KINDS),
        ("exchange_size", np.uint8),
        ("removed", np.uint8, box.NUM_KINDS),  # out of the game: those left out (K3) and the Assassin's
        ("pawns", np.uint8, box.MAX_PLAYERS),  # in supply
        # observer, holder, kind: how many such cards the observer knows to be in the holder's hand (K10); hidden. For
        # the own hand: how many all have seen come there
        ("known", np.uint8, (box.MAX_PLAYERS, box.MAX_PLAYERS, box.NUM_KINDS)),
        # the turn
        ("players", np.uint8),
        ("turn", np.uint8),  # whose turn it is; at the end, whose turn was the last
        ("decider", np.uint8),  # who decides
        ("phase", np.uint8),  # one of `layout/actions.py`
        ("actions_left", np.uint8),  # of the turn, the one in progress included
        ("is_first", np.uint8),  # the action in progress, or the next one, is the first of the turn
        ("has_played", np.uint8),  # a hand card was played in this turn
        ("quiet", np.uint8),  # turns in a row without a card played
        ("end", np.uint8),  # how the game ended
        ("winners", np.uint8),  # set of players, as bits
        # the action in progress
        ("card", np.int8),  # kind that is given or played
        ("is_counseled", np.uint8),  # it is played from the exchange
        ("effect", np.int8),  # kind of the card whose effect is carried out
        ("part", np.uint8),  # of the effect; Alchemist: how many cards are swapped
        ("is_carried", np.uint8),  # a part of it was carried out or declined
        ("before", np.int8),  # Enchanter: space of the card played before him
        ("source", np.int8),  # space chosen by the last decision
        ("other", np.int8),  # player chosen
        ("stolen", np.int8),  # Courtesan: kind drawn from that player's hand, where it still is; hidden from others
        ("progress", np.uint8),  # decisions made in this part
        ("picked", np.int8, box.MAX_PICKED),  # what they were; those of the Fool by player, hidden from others
        ("pawns_left", np.uint8, box.MAX_PLAYERS + 1),  # Spy: pawns that have no card yet, by player; then empty places
        ("forced", np.int8, box.MAX_PLAYERS),  # what chance draws next from a player's hand; NONE: open
    ]
)


def new_states(count: int) -> npt.NDArray[np.record]:
    """Return `count` empty games, shape `(count,)`: nothing lies anywhere, nobody has anything."""
    states: npt.NDArray[Any] = np.zeros(count, STATE)
    for field in ("bottom", "bottom_pawn", "knight_space", "knight_pawn", "where", "last_space", "picked", "forced"):
        states[field] = NONE
    for field in ("card", "effect", "before", "source", "other", "stolen"):
        states[field] = NONE
    return states


BLANK = new_states(1)  # from which games begin


def find_essence(states: npt.NDArray[np.record]) -> bytes:
    """Return all that the rest of the game `states`, shape `(1,)`, depends on, and nothing else.

    It leaves out what finished effects have left behind, and which of the Knights lies where: they are alike.
    """
    twin, blank = copy_records(states), new_states(1)
    state = twin[0]
    for field, phases in _SCRATCH.items():
        if int(state.phase) not in phases:
            state[field] = blank[0][field]
    order = np.lexsort((state.knight_level, state.knight_space))
    for field in _KNIGHTS:
        state[field] = state[field][order]
    return twin.tobytes()


def find_announced(state: np.record) -> bytes:
    """Return what all players see of the action in progress and a position leaves out (K10).

    That is the card that is being given or played, what was chosen for its effect, and whether the action is the first
    of the turn. Cards that were chosen or drawn unseen are left out.
    """
    phase = int(state.phase)
    if phase == actions.OVER:
        return b""
    hidden = {"picked"} if phase == actions.PASS_ON else set()
    chosen = [field for field, phases in _SCRATCH.items() if phase in phases and field not in hidden]
    return b"".join(state[field].tobytes() for field in (*_OF_ACTION, *chosen))
