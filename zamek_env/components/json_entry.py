"""One JSON object of a component file, read field by field with errors that say where."""

import json
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable
from pathlib import Path
from types import NoneType
from typing import Any, NoReturn, get_args

from zamek_env.common.messages import shorten, show, show_name, show_names
from zamek_env.components.box_folder import MAX_TEXT, read_text

MAX_ITEMS = 1000  # of a list: numbers made of tiles, start spaces and fields stay far within 16 bits
_REQUIRED = object()
_WORDS = {
    bool: "true or false",
    int: "a whole number",
    (int, float): "a number",
    str: "a text",
    list: "a list",
    dict: "an object",
    NoneType: "null",
}


class ComponentError(ValueError):
    """A component file that cannot be right; the message names file, item and field."""


class Entry:
    """A JSON object together with the file and the item (a tile, a start space …) that it describes."""

    def __init__(self, file: Path | str, item: str, values: Any, fields: Collection[str]) -> None:
        self.file = file
        self.item = item
        if not isinstance(values, dict):
            raise ComponentError(f"{file}: {item or 'the file'} must be an object, not {show(values)}")
        self.values: dict[str, Any] = values
        for field in values:
            if field not in fields:
                self.fail(field, f"is not a field here; the fields are {show_names(fields)}")

    def fail(self, field: str, problem: str) -> NoReturn:
        """Raise a `ComponentError` about `field`."""
        where = ", ".join(show_name(part) for part in (self.item, field) if part)
        raise ComponentError(f"{self.file}: {where}: {problem}")

    def get(self, field: str, kind: type | tuple[type, ...], default: Any = _REQUIRED) -> Any:
        """Return the value of `field`, which must be of the Python type `kind`, or of one of several."""
        if field not in self.values:
            if default is _REQUIRED:
                self.fail(field, "is missing")
            return default
        value = self.values[field]
        if type(value) not in (kind if type(kind) is tuple else (kind,)):
            self.fail(field, f"must be {_WORDS[kind]}, not {show(value)}")
        most, what = (MAX_TEXT, "characters") if type(value) is str else (MAX_ITEMS, "entries")
        if type(value) in (str, list) and len(value) > most:
            self.fail(field, f"must have at most {most} {what}, not {len(value)}")
        return value

    def name(self, field: str) -> str:
        """Return the text at `field`, which must be something that can be printed on one line."""
        value = self.get(field, str)
        if not value.strip():
            self.fail(field, "must not be empty")
        if not value.isprintable():
            self.fail(field, f"must be printable on one line, not {show(value)}")
        return value

    def choice(self, field: str, allowed: Collection[str]) -> str:
        """Return the text at `field`, which must be one of `allowed`."""
        value = self.get(field, str)
        if value not in allowed:
            self.fail(field, f"must be one of {show_names(allowed)}, not {show(value)}")
        return value

    def whole(self, field: str, low: int, high: int, default: Any = _REQUIRED) -> int:
        """Return the whole number at `field`, which must lie in `low` … `high`."""
        value = self.get(field, int, default)
        if not low <= value <= high:
            self.fail(field, f"must lie in {low} to {high}, not {show(value)}")
        return value

    def wholes(self, field: str, low: int, high: int, default: Any = _REQUIRED) -> tuple[int, ...]:
        """Return the list of whole numbers at `field`, each of which must lie in `low` … `high`, as a tuple."""
        values = self.get(field, list, default)
        for value in values:
            if type(value) is not int or not low <= value <= high:
                self.fail(field, f"must hold whole numbers in {low} to {high}, not {show(value)}")
        return tuple(values)

    def number(self, field: str, limit: float) -> float:
        """Return the number at `field`, which must lie in `-limit` … `limit`, as a float."""
        value = self.get(field, (int, float))
        if not -limit <= value <= limit:  # nor is NaN
            self.fail(field, f"must lie in {-limit} to {limit}, not {show(value)}")
        return float(value)

    def whole_pair(self, field: str) -> tuple[int, int]:
        """Return the list of two whole numbers at `field` as a tuple."""
        return self.pair(field, self.get(field, list))

    def pair(self, field: str, value: Any) -> tuple[int, int]:
        """Return `value`, which must be a list of two whole numbers, as a tuple."""
        if type(value) is not list or len(value) != 2 or any(type(number) is not int for number in value):
            self.fail(field, f"must be two whole numbers, not {show(value)}")
        return tuple(value)

    def texts(self, field: str, default: Any = _REQUIRED) -> tuple[str, ...]:
        """Return the list of texts at `field` as a tuple."""
        values = self.get(field, list, default)
        for value in values:
            if type(value) is not str:
                self.fail(field, f"must hold texts, not {show(value)}")
            if len(value) > MAX_TEXT:
                self.fail(field, f"must hold texts of at most {MAX_TEXT} characters, not of {len(value)}")
        return tuple(values)

    def extended_by(self, extension: "Entry") -> "Entry":
        """Return `extension` with missing fields taken from this entry, and its lists appended to this entry's."""
        values = self.values | extension.values
        for field in self.values.keys() & extension.values.keys():
            if type(self.values[field]) is list is type(extension.values[field]):
                values[field] = self.values[field] + extension.values[field]
        return Entry(extension.file, extension.item, values, values)

    def check_unique(self, field: str, values: Iterable[Hashable]) -> None:
        """Fail where one of the `values` at `field` is there more than once."""
        for value, times in Counter(values).items():
            if times > 1:
                self.fail(field, f"{show(value)} is given {times} times")

    def entries(self, field: str, item: Callable[[int, Any], str], fields: Collection[str]) -> list["Entry"]:
        """Return the list of objects at `field` as entries named by `item(number, values)`."""
        return [
            Entry(self.file, item(number, values), values, fields)
            for number, values in enumerate(self.get(field, list))
        ]


def name_kind(kind: Any) -> str:
    """Return what JSON calls the values of a Python type, such as `a list or null` for `list | None`."""
    return " or ".join(_WORDS[each] for each in get_args(kind) or (kind,))


def read_entry(path: Path, fields: Collection[str]) -> Entry:
    """Read a JSON file that holds one object with these `fields`.

    Raises `ComponentError` where the file cannot be read or is not JSON.
    """
    return Entry(path, "", read_json(path), fields)


def read_json(path: Path) -> Any:
    """Return what a JSON file holds. Raises `ComponentError` where it cannot be read or is not JSON."""
    try:
        text = read_text(path)
    except (OSError, ValueError) as error:
        raise ComponentError(f"{path}: cannot be read: {error}") from error
    try:
        return json.loads(text, object_pairs_hook=read_object)
    except (ValueError, RecursionError) as error:
        raise ComponentError(f"{path}: is not JSON: {shorten(str(error))}") from error


def read_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object as a dict: an `object_pairs_hook`. Raises `ValueError` where a field is given twice."""
    values = dict(pairs)
    if len(values) < len(pairs):
        raise ValueError(f"a field is given twice in {show_names(name for name, _ in pairs)}")
    return values
