"""The errors of this package, all `ValueError`s, and notes on other errors that say where they came about."""

from collections.abc import Iterator
from contextlib import contextmanager

from zamek_env.components.json_entry import ComponentError


class IllegalActionError(ValueError):
    """An action that the rules do not allow now; the message says why. The game is as it was."""


class AnswerError(IllegalActionError, TypeError):
    """An agent's answer that is no legal action, or no evaluation of the legal ones; the message names the agent."""


class RecordError(ValueError):
    """A game record that is malformed or that breaks the rules; the message names turn and field."""


class EndlessGameError(ValueError):
    """A game that never ends, such as one of Castle in which each player undoes what the other did."""


@contextmanager
def noted(where: str) -> Iterator[None]:
    """Note on whatever is raised in the block, by an agent that somebody else wrote, `where` that was."""
    try:
        yield
    except Exception as error:
        error.add_note(where)
        raise


__all__ = ["AnswerError", "ComponentError", "EndlessGameError", "IllegalActionError", "RecordError", "noted"]
