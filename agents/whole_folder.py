"""Output folders that appear whole or not at all. A file in them, the marker, tells what they are."""

import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple


class FolderKind(NamedTuple):
    """What a folder is called in messages, and the file by which it is known."""

    noun: str
    marker: str


@contextmanager
def write_folder(folder: Path, kind: FolderKind, overwrite: bool = False) -> Iterator[Path]:
    """Give an empty folder that takes the place of `folder` once the block is left without an error.

    Raises `ValueError` as `check_target` does, and `OSError` where it cannot be written.
    """
    check_target(folder, kind, overwrite)
    target = resolve_links(folder)
    part, old = name_beside(target, "part"), name_beside(target, "old")
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        part.mkdir()
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(folder)) from error  # nobody knows the folder by its first name
    try:
        yield part
        check_target(folder, kind, overwrite)  # another program may have been faster
        if target.exists():
            target.rename(old)
        part.rename(target)
    finally:
        shutil.rmtree(part, ignore_errors=True)
        if old.exists() and not target.exists():
            old.rename(target)
        shutil.rmtree(old, ignore_errors=True)


def resolve_links(path: os.PathLike[str] | str) -> Path:
    """Return `path` as an absolute one without links. Raises `ValueError` where links lead in a circle."""
    found = Path(os.path.realpath(path))  # `Path.resolve` raises what nobody expects, and from Python 3.13 on nothing
    if any(part.is_symlink() for part in (found, *found.parents)):
        raise ValueError(f"{path} is a link that leads back to itself; name another place")
    return found


def name_beside(target: Path, end: str) -> Path:
    """Return a path beside `target` that is hidden, tells this process, and that nobody has used before."""
    return target.with_name(f".{target.name}.{os.getpid()}.{secrets.token_hex(4)}.{end}")


def check_target(folder: Path, kind: FolderKind, overwrite: bool) -> None:
    """Raise `ValueError` where `folder` is there and may not be replaced: only its own kind may, by `overwrite`.

    The folder in which the program runs may not, nor one around it, not even while it is empty. Raises it too where
    links lead in a circle.
    """
    target = resolve_links(folder)
    if Path.cwd().is_relative_to(target):
        raise ValueError(f"{target} is or holds the folder you are in; name another folder")
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return
    if not folder.is_dir() or not (folder / kind.marker).is_file():
        raise ValueError(f"{folder} exists and is no {kind.noun}; name another folder")
    if not overwrite:
        raise ValueError(
            f"{folder} holds a {kind.noun}; name another folder, or replace it "
            f"(overwrite=True, on the command line --overwrite)"
        )
