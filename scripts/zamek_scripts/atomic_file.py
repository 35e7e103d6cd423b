"""Writes output files atomically: they appear whole or not at all."""

import errno
import json
import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from itertools import count
from pathlib import Path
from typing import IO, Any

from zamek_agents.atomic_dir import FolderKind, check_target, name_beside, resolve_links, sweep_parts, sync_names
from zamek_scripts.terminal import FULL, naming

_DISK = FULL | {errno.EIO}  # errors of a disk that takes no more


def check_new_file(name: str, path: Path, overwrite: bool) -> None:
    """Raise `ValueError` unless a file may be written at `path`, the value of the argument `name`."""
    if path.exists() and not path.is_file():
        raise ValueError(f"{name}: {path} is {'a folder' if path.is_dir() else 'a device'}; name a file")
    if path.exists() and not overwrite:
        raise ValueError(f"{name}: {path} exists; name another file, or say --overwrite to replace it")
    check_place(name, path)


def check_new_folder(name: str, folder: Path, kind: FolderKind, overwrite: bool) -> None:
    """Raise `ValueError` unless a folder of the `kind` may be written at `folder`, the value of the argument `name`."""
    _check_no_stream(name, folder)
    with naming(name):
        check_target(folder, kind, overwrite)
    check_place(name, resolve_links(folder))


def check_place(name: str, path: Path) -> None:
    """Raise `ValueError` where no file can be made at `path`, the value of the argument `name`, whatever it holds now.

    Call it before work begins, so that no results are lost.
    """
    _check_no_stream(name, path)
    with naming(name):
        resolve_links(path)
    folder = next(folder for folder in path.absolute().parents if folder.exists())
    if not folder.is_dir():
        raise ValueError(f"{name}: {path} cannot be written: what should be its folder is a file")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise ValueError(f"{name}: {path} cannot be written: {folder} takes no files from this user")


def check_folder_place(name: str, folder: Path, file: str) -> None:
    """Raise `ValueError` where `folder`, the value of the argument `name`, is no folder, or cannot hold `file`."""
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"{name}: {folder} is not a folder")
    check_place(name, folder / file)


def _check_no_stream(name, path):
    """Raise `ValueError` where `path` is `-` or lies in a folder of that name: that is meant as standard output."""
    if path.parts[:1] == ("-",):  # `./-` is the same path
        raise ValueError(f"{name}: nothing is written to standard output; what is to be called - needs its full path")


@contextmanager
def write_atomic(path: os.PathLike[str] | str, binary: bool = False, overwrite: bool = True) -> Iterator[IO[Any]]:
    """Open a file, text unless it is `binary`, that takes the place of `path` once the block is left without an error.

    By then it has reached the disk. Its folder is made if it is not there. Raises `ValueError` where the links of
    `path` lead in a circle, `OSError` where it cannot become a file, or the disk is full. Without `overwrite` also
    where there is a file by then; what was written is kept next to it, and the message says where.
    """
    target = resolve_links(path)
    if target.exists() and not target.is_file():
        raise OSError(f"{path} cannot be written: it is not a file")
    part = name_beside(target, "part")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        file = part.open("xb") if binary else part.open("x", encoding="utf-8")
    except OSError as error:
        is_file = target.parent.exists() and not target.parent.is_dir()
        why = "what should be its folder is a file" if is_file else error.strerror
        raise OSError(f"{path} cannot be written: {why}") from error
    try:
        with file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if overwrite:
            part.replace(target)
        kept = target if overwrite else _name_new(part, target)
        sync_names(target.parent)
        sweep_parts(target.parent, target.name)
        if kept != target:
            raise OSError(f"{path} has come to exist meanwhile; what was to be written there is kept in {kept}")
    except OSError as error:
        if error.errno not in _DISK or error.filename is not None:
            raise  # the latter comes of another file
        raise OSError(f"{path} cannot be written: {error.strerror}") from error
    finally:
        part.unlink(missing_ok=True)


def open_output(path: Path | None, overwrite: bool) -> AbstractContextManager[IO[str] | None]:
    """Return the context of `write_atomic`, which gives the file; None where there is no `path`."""
    return write_atomic(path, overwrite=overwrite) if path else nullcontext()


def write_json(path: Path, value: Any, overwrite: bool = True) -> None:
    """Write a `value` as JSON into a file that takes the place of `path`; raises as `write_atomic` does."""
    with write_atomic(path, overwrite=overwrite) as file:
        json.dump(value, file, indent=1)
        file.write("\n")


def write_figure(path: Path, figure: Any) -> None:
    """Write a `matplotlib` figure as an SVG file, the same at any time; raises as `write_atomic` does."""
    with write_atomic(path, binary=True) as file:
        figure.savefig(file, format="svg", bbox_inches="tight", metadata={"Date": None})


def _name_new(part, target):
    """Link the file `part` as `target` too, or under the next name that nobody has; return that."""
    for number in count(1):
        name = target if number == 1 else target.with_name(f"{target.stem}-{number}{target.suffix}")
        try:
            os.link(part, name)
        except FileExistsError:
            continue
        except OSError:  # a file system without second names
            if os.path.lexists(name):
                continue
            part.rename(name)
        break
    return name
