"""Options of a decision as short lines of text that a person can read and type, and back again.

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

Texts and options correspond one to one. Whether an option is legal is not asked here.
"""

import re

from zamek_env.castle_cards.components.cards import NAMES
from zamek_env.castle_cards.components.sizes import MAX_PLAYERS, NUM_LEVELS
from zamek_env.castle_cards.layout.board import SIDES, WIDTH
from zamek_env.castle_cards.notation.option_names import Option, Space
from zamek_env.common.messages import show

_PLAIN = ("draw", "decline")
_OF_CARDS = ("give", "play", "card")
_LIMITS = {"level": NUM_LEVELS, "player": MAX_PLAYERS, "pawn": MAX_PLAYERS}
_NUMBER = re.compile("0|[1-9][0-9]{0,3}")
_GRID = re.compile("([0-9]),([0-9])")
NOBODY = "none"


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
    if text in _PLAIN:
        return (text,)
    if word in _OF_CARDS and rest in NAMES:
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
