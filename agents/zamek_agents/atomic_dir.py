"""Output folders written atomically: whole or not at all. A file in them, the marker, says what they are."""

import os
import re
import secrets
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple

from zamek_env.common.messages import show_names

_PART, _OLD = "part", "old"  # ends of names: of what a process is writing, and of a whole folder that it replaces
_LEFT = re.compile(r"\.(?P<name>.+)\.(?P<process>[0-9]{1,10})\.(?P<token>[0-9a-f]{8})\.(?P<end>part|old)")
_tokens: set[str] = set()  # in the names that this process has made


class FolderKind(NamedTuple):
    """The name of a kind of folder in messages, the file that marks it, and patterns of all other names in it."""

    noun: str
    marker: str
    others: tuple[str, ...] = ()


@contextmanager
def write_atomic_dir(folder: Path, kind: FolderKind, overwrite: bool = False) -> Iterator[Path]:
    """Yield an empty folder that takes the place of `folder` once the block is left without an error.

    By then it has reached the disk. If a process was killed while it replaced the folder, that is put back first.
    Raises `ValueError` as `check_target` does, and `OSError` where it cannot be written.
    """
    target = resolve_links(folder)
    _restore(target, kind)
    check_target(folder, kind, overwrite)
    old = name_beside(target, _OLD)
    with open_part(target, folder) as part:
        yield part
        check_target(folder, kind, overwrite)  # another program may have been faster
        sync_all(part)
        try:
            if target.exists():
                target.rename(old)
            part.rename(target)
            sync_names(target.parent)
            sweep_parts(target.parent, target.name)
        finally:
            if old.exists():
                _settle(old, target)


@contextmanager
def open_part(target: Path, named: Path) -> Iterator[Path]:
    """Yield an empty folder next to `target`; what is not moved away within the block is deleted at its end.

    Raises `OSError` where it cannot be made, for the path that was `named`: its own means nothing to a user.
    """
    part = name_beside(target, _PART)
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        part.mkdir()
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(named)) from error
    try:
        yield part
    finally:
        shutil.rmtree(part, ignore_errors=True)


def sync_names(folder: os.PathLike[str] | str) -> None:
    """Flush the names in a folder to disk, where folders can be opened."""
    with suppress(OSError):
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


def sync_all(folder: Path) -> None:
    """Flush everything in a folder to disk. Raises `OSError` where the disk is full."""
    for inner, _, names in os.walk(folder):
        for name in names:
            with open(os.path.join(inner, name), "rb+") as file:
                os.fsync(file.fileno())
        sync_names(inner)


def resolve_links(path: os.PathLike[str] | str) -> Path:
    """Return `path` as an absolute one without links. Raises `ValueError` where links lead in a circle."""
    found = Path(os.path.realpath(path))  # `Path.resolve` raises what nobody expects, and from Python 3.13 on nothing
    if any(part.is_symlink() for part in (found, *found.parents)):
        raise ValueError(f"{path}: a link leads back to itself; name another place")
    return found


def name_beside(target: Path, end: str) -> Path:
    """Return a new hidden path next to `target` that names this process and that nobody has used before."""
    token = secrets.token_hex(4)
    _tokens.add(token)
    return target.with_name(f".{target.name}.{os.getpid()}.{token}.{end}")


def sweep_parts(folder: os.PathLike[str] | str, name: str | None = None) -> None:
    """Delete leftovers of killed writers in `folder`, only those of `name` if it is given.

    What cannot be listed or removed stays: the write at hand is not to blame.
    """
    for part in _list_left(folder, _PART, name):
        with suppress(OSError):  # it may be another user's
            if part.is_dir():
                shutil.rmtree(part, ignore_errors=True)
            else:
                part.unlink(missing_ok=True)


def _restore(target, kind):
    """Put the folder `target` back that a process was replacing when it was killed, unless the new one is there.

    If anything but an empty folder is there, the replaced one is left alone.
    """
    for old in _list_left(target.parent, _OLD, target.name):
        is_free = not os.path.lexists(target) or (target.is_dir() and not any(target.iterdir()))
        with suppress(OSError):
            if is_free:
                old.rename(target)
            elif (target / kind.marker).is_file():
                _settle(old, target)


def _settle(old, target):
    """Put the replaced folder `old` back if there is no `target`, else remove it if possible.

    Before removal it is renamed as a part: so leftovers of a kill are swept, and never put back. Raises `OSError` where
    it cannot be put back.
    """
    if not target.exists():
        old.rename(target)
        return
    with suppress(OSError):  # it may be another user's
        shutil.rmtree(old.rename(name_beside(target, _PART)), ignore_errors=True)


def _list_left(folder, end, name=None):
    """Return leftovers of killed processes in `folder`, of that `name` or of any; none if it cannot be listed."""
    try:
        paths = [*Path(folder).iterdir()]
    except OSError:
        return []
    left = []
    for path in paths:
        found = _LEFT.fullmatch(path.name)
        if not found or found["end"] != end or name not in (None, found["name"]):
            continue
        if found["token"] not in _tokens and not _is_alive(int(found["process"])):
            left.append(path)
    return left


def _is_alive(process):
    """Return whether another process of that number is running."""
    if process == os.getpid():
        return False  # files with our process number are leftovers of an earlier process
    if sys.platform == "win32":
        return True  # nobody can ask there: signal 0 would be Ctrl+C
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        pass  # it is another user's
    return True


def check_target(folder: Path, kind: FolderKind, overwrite: bool) -> None:
    """Raise `ValueError` where `folder` is there and may not be replaced: only its own kind may, by `overwrite`.

    Neither may one that holds anything besides, which would be lost.
    The working folder may not be replaced, nor one around it, not even if it is empty. Raises it too where links lead
    in a circle.
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
    names, known = sorted(path.name for path in folder.iterdir()), (kind.marker, *kind.others)
    if lost := [name for name in names if not any(fnmatchcase(name, pattern) for pattern in known)]:
        raise ValueError(f"{folder} holds more than a {kind.noun} ({show_names(lost)}); name another folder")
