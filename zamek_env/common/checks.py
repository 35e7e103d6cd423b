"""Checks of arguments that come from outside."""

import inspect
import math
import operator
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal, TypeGuard, TypeVar

import numpy as np
import numpy.typing as npt

from zamek_env.common.messages import show

Choice = TypeVar("Choice")
Checked = TypeVar("Checked")

ROWS = {"iu": "whole numbers of at most 64 bits", "b": "booleans"}  # kinds of a numpy dtype: what they hold


def is_whole(value: object) -> bool:
    """Return whether `value` is a whole number, of numpy or not; a bool is none."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def check_whole(name: str, value: object) -> int:
    """Return `value` as an int. Raises `TypeError` where it is no whole number (a bool is none)."""
    if type(value) is int:  # before anything slower
        return value
    if type(value) not in (bool, np.bool_):
        try:
            return operator.index(value)  # type: ignore[arg-type]  # what has no index is refused
        except TypeError:
            pass
    raise TypeError(f"{name} must be a whole number, not {show(value)}")


def check_count(name: str, value: object, most: float = math.inf, least: int = 1) -> int:
    """Return `value` as an int in `least` to `most`. Raises `TypeError` or `ValueError` for anything else."""
    number = check_whole(name, value)
    if not least <= number <= most:
        allowed = f"be at least {least}" if most == math.inf else f"lie in {least} to {most}"
        raise ValueError(f"{name} must {allowed}, not {show(number)}")
    return number


def check_choice(name: str, value: object, allowed: Iterable[Choice]) -> Choice:
    """Return `value`, which must be one of `allowed`; a number may be one of numpy. Raises `ValueError` if not."""
    given = int(value) if isinstance(value, np.integer) else value
    for choice in allowed:
        if type(given) is type(choice) and given == choice:
            return choice
    raise ValueError(f"{name} must be one of {', '.join(map(repr, allowed))}, not {show(value)}")


def check_absent(game: str, **arguments: object) -> None:
    """Raise `ValueError` for the first of the `arguments`, which the `game` does not have, that is not None."""
    for name, given in arguments.items():
        if given is not None:
            raise ValueError(f"{name} must be None for {game!r}, not {show(given)}")


def check_flag(name: str, value: object) -> bool:
    """Return `value`, which must be True or False. Raises `ValueError` where it is neither."""
    return value if value is True or value is False else check_choice(name, value, (True, False))


def check_seed(name: str, seed: object) -> int | None:
    """Return the seed of a generator as an int, or None. Raises `TypeError` or `ValueError` for anything else."""
    return None if seed is None else check_given_seed(name, seed)


def check_given_seed(name: str, seed: object) -> int:
    """Return the seed of a generator as an int. Raises `TypeError` or `ValueError` for anything else, None included."""
    return check_count(name, seed, least=0)


def is_row(value: object) -> TypeGuard[Sequence[Any]]:
    """Return whether `value` holds one value per game, rather than a single one for all."""
    return isinstance(value, list | tuple | range) or (isinstance(value, np.ndarray) and value.ndim > 0)


def check_each(name: str, values: Sequence[Any], count: int, check: Callable[[str, Any], Checked]) -> list[Checked]:
    """Return a row of `count` values as a list, each as `check(name, value)` returns it.

    Raises `ValueError` where there are more or fewer, and whatever `check` raises.
    """
    if len(values) != count:
        raise ValueError(f"{name} must be one or a row of {count}, not {len(values)}: {show(values)}")
    return [check(name, value) for value in values]


def check_row(name: str, values: npt.ArrayLike, count: int, kinds: Literal["iu", "b"]) -> npt.NDArray[Any]:
    """Return `values` as an array of shape `(count,)`; `kinds`, one of `ROWS`, are the allowed kinds of dtype.

    Raises `ValueError` for another shape, `TypeError` for another kind.
    """
    try:
        array = np.asarray(values)
    except (TypeError, ValueError, OverflowError, RecursionError) as error:  # such as rows of different lengths
        raise ValueError(f"{name} must have shape ({count},), not {show(values)}") from error
    if array.shape != (count,):
        raise ValueError(f"{name} must have shape ({count},), not {array.shape}: {show(values)}")
    if array.dtype.kind not in kinds:
        raise TypeError(f"{name} must be {ROWS[kinds]}, not {array.dtype}: {show(values)}")
    return array


def takes(function: Any, *arguments: object) -> bool:
    """Return whether `function` takes `arguments`, as far as its signature tells; False for what is no function."""
    try:
        inspect.signature(function).bind(*arguments)
    except TypeError:
        return False
    except ValueError:
        pass  # of what is written in C
    return True


def check_generator(rng: object) -> np.random.Generator:
    """Return `rng`. Raises `TypeError` unless it is a numpy `Generator`."""
    if not isinstance(rng, np.random.Generator):
        raise TypeError(f"rng must be a numpy.random.Generator, not {show(rng)}")
    return rng
