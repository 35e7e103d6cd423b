"""Files and folders to which one process at a time writes, where the system can see to it."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

try:
    import fcntl
except ModuleNotFoundError:  # on Windows
    fcntl = None  # type: ignore[assignment]  # as asked for below


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
    """Keep other processes that do the same from a `folder` within the block. Raises `OSError` where one has it."""
    if fcntl is None:
        yield
        return
    opened = os.open(folder, os.O_RDONLY)
    try:
        lock(opened, folder)
        yield
    finally:
        os.close(opened)
