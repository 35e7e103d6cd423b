"""The errors of this package; all are `ValueError`s."""

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from zamek_env.components.json_entry import ComponentError


class IllegalActionError(ValueError):
    """An action that the rules do not allow now; the message says why. The game is as it was."""


class RecordError(ValueError):
    """A game record that is malformed or that breaks the rules; the message names turn and field."""


class EndlessGameError(ValueError):
    """A game that goes on and on, such as one of Castle in which each player undoes what the other did."""


class ConsistencyError(ValueError):
    """A state record that contradicts itself: a bug in the engine; the message names the field."""


def require(condition: bool | np.bool_, field: str, got: object, problem: str) -> None:
    """Raise a `ConsistencyError` about `field` of a state record unless `condition` holds."""
    if not condition:
        raise ConsistencyError(f"{field} is {got}, but {problem}")


@contextmanager
def noted(where: str) -> Iterator[None]:
    """Note on whatever is raised in the block, by an agent that somebody else wrote, `where` that was."""
    try:
        yield
    except Exception as error:
        error.add_note(where)
        raise


@contextmanager
def kept_going() -> Iterator[None]:
    """Raise a `RuntimeError` where an agent that somebody else wrote ends the program in the block.

    The program would otherwise end without a word, and perhaps with exit code 0.
    """
    try:
        yield
    except SystemExit as error:
        raise RuntimeError(f"an agent must decide, not end the program by {error!r}") from error


__all__ = [
    "ComponentError", "ConsistencyError", "EndlessGameError", "IllegalActionError", "RecordError", "kept_going",
    "noted", "require",
]  # fmt: skip
