"""JSON files that may come from anybody: kind, size and format are looked at before anything is taken from them."""

import json
from pathlib import Path
from typing import Any

from zamek_agents.plain_file import open_plain
from zamek_env.components.json_entry import read_object


def read_json(path: Path, form: str, most: int) -> dict[str, Any]:
    """Return what a JSON file of that format holds.

    Raises `ValueError` where it has more than `most` bytes, is no JSON, or is of another format, `RecursionError` where
    it nests too deep, `OSError` where it cannot be read or is no file, such as a pipe.
    """
    with open_plain(path) as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise ValueError(f"it is larger than {most} bytes")
    try:
        value = json.loads(content.decode(), object_pairs_hook=read_object)
    except ValueError as error:
        raise ValueError(f"it is not JSON in UTF-8: {error}") from error
    if not isinstance(value, dict) or value.get("format") != form:
        raise ValueError(f"format must be {form!r}")
    return value
