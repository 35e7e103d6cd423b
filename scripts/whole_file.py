"""Output files that appear whole or not at all."""

import os
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def write_whole(path, binary=False):
    """Open a file, text unless it is `binary`, that takes the place of `path` once the block is left without an error.

    Raises `OSError` where `path` cannot become a file.
    """
    target = Path(path).resolve()
    if target.exists() and not target.is_file():
        raise OSError(f"{path} cannot be written: it is not a file")
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        file = part.open("xb") if binary else part.open("x", encoding="utf-8")
    except OSError as error:
        raise OSError(f"{path} cannot be written: {error.strerror}") from error
    try:
        with file:
            yield file
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
