"""A game as a terminal shows it: no higher than the window, and in colours.

What lies beside the board stands at its side where there is room.
"""

import os
import re
import shutil
import sys
from collections.abc import Sequence
from itertools import zip_longest
from typing import NamedTuple

WINDOW = (80, 45)  # columns and rows, where nobody knows those of the terminal
GAP = 3  # columns between the board and what lies beside it
_TOKEN = re.compile(r"[A-Z]+\d*[↑→↓←]\*?|[hmpcfk]|(?<=[^\d,])[01](?=[^\d,])|[═║╔╗╚╝╠╣╦╩╬╞╡╥╨◎]+|█+|·")
_COLOURS = {  # ANSI: foreground of the ground that a letter stands for
    "h": "31", "p": "35", "m": "32", "f": "32", "c": "33", "k": "36", "0": "1;94", "1": "1;93", "═": "37", "█": "90",
    "·": "90",
}  # fmt: skip


class Picture(NamedTuple):
    """Lines of text."""

    board: Sequence[str]
    beside: Sequence[str]  # what lies below the board
    aside: Sequence[str] = ()  # the same, in fewer columns, for where there is room at its side
    legend: Sequence[str] = ()
    middle: int = 0  # the line of the board that matters most


def draw_screen(picture: Picture, reserved: int = 0, is_whole: bool = False) -> str:
    """Return a picture as text for the terminal, which leaves `reserved` rows of it free.

    Unless it is to be `is_whole`, it leaves out what does not fit.
    """
    columns, rows = shutil.get_terminal_size(WINDOW)
    board, width = list(picture.board), max(map(len, picture.board), default=0)
    is_aside = bool(picture.aside) and width + GAP + max(map(len, picture.aside)) <= columns
    beside = list(picture.aside if is_aside else picture.beside)
    room = rows - reserved - (0 if is_aside else len(beside))
    if not is_whole and len(board) > room:
        board = _cut(board, max(room, 1), picture.middle)
    painted = [line[:4] + _TOKEN.sub(_colour, line[4:]) for line in board] if has_colours() else board
    if not is_aside:
        return "\n".join([*painted, *beside])
    pads = [" " * (width + GAP - len(line)) for line in board]
    left = [line + pad for line, pad in zip(painted, pads, strict=True)]
    return "\n".join((one + other).rstrip() for one, other in zip_longest(left, beside, fillvalue=""))


def has_colours() -> bool:
    """Return whether the standard output is a terminal that shows colours, and these are wanted."""
    return sys.stdout.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"


def _cut(board, room, middle):
    """Return so many lines of a board round its `middle`, below its first with the columns' numbers, and say so."""
    if not board:
        return []
    kept = max(room - 2, 1)  # besides the first line and the one that says so
    first = min(max(middle - kept // 2, 1), len(board) - kept)
    return [board[0], *board[first : first + kept], "      … the rest of the board: `board`"]


def _colour(match):
    """Return the sign of a ground or a piece in its colour."""
    text = match[0]
    kind = "═" if text[0] in "═║╔╗╚╝╠╣╦╩╬╞╡╥╨◎" else text[0]
    return f"\x1b[{_COLOURS[kind]}m{text}\x1b[0m" if kind in _COLOURS else text
