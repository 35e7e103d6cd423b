"""Descriptors for the settings of an environment, which control whether they can be set afterwards.

Gymnasium's and Stable-Baselines3's `set_attr` set attributes of environments. There is no `__get__`, so reading them
takes no longer than reading any other attribute.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from zamek_env.common.checks import check_choice

Value = TypeVar("Value")


class _Typed(Generic[Value]):
    """An attribute whose type is known to type checkers."""

    if TYPE_CHECKING:

        def __get__(self, env: Any, owner: Any = None) -> Value: ...


class ReadOnly(_Typed[Value]):
    """An attribute that cannot be set after construction, since that would change nothing: `AttributeError`."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __set__(self, env: Any, value: object) -> None:
        if self._name in env.__dict__:
            raise AttributeError(f"{self._name} cannot be set: make another environment")
        env.__dict__[self._name] = value


class BatchReadOnly(ReadOnly[Value]):
    """A read-only attribute of a batch of games, which none of them has by itself."""


class Validated(_Typed[Value]):
    """An attribute that may be set at any time, to what `check(env, value)` returns; that raises for invalid values."""

    def __init__(self, check: Callable[[Any, Any], Any]) -> None:
        self._check = check

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __set__(self, env: Any, value: object) -> None:
        env.__dict__[self._name] = self._check(env, value)


def list_settings(owner: type, of_batch: bool) -> set[str]:
    """Return the names of such attributes of a class: of those that each game has, or of `BatchReadOnly`."""
    return {
        name
        for base in owner.__mro__
        for name, value in vars(base).items()
        if isinstance(value, _Typed) and isinstance(value, BatchReadOnly) is of_batch
    }


def check_on_illegal(env: Any, value: Any) -> Any:
    """Return what follows an illegal action: `"lose"` or `"raise"`. Raises `ValueError` for anything else."""
    return check_choice("on_illegal", value, ("lose", "raise"))
