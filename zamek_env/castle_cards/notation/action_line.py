"""Options of a decision and spaces: as tuples, as short lines that a person can read and type, and as actions.

A space is `(row, column)` of the castle, row 0 north, `("siege", side)`, or `("outside", n)`, n counted from 0 in the
order of placement and never used again. Places (see `core/log.py`) name spaces permanently, numbers of spaces only in
the present position. So an option on a place outside means an action only in its game.

OPTION NOTATION
    option                              text                what is chosen
    ("draw",)                           draw                to draw a card
    ("give", "Fool")                    give Fool           to exchange that hand card
    ("play", "Archer")                  play Archer         to play that hand card
    ("card", "Dragon")                  card Dragon         a card, for what the decision asks
    ("space", (0, 3))                   at 0,3              a space of the grid: row, column
    ("space", ("siege", "N"))           at siege N          the slot before that rampart
    ("space", ("outside", 4))           at outside 4        the place outside of that number
    ("level", 1)                        level 1             a card of a pile, 0 at the bottom
    ("player", 2)                       player 2            a player
    ("pawn", 0), ("pawn", None)         pawn 0, pawn none   a pawn of that player, or no pawn
    ("decline",)                        decline             not to do what is optional

Texts and options correspond one to one, whether an option is legal or not.
"""

import re
from typing import Any

import numpy as np

from zamek_env.castle_cards.components.box import FIRST_OUTSIDE, FIRST_SLOT, KNIGHT, MAX_PLAYERS, NUM_LEVELS, NUM_SPACES
from zamek_env.castle_cards.components.cards import KIND_OF, NAMES
from zamek_env.castle_cards.core.state import NONE
from zamek_env.castle_cards.layout import actions
from zamek_env.castle_cards.layout.board import SIDES, WIDTH
from zamek_env.common.messages import show, show_beyond

Space = tuple[int, int] | tuple[str, int] | tuple[str, str]
Option = tuple[Any, ...]  # ("draw",), ("give", card) …

NOBODY = "none"
_BASES = {  # by word: the first action, the last group first
    "pawn": actions.PAWN_BASE, "player": actions.PLAYER_BASE, "level": actions.LEVEL_BASE, "space": actions.SPACE_BASE,
    "card": actions.CARD_BASE, "play": actions.PLAY_BASE, "give": actions.GIVE_BASE, "decline": actions.DECLINE,
    "draw": actions.DRAW,
}  # fmt: skip
_CARD_WORDS = ("give", "play", "card")
_LIMITS = {"level": NUM_LEVELS, "player": MAX_PLAYERS, "pawn": MAX_PLAYERS}
_NUMBER = re.compile("0|[1-9][0-9]{0,3}")
_GRID = re.compile("([0-9]),([0-9])")


def name_place(place: int) -> Space:
    """Return the space of a place in the log."""
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
    """Return the option that `action` is in the game `state`. Raises `ValueError` where it is no action."""
    if not 0 <= action < actions.NUM_ACTIONS:
        raise ValueError(show_beyond(action, actions.NUM_ACTIONS))
    word, base = next(entry for entry in _BASES.items() if action >= entry[1])
    number = action - base
    if word in ("draw", "decline"):
        return (word,)
    if word == "space":
        return word, name_space(state, number)
    if word in _CARD_WORDS:
        return word, NAMES[number]
    return word, None if word == "pawn" and number == actions.NO_PAWN else number


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


# --- as text ---


def format_space(space: Space) -> str:
    """Return a space as text, such as `0,3`, `siege N` or `outside 4`."""
    first, second = space
    return f"{first} {second}" if isinstance(first, str) else f"{first},{second}"


def parse_space(text: str) -> Space:
    """Return the space that `format_space` writes as `text`. Raises `ValueError` where it is none."""
    zone, _, where = text.partition(" ")
    if zone == "siege" and where in (*SIDES,):
        return (zone, where)
    if zone == "outside" and _NUMBER.fullmatch(where):
        return (zone, int(where))
    if (found := _GRID.fullmatch(text)) and max(map(int, found.groups())) < WIDTH:
        return (int(found[1]), int(found[2]))
    raise ValueError(f"a space must be like 0,3 or siege N or outside 4, not {show(text)}")


def format_option(option: Option) -> str:
    """Return an option as one short line of text."""
    word, *rest = option
    if not rest:
        return word
    if word == "space":
        return f"at {format_space(rest[0])}"
    return f"{word} {NOBODY if rest[0] is None else rest[0]}"


def parse_option(text: str) -> Option:
    """Return the option that `format_option` writes as `text`.

    Raises `ValueError` where it is none, `TypeError` where it is no text.
    """
    if not isinstance(text, str):
        raise TypeError(f"text must be a str, not {show(text)}")
    word, _, rest = text.partition(" ")
    if text in ("draw", "decline"):
        return (text,)
    if word in _CARD_WORDS and rest in NAMES:
        return (word, rest)
    if word == "at":
        return ("space", parse_space(rest))
    if word == "pawn" and rest == NOBODY:
        return ("pawn", None)
    if word in _LIMITS and _NUMBER.fullmatch(rest) and int(rest) < _LIMITS[word]:
        return (word, int(rest))
    raise ValueError(
        f"an option must be like draw, decline, give Fool, play Archer, card Dragon, at 0,3, level 1, player 2 or "
        f"pawn none, not {show(text)}"
    )


# --- as actions ---


def find_space(state: np.record, space: Space) -> int | None:
    """Return the number of a space, None of a place outside that is neither taken nor the next one."""
    first, second = space
    if not isinstance(first, str):
        return first * WIDTH + int(second)
    if first == "siege":
        return FIRST_SLOT + SIDES.index(str(second))
    numbers = [*state.outside_number[: state.outside_count].tolist(), int(state.next_number)]
    return FIRST_OUTSIDE + numbers.index(second) if second in numbers else None


def find_action(state: np.record, option: Option) -> int | None:
    """Return the action of `option` in a game, None where it names a missing place outside."""
    word, *rest = option
    if not rest:
        return _BASES[word]
    if word == "space":
        space = find_space(state, rest[0])
        return None if space is None else actions.SPACE_BASE + space
    if word in _CARD_WORDS:
        return _BASES[word] + KIND_OF[rest[0]]
    return _BASES[word] + (actions.NO_PAWN if rest[0] is None else int(rest[0]))


def list_legal(state: np.record) -> list[Option]:
    """Return the options of the legal actions, in ascending order of their numbers."""
    return [name_option(state, action) for action in list_actions(state)]


def list_actions(state: np.record) -> list[int]:
    """Return the legal actions in ascending order."""
    return [
        base + bit
        for base, size, word in zip(actions.GROUP_BASES, actions.GROUP_SIZES, state.options.tolist(), strict=True)
        for bit in range(size)
        if word >> bit & 1
    ]
