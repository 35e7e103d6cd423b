"""Names of agents as tables and pictures show them, which have little room."""

from typing import Any

IN_TABLES = 60  # characters of a name


def shorten_name(name: str, length: int = IN_TABLES) -> str:
    """Return a name in at most `length` characters: of a longer one the beginning and more of the end.

    The beginning says what kind of agent it is, and the end tells two paths apart.
    """
    if len(name) <= length:
        return name
    end = 2 * length // 3
    return f"{name[: length - end - 1]}…{name[-end:]}"


def label_line(name: str, length: int = IN_TABLES) -> str:
    """Return a shortened name that a legend of matplotlib shows: legends leave out names that begin with `_`."""
    shown = shorten_name(name, length)
    return f" {shown}" if shown.startswith("_") else shown


def add_legend(axes: Any, **options: Any) -> None:
    """Add a legend to `axes` that shows what `label_line` returned as it is: a dollar sign begins no formula."""
    for text in axes.legend(frameon=False, **options).get_texts():
        text.set_parse_math(False)
