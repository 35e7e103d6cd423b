"""Names of options and spaces: tuples as in records, `("play", "Archer")`, `("space", (0, 0))` …

A space is `(row, column)` of the castle, row 0 north, `("siege", side)`, or `("outside", n)`, n counted from 0 in the
order of placement and never used again. Places (see `core/log.py`) name spaces for good, numbers of spaces only for
now.
"""

from typing import Any

from zamek_env.castle_cards.components.cards import NAMES
from zamek_env.castle_cards.components.kinds import KNIGHT
from zamek_env.castle_cards.components.sizes import FIRST_OUTSIDE, FIRST_SLOT, NUM_SPACES
from zamek_env.castle_cards.core.state import NONE
from zamek_env.castle_cards.layout.actions import (
    CARD_BASE,
    DECLINE,
    DRAW,
    GIVE_BASE,
    LEVEL_BASE,
    NO_PAWN,
    NUM_ACTIONS,
    PAWN_BASE,
    PLAY_BASE,
    PLAYER_BASE,
    SPACE_BASE,
)
from zamek_env.castle_cards.layout.board import SIDES, WIDTH
from zamek_env.common.messages import show_beyond

Space = tuple[int, int] | tuple[str, int] | tuple[str, str]
Option = tuple[Any, ...]  # ("draw",), ("give", card) …

_CARD_BASES = ((CARD_BASE, "card"), (PLAY_BASE, "play"), (GIVE_BASE, "give"))


def name_place(place: int) -> Space:
    """Return the space that a place of the log stands for."""
    if place < FIRST_SLOT:
        row, column = divmod(place, WIDTH)
        return row, column
    if place < FIRST_OUTSIDE:
        return "siege", SIDES[place - FIRST_SLOT]
    return "outside", place - FIRST_OUTSIDE


def name_space(state: Any, space: int) -> Space:
    """Return the space of that number in the game `state`; the number after the last is a new place outside."""
    if space < FIRST_OUTSIDE:
        return name_place(space)
    rank = space - FIRST_OUTSIDE
    is_new = rank >= int(state.outside_count)
    return "outside", int(state.next_number if is_new else state.outside_number[rank])


def name_option(state: Any, action: int) -> Option:
    """Return the option that `action` is in the game `state`. Raises `ValueError` where that is no number of one."""
    if not 0 <= action < NUM_ACTIONS:
        raise ValueError(show_beyond(action, NUM_ACTIONS))
    if action in (DRAW, DECLINE):
        return ("draw",) if action == DRAW else ("decline",)
    if action >= PAWN_BASE:
        return "pawn", None if action - PAWN_BASE == NO_PAWN else action - PAWN_BASE
    if action >= LEVEL_BASE:
        return ("player", action - PLAYER_BASE) if action >= PLAYER_BASE else ("level", action - LEVEL_BASE)
    if action >= SPACE_BASE:
        return "space", name_space(state, action - SPACE_BASE)
    base, verb = next(entry for entry in _CARD_BASES if action >= entry[0])
    return verb, NAMES[action - base]


def list_piles(state: Any) -> dict[Space, list[tuple[str, int | None]]]:
    """Return {space: cards from the bottom up, each with the player whose pawn lies on it} of the game `state`."""
    spaces = [space for space in range(NUM_SPACES) if state.height[space]]
    piles = {space: [(NAMES[state.bottom[space]], find_owner(state.bottom_pawn[space]))] for space in spaces}
    for _, space, pawn in sorted(zip(state.knight_level, state.knight_space, state.knight_pawn, strict=True)):
        if space != NONE:
            piles[space].append((NAMES[KNIGHT], find_owner(pawn)))
    return {name_space(state, space): pile for space, pile in piles.items()}


def find_owner(pawn: int) -> int | None:
    """Return the player of a pawn as states and logs have it, None where there is none."""
    return None if pawn == NONE else int(pawn)
