"""What a checker of records complains of, and how it reads what is recorded."""

from typing import Any

from tests.support.castle.board import GRID, SLOTS, Space


class ComplaintError(Exception):
    """What is wrong with a record."""


def require(condition: bool, complaint: str) -> None:
    """Complain unless the condition holds."""
    if not condition:
        raise ComplaintError(complaint)


def read_space(given: Any) -> Space:
    """Return a recorded space as the board names it."""
    space = tuple(given) if isinstance(given, list) else given
    is_outside = isinstance(space, tuple) and len(space) == 2 and space[0] == "outside" and is_number(space[1])
    is_named = isinstance(space, tuple) and all(is_number(part) or isinstance(part, str) for part in space)
    require(is_outside or (is_named and (space in GRID or space in SLOTS)), f"{given!r} is no space")
    return space


def is_number(value: Any) -> bool:
    """Whether a value is a whole number from 0 on, and no boolean."""
    return type(value) is int and value >= 0


def as_text(value: Any) -> str:
    """A value written so that 1, 1.0 and True differ."""
    return repr(sorted(value.items(), key=str)) if isinstance(value, dict) else repr(value)
