"""Options of agents, as they are written on a command line: `key=value,key=value`."""

from collections.abc import Mapping
from typing import Any, NamedTuple, TypeVar

from zamek_env.messages import show

Options = TypeVar("Options", bound=NamedTuple)

ANY = ()  # as what an option may be: any text but none


def parse_options(options: Options, text: str, ranges: Mapping[str, tuple[Any, ...]]) -> Options:
    """Return the named tuple `options`, which has the defaults, with what `text` says instead.

    `ranges` says of each field what it may be: (least, most) for numbers, a tuple of strings for names, `ANY`. Raises
    `ValueError`, naming what is allowed, for any other key or value, and `TypeError` where `text` is none.
    """
    if not isinstance(text, str):
        raise TypeError(f"options must be text such as '{options._fields[0]}={options[0]}', not {show(text)}")
    given = {}
    for part in text.split(",") if text else ():
        key, separator, value = part.partition("=")
        if not separator or key not in options._fields:
            raise ValueError(f"an option must be KEY=VALUE with a KEY of {', '.join(options._fields)}, not {part!r}")
        if key in given:
            raise ValueError(f"the option {key} is given twice")
        given[key] = _parse_value(key, value, type(getattr(options, key)), ranges[key])
    return options._replace(**given)


def _parse_value(key, text, kind, allowed):
    """Return the value of the option `key` that `text` stands for."""
    if kind is str:
        if allowed == ANY and not text:
            raise ValueError(f"{key} must not be empty")
        if allowed != ANY and text not in allowed:
            raise ValueError(f"{key} must be one of {', '.join(allowed)}, not {text!r}")
        return text
    least, most = allowed
    try:
        value = kind(text)
    except ValueError:
        value = None
    if value is None or not least <= value <= most:  # no number lies within a range where it is not a number
        noun, form = ("a whole number", "d") if kind is int else ("a number", "g")
        raise ValueError(f"{key} must be {noun} from {least:{form}} to {most:{form}}, not {text!r}")
    return value
