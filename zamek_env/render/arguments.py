"""Checks of the arguments from which pictures are drawn."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from zamek_env.common.messages import show
from zamek_env.components.model import Components
from zamek_env.render.overlay import Choice, Overlay, is_location
from zamek_env.render.tooltips import Hint


def check_table(components: Any, position: Any) -> None:
    """Raise `TypeError`, naming the argument, where one cannot be drawn."""
    if not isinstance(components, Components):
        raise TypeError(f"components must be Components, such as game.ruleset.components, not {show(components)}")
    if not hasattr(position, "board"):  # that of a game, say
        raise TypeError(f"position must be a Position, such as game.position(), not {show(position)}")


def check_overlay(overlay: Any) -> None:
    """Raise `TypeError`, naming the mistake, unless it is an `Overlay` of choices or None."""
    if not isinstance(overlay, Overlay | None):
        raise TypeError(f"overlay must be an Overlay or None, not {show(overlay)}")
    if overlay is None:
        return
    if not isinstance(overlay.choices, Sequence):
        raise TypeError(f"choices of an overlay must be a row of Choice, not {show(overlay.choices)}")
    for choice in overlay.choices:
        if not isinstance(choice, Choice):
            raise TypeError(f"choices of an overlay must be of Choice, not {show(choice)}")
    if overlay.last is not None and not (is_location(overlay.last) and len(overlay.last) == 2):
        raise TypeError(f"last of an overlay must be (row, column) or None, not {show(overlay.last)}")
    if not isinstance(overlay.revealed, Mapping):
        raise TypeError(f"revealed of an overlay must be {{field: kind}}, not {show(overlay.revealed)}")


def read_hints(hints: Any) -> tuple[Hint, ...]:
    """Return the hints. Raises `TypeError` for other types."""
    if not isinstance(hints, Iterable):
        raise TypeError(f"hints must be some of Hint, as find_hints makes them, not {show(hints)}")
    given = tuple(hints)
    for hint in given:
        if not isinstance(hint, Hint):
            raise TypeError(f"hints must be of Hint, as find_hints makes them, not {show(hint)}")
    return given
