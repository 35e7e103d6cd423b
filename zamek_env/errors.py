"""The errors of this package, all `ValueError`s, and notes on other errors that say where they came about."""

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from zamek_env.components.json_entry import ComponentError


class IllegalActionError(ValueError):
    """An action that the rules do not allow now; the message says why. The game is as it was."""


class AnswerError(IllegalActionError, TypeError):
    """An agent's answer that is no legal action, or no evaluation of the legal ones; the message names the agent."""


class RecordError(ValueError):
    """A game record that is malformed or that breaks the rules; the message names turn and field."""


class EndlessGameError(ValueError):
    """A game that never ends, such as one of Castle in which each player undoes what the other did."""


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


__all__ = [
    "AnswerError", "ComponentError", "ConsistencyError", "EndlessGameError", "IllegalActionError", "RecordError",
    "noted", "require",
]  # fmt: skip
