"""Reads folders of component files: checks that names are plain, and reads only regular files, whole."""

import os
import re
import stat
from functools import cache
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import TypeGuard

DATA = Path(__file__).parent.parent / "data"
CASTLE_CARDS = "castle-cards"  # the card game, whose components are not for others to change
RULESETS = (  # those that are packaged
    "zamek", "sokol", "sokol-gates", "carcassonne-demo", "carcassonne", "carcassonne-no-farmers",
    "carcassonne-bga", "carcassonne-hand",
)  # fmt: skip
MAX_FILE = 4 * 2**20  # bytes: more than 100 times the largest packaged file
MAX_TEXT = 100  # characters of a name, of what a side shows, and of a row of a wall
_OWN_NAME = re.compile("[A-Za-z0-9_-]+")


def is_plain_name(name: str) -> bool:
    """Return whether `name` names a file in the same folder on any system: no folder, no drive, nothing unprintable."""
    paths = PurePosixPath(name), PureWindowsPath(name)
    return name.isprintable() and name.strip(" .") != "" and all(path.name == name for path in paths)


def is_own_name(name: object) -> TypeGuard[str]:
    """Return whether a ruleset that is not packaged may be called `name`."""
    is_plain = isinstance(name, str) and len(name) <= MAX_TEXT and _OWN_NAME.fullmatch(name) is not None
    return is_plain and name != CASTLE_CARDS and f"{name}.json" not in _list_packaged()


def list_json(folder: Path) -> list[str]:
    """Return the names of all `*.json` in `folder`, sorted. Raises `OSError`."""
    return sorted(name for name in os.listdir(folder) if name.endswith(".json"))


@cache
def _list_packaged() -> frozenset[str]:
    return frozenset(list_json(DATA))


def find_file(folder: Path, name: str) -> Path:
    """Return the path of a component file: in `folder`, or the packaged one where there is none of that name."""
    found, packaged = folder / name, DATA / name
    return packaged if os.path.exists(packaged) and not os.path.lexists(found) else found


def read_text(path: Path) -> str:
    """Return the text of a file of at most `MAX_FILE` bytes.

    Only regular files are read: reading a device or a pipe might never end, or never begin. A symbolic link is followed
    to a regular file. Raises `OSError` or `ValueError`.
    """
    _check_regular(os.stat(path))  # before it is opened, since opening alone has effects on some devices
    with open(path, "rb", opener=_open_without_waiting) as file:
        _check_regular(os.fstat(file.fileno()))
        data = file.read(MAX_FILE + 1)
    if len(data) > MAX_FILE:
        raise ValueError(f"it has more than {MAX_FILE} bytes")
    return data.decode("utf-8")


def _check_regular(status):
    if not stat.S_ISREG(status.st_mode):
        raise OSError("it is not a regular file")


def _open_without_waiting(path, flags):
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
