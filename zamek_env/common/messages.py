"""Formats values for messages: any value at all, on one line and shortened; and counts of things."""

from collections.abc import Iterable

MAX_SHOWN = 300  # characters of a value in an error message


def show(value: object) -> str:
    """Return any `value` as error messages show it, shortened."""
    try:
        text = repr(value)
    except Exception:  # thousands of digits, lists as deep as Python can go, whatever a `__repr__` raises
        return f"a value of type {type(value).__name__} that cannot be shown"
    return shorten(" ".join(line.strip() for line in text.splitlines()))


def show_json(value: object) -> str:
    """Return a value from JSON as error messages show it; null, true and false are spelled as in JSON."""
    text = show(value)
    return {"None": "null", "True": "true", "False": "false"}.get(text, text)


def show_name(name: object) -> str:
    """Return a name as error messages show it: unchanged if it is text that can be printed on one line."""
    return shorten(name) if isinstance(name, str) and name.isprintable() else show(name)


def escape(text: str) -> str:
    """Return `text` on one line, with unprintable characters escaped as Python does."""
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text)


def show_names(names: Iterable[str]) -> str:
    """Return a list of names as error messages show it."""
    return shorten(", ".join(map(show_name, names)))


def show_beyond(action: int, num_actions: int) -> str:
    """Return a message about a number that is none of the `num_actions` actions."""
    return f"action must lie in 0 to {num_actions - 1}, not {show(action)}"


def show_install(extra: str) -> str:
    """Return the command that installs an extra of this package, from a wheel or a clone, as messages show it."""
    return f"`pip install 'zamek-env[{extra}]'`"


def shorten(text: str) -> str:
    """Return `text`, cut off where it is too long for an error message."""
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}…"


def show_count(number: int, noun: str) -> str:
    """Return a count with its `noun`, such as `1 tile` or `2,000 tiles`."""
    return f"1 {noun}" if number == 1 else f"{number:,} {noun}s"
