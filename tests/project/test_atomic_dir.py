"""Folders and files that appear whole: what killed processes left is put back or removed, and what cannot be stays."""

import errno
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from zamek_agents.atomic_dir import FolderKind, sweep_parts, write_atomic_dir
from zamek_scripts.atomic_file import write_atomic

NOTES = FolderKind("notebook", "notes.txt")
DEAD = 10**9  # the number of no process
KILLED = """
import os, shutil, signal, sys
from pathlib import Path
from zamek_agents.atomic_dir import FolderKind, write_atomic_dir

def kill(*_, **__):
    os.kill(os.getpid(), signal.SIGKILL)

def remove_some(path, ignore_errors):
    if Path(path).exists():
        (Path(path) / "notes.txt").unlink()
        kill()

rename = Path.rename
if sys.argv[2] == "removing":
    shutil.rmtree = remove_some
else:
    Path.rename = lambda path, to: rename(path, to) if path.name == "out" else kill()
with write_atomic_dir(Path(sys.argv[1]), FolderKind("notebook", "notes.txt"), overwrite=True) as folder:
    (folder / "notes.txt").write_text("second")
"""


def write(path, text, overwrite=True):
    """Write a folder of the kind `NOTES`."""
    with write_atomic_dir(path, NOTES, overwrite) as folder:
        (folder / NOTES.marker).write_text(text)


def read_all(folder):
    """Return {path: text} of everything in a folder, hidden or not."""
    return {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*") if path.is_file()}


def replace_and_be_killed(path, when):
    """Replace the folder `path` in a process that is killed between the two renames, or "removing" the old one."""
    ended = subprocess.run([sys.executable, "-c", KILLED, str(path), when], check=False)
    assert ended.returncode == -signal.SIGKILL


def test_a_folder_replaces_another_only_once_it_has_reached_the_disk(tmp_path, monkeypatch):
    write(tmp_path / "out", "first")

    def refuse(_):
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", refuse)
        with pytest.raises(OSError, match=os.strerror(errno.EIO)):
            write(tmp_path / "out", "second")
    assert read_all(tmp_path) == {"out/notes.txt": "first"}


# --- folders that were being replaced ---


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
def test_a_folder_is_put_back_where_a_kill_came_before_the_new_one(tmp_path):
    write(tmp_path / "out", "first")
    replace_and_be_killed(tmp_path / "out", "renaming")
    assert not (tmp_path / "out").exists()
    with pytest.raises(ValueError, match="out holds a notebook; name another folder, or replace it"):
        write(tmp_path / "out", "third", overwrite=False)
    assert (tmp_path / "out" / NOTES.marker).read_text() == "first"
    write(tmp_path / "out", "third")
    assert read_all(tmp_path) == {"out/notes.txt": "third"}


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
def test_what_a_kill_left_of_a_replaced_folder_is_removed_and_never_put_back(tmp_path):
    write(tmp_path / "out", "first")
    replace_and_be_killed(tmp_path / "out", "removing")
    assert read_all(tmp_path) == {"out/notes.txt": "second"} and len(list(tmp_path.iterdir())) == 2
    shutil.rmtree(tmp_path / "out")
    write(tmp_path / "out", "third", overwrite=False)
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_whole_folder_that_was_replaced_is_removed(tmp_path):
    """A kill may come when the new folder has just got its name."""
    old = tmp_path / f".out.{DEAD}.0123abcd.old"
    write(tmp_path / "out", "second")
    write(old, "first")
    write(tmp_path / "out", "third")
    assert read_all(tmp_path) == {"out/notes.txt": "third"} and not old.exists()


def test_a_folder_is_put_back_where_an_empty_one_has_come(tmp_path):
    write(tmp_path / f".out.{DEAD}.0123abcd.old", "first")
    (tmp_path / "out").mkdir()
    with pytest.raises(ValueError, match="out holds a notebook"):
        write(tmp_path / "out", "second", overwrite=False)
    assert read_all(tmp_path) == {"out/notes.txt": "first"}


@pytest.mark.parametrize("is_folder", [False, True])
def test_a_folder_that_was_being_replaced_stays_where_something_else_has_come(is_folder, tmp_path):
    old, other = tmp_path / f".out.{DEAD}.0123abcd.old", tmp_path / "out"
    write(old, "first")
    if is_folder:
        other.mkdir()
        (other / "else.txt").write_text("")
    else:
        other.write_text("")
    with pytest.raises(ValueError, match="out exists and is no notebook"):
        write(other, "second")
    assert (old / NOTES.marker).read_text() == "first"


@pytest.mark.parametrize("overwrite", [False, True])
def test_a_folder_that_others_made_meanwhile_is_not_replaced(overwrite, tmp_path):
    with (
        pytest.raises(ValueError, match="out exists and is no notebook"),
        write_atomic_dir(tmp_path / "out", NOTES, overwrite) as folder,
    ):
        (folder / NOTES.marker).write_text("mine")
        (tmp_path / "out").mkdir()
        (tmp_path / "out" / "else.txt").write_text("theirs")
    assert read_all(tmp_path) == {"out/else.txt": "theirs"} and len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize("name", ["mine.txt", ".git", "page-1.txt.old", "Page-1.txt"])
def test_a_folder_that_holds_more_than_its_kind_is_not_replaced(name, tmp_path):
    out, kind = tmp_path / "out", NOTES._replace(others=("page-*.txt",))
    for others in (("page-1.txt", "page-20.txt"), (name,)):
        with write_atomic_dir(out, kind, overwrite=True) as folder:
            (folder / NOTES.marker).write_text("notes")
        for other in others:
            (out / other).write_text("kept")
    with (
        pytest.raises(ValueError, match=rf"out holds more than a notebook \({re.escape(name)}\); name another folder"),
        write_atomic_dir(out, kind, overwrite=True),
    ):
        pass
    assert read_all(tmp_path) == {"out/notes.txt": "notes", f"out/{name}": "kept"}


def test_a_folder_is_put_back_where_the_new_one_cannot_take_its_place(tmp_path, monkeypatch):
    write(tmp_path / "out", "first")
    rename = Path.rename
    monkeypatch.setattr(Path, "rename", lambda path, to: refuse(path) if path.suffix == ".part" else rename(path, to))
    with pytest.raises(PermissionError):
        write(tmp_path / "out", "second")
    assert read_all(tmp_path) == {"out/notes.txt": "first"} and len(list(tmp_path.iterdir())) == 1


def test_folders_that_are_being_replaced_or_called_otherwise_are_left(tmp_path):
    others = [
        f".out.{os.getppid()}.0123abcd.old",
        f".other.{DEAD}.0123abcd.old",
        ".out.old",
        f"out.{DEAD}.0123abcd.old",
    ]
    for name in others:
        write(tmp_path / name, name)
    write(tmp_path / "out", "new", overwrite=False)
    sweep_parts(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(["out", *others])


def test_what_another_user_writes_is_left(tmp_path, monkeypatch):
    part = tmp_path / f".out.{DEAD}.0123abcd.part"
    part.write_text("theirs")
    monkeypatch.setattr(os, "kill", refuse)  # as the system refuses to signal what is another user's
    sweep_parts(tmp_path)
    assert part.read_text() == "theirs"


def test_on_windows_no_process_is_sent_a_signal_and_what_others_left_stays(tmp_path, monkeypatch):
    part = tmp_path / f".out.{DEAD}.0123abcd.part"
    part.write_text("left")
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(os, "kill", lambda *_: pytest.fail("signal 0 is Ctrl+C there"))
    sweep_parts(tmp_path)
    assert part.read_text() == "left"


def test_what_a_process_left_that_had_our_number_is_swept_and_what_we_write_is_not(tmp_path):
    part = tmp_path / f".out.{os.getpid()}.0123abcd.part"
    part.write_text("left")
    with write_atomic_dir(tmp_path / "out", NOTES) as folder:
        (folder / NOTES.marker).write_text("mine")
        sweep_parts(tmp_path)
        assert folder.is_dir() and not part.exists()
    assert read_all(tmp_path) == {"out/notes.txt": "mine"}


# --- what cannot be swept ---


def refuse(path, *_, **__):
    raise PermissionError(errno.EPERM, "not yours", str(path))


@pytest.fixture(params=["removed", "listed"])
def left(request, tmp_path, monkeypatch):
    """A file left by a killed process that cannot be removed, or in a folder that cannot be listed."""
    path = tmp_path / f".out.{DEAD}.0123abcd.part"
    path.write_text("another user's")
    unlink = Path.unlink
    if request.param == "listed":
        monkeypatch.setattr(Path, "iterdir", refuse)
    else:
        monkeypatch.setattr(Path, "unlink", lambda p, **how: refuse(p) if p == path else unlink(p, **how))
    return path


def test_a_file_and_a_folder_are_whole_though_what_others_left_cannot_be_swept(left, tmp_path):
    with write_atomic(tmp_path / "out") as file:
        file.write("mine")
    assert (tmp_path / "out").read_text() == "mine" and left.exists()
    (tmp_path / "out").unlink()
    write(tmp_path / "out", "mine")
    assert (tmp_path / "out" / NOTES.marker).read_text() == "mine" and left.exists()


def test_a_folder_is_whole_though_an_old_one_of_others_cannot_be_removed(tmp_path, monkeypatch):
    old = tmp_path / f".out.{DEAD}.0123abcd.old"
    write(tmp_path / "out", "second")
    write(old, "first")
    rename = Path.rename
    monkeypatch.setattr(Path, "rename", lambda path, to: refuse(path) if path == old else rename(path, to))
    write(tmp_path / "out", "third")
    assert (tmp_path / "out" / NOTES.marker).read_text() == "third" and old.exists()


def test_what_can_be_swept_is_though_something_cannot(tmp_path, monkeypatch):
    paths = [tmp_path / f".out.{DEAD}.{token}abcd.part" for token in ("0000", "0001", "0002")]
    for path in paths:
        path.write_text("")
    unlink = Path.unlink
    monkeypatch.setattr(Path, "unlink", lambda p, **how: refuse(p) if p == paths[1] else unlink(p, **how))
    sweep_parts(tmp_path)
    assert [path.exists() for path in paths] == [False, True, False]
