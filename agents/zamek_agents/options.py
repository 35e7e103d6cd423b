"""Options of agents: keyword arguments, or text as on a command line, `key=value,key=value`."""

import os
from collections.abc import Iterable, Mapping
from numbers import Real
from typing import Any, NamedTuple, TypeVar

from zamek_env.common.checks import check_whole
from zamek_env.common.messages import show

Options = TypeVar("Options", bound=NamedTuple)

ANY = ()  # as what an option may be: any text but none


def read_options(
    defaults: Options, ranges: Mapping[str, tuple[Any, ...]], text: str, keywords: Mapping[str, Any]
) -> Options:
    """Return the named tuple `defaults`, updated by `text` and `keywords`.

    `ranges` gives the allowed values of each field: (least, most) for numbers, a tuple of strings for names, `ANY`.
    Raises `ValueError`, naming what is allowed, for any other key or value in `text`, and for a value out of its range;
    `TypeError` where `text` is no text, and for keywords that are no option or of another type.
    """
    if not isinstance(text, str):
        raise TypeError(f"options must be text such as '{defaults._fields[0]}={defaults[0]}', not {show(text)}")
    given: dict[str, Any] = {}
    for part in text.split(",") if text else ():
        key, separator, value = part.partition("=")
        if not separator or key not in defaults._fields:
            raise ValueError(
                f"an option must be KEY=VALUE with a KEY of {', '.join(defaults._fields)}, not {show(part)}"
            )
        if key in given:
            raise ValueError(f"the option {key} is given twice")
        given[key] = _parse_value(value, type(getattr(defaults, key)))
    for key, value in keywords.items():
        if key not in defaults._fields:
            raise TypeError(f"an option must be one of {', '.join(defaults._fields)}, not {show(key)}")
        if key in given:
            raise ValueError(f"the option {key} is given twice")
        given[key] = _check_type(key, value, type(getattr(defaults, key)))
    for key, value in given.items():
        _check_range(key, value, type(getattr(defaults, key)), ranges[key])
    return defaults._replace(**given)


def name_agent(kind: str, text: str, keywords: Iterable[str], read: NamedTuple) -> str:
    """Return the name of an agent, such as `mcts:simulations=500,width=20`, that was given a text and `keywords`.

    `read` are its options.
    """
    options = ",".join([*([text] if text else ()), *(f"{key}={getattr(read, key)}" for key in keywords)])
    return f"{kind}{options and ':'}{options}"


def _parse_value(text, kind):
    """Return the value of type `kind` that `text` means, or `text` where it means none."""
    try:
        return kind(text)
    except ValueError:
        return text


def _check_type(key, value, kind):
    """Return the keyword argument `key` as a `kind`: int, float or str. Raises `TypeError` for other types."""
    if kind is int:
        return check_whole(key, value)
    if kind is float and isinstance(value, Real) and not isinstance(value, bool):
        try:
            return float(value)
        except OverflowError:
            return value
    if kind is str and isinstance(value, str | os.PathLike):
        return str(value)
    raise TypeError(f"{key} must be {'a number' if kind is float else 'text'}, not {show(value)}")


def _check_range(key, value, kind, allowed):
    """Raise `ValueError` unless the option `key` may be `value`; one of another type than `kind` is text."""
    if kind is str:
        if allowed == ANY and not value:
            raise ValueError(f"{key} must not be empty")
        if allowed != ANY and value not in allowed:
            raise ValueError(f"{key} must be one of {', '.join(allowed)}, not {show(value)}")
        return
    least, most = allowed
    if not isinstance(value, kind) or not least <= value <= most:  # no number lies within a range where it is NaN
        noun, form = ("a whole number", "d") if kind is int else ("a number", "g")
        raise ValueError(f"{key} must be {noun} from {least:{form}} to {most:{form}}, not {show(value)}")
