"""Files named by a user: opens them for reading, locks them for writing, and digests their contents.

Devices and pipes, which might never end or never begin, are refused. JSON files may come from anybody: kind, size and
format are checked before they are used.
"""

import errno
import hashlib
import json
import os
import re
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import Any, BinaryIO

from zamek_env.common.messages import show
from zamek_env.compiler.jit import fingerprint
from zamek_env.components.json_entry import read_object

try:
    import fcntl
except ModuleNotFoundError:  # on Windows
    fcntl = None  # type: ignore[assignment]  # as asked for below

_SHA256 = re.compile("[0-9a-f]{64}")


def check_path(path: object, name: str = "path") -> PathLike[str] | str:
    """Return `path`, the argument `name`. Raises `TypeError` where it is no path, such as a file descriptor."""
    if not isinstance(path, PathLike | str):
        raise TypeError(f"{name} must be a path, not {show(path)}")
    return path


def open_plain(path: PathLike[str] | str) -> BinaryIO:
    """Open a file for reading, in binary.

    Raises `OSError` where it is missing or no regular file, and `TypeError` where `path` is no path. A pipe may keep
    its reader waiting, a device may have no end.
    """
    if not stat.S_ISREG(os.stat(check_path(path)).st_mode):
        raise OSError(errno.EINVAL, "it is not a file", os.fspath(path))
    return open(path, "rb")


def find_version(path: PathLike[str] | str) -> tuple[int, ...]:
    """Return a value that changes whenever the file `path` changes."""
    status = Path(path).stat()
    return status.st_ino, status.st_mtime_ns, status.st_size


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


# --- locks: one process writes at a time, where the system supports it ---


def lock(descriptor: int, path: os.PathLike[str] | str) -> None:
    """Keep other processes from an open file or folder until it is closed. Raises `OSError` where one has it."""
    if fcntl is None:
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise OSError(error.errno, "another process is writing it", str(path)) from error
    except OSError:
        pass  # a file system without locks


@contextmanager
def locked_folder(folder: Path) -> Iterator[None]:
    """Lock a `folder` against other processes that do the same, within the block. Raises `OSError` where one has it."""
    if fcntl is None:
        yield
        return
    opened = os.open(folder, os.O_RDONLY)
    try:
        lock(opened, folder)
        yield
    finally:
        os.close(opened)


# --- digests: results say by what they were made ---


def digest_files(*paths: Path) -> str:
    """Return a digest of the contents of files, one after another."""
    return hashlib.sha256(b"".join(path.read_bytes() for path in paths)).hexdigest()[:16]


def is_sha256(value: object) -> bool:
    """Return whether `value` is a SHA-256 digest as text."""
    return isinstance(value, str) and _SHA256.fullmatch(value) is not None


def check_sha256(name: str, value: object) -> None:
    """Raise `ValueError` unless `value` is a SHA-256 digest as text."""
    if not is_sha256(value):
        raise ValueError(f"{name} must be a digest of 64 hexadecimal digits, not {show(value)}")


def digest_module(name: str) -> str:
    """Return a digest of the sources of an imported module and of those that count for it (see `fingerprint`).

    They are read once in a process.
    """
    source = getattr(sys.modules[name], "__file__", None) or ""
    if source.endswith(".py"):
        return fingerprint(name)[:16]
    return digest_files(*([Path(source)] if source else []))  # of what is written in C, or was typed in
