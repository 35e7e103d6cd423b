"""Files that somebody names, opened to be read: what may have no end, or never begin, is refused."""

import errno
import os
import stat
from os import PathLike
from pathlib import Path
from typing import BinaryIO

from zamek_env.messages import show


def check_path(name: str, path: object) -> PathLike[str] | str:
    """Return `path`. Raises `TypeError` where it is none, such as the number of a file that is open."""
    if not isinstance(path, PathLike | str):
        raise TypeError(f"{name} must be a path, not {show(path)}")
    return path


def open_plain(path: PathLike[str] | str) -> BinaryIO:
    """Open a file to be read, in binary.

    Raises `OSError` where it is not there or is no file, and `TypeError` where `path` is none. A pipe may keep its
    reader waiting, a device may have no end.
    """
    if not stat.S_ISREG(os.stat(check_path("path", path)).st_mode):
        raise OSError(errno.EINVAL, "it is not a file", os.fspath(path))
    return open(path, "rb")


def find_version(path: PathLike[str] | str) -> tuple[int, ...]:
    """Return what is another where the file `path` has changed."""
    told = Path(path).stat()
    return told.st_ino, told.st_mtime_ns, told.st_size
