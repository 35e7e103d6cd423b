"""Files named by a user, opened for reading: devices and pipes, which might never end or never begin, are refused."""

import errno
import os
import stat
from os import PathLike
from pathlib import Path
from typing import BinaryIO

from zamek_env.common.messages import show


def check_path(path: object) -> PathLike[str] | str:
    """Return `path`. Raises `TypeError` where it is no path, such as a file descriptor."""
    if not isinstance(path, PathLike | str):
        raise TypeError(f"path must be a path, not {show(path)}")
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
