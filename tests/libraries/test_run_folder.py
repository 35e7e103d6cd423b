"""Folders of trainings: no run is lost unasked, files are whole whatever happens, and a run that was killed goes on."""

import errno
import json
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from unittest.mock import Mock

import numpy as np
import pytest
import yaml

from tests.support.array_files import read_arrays
from tests.support.games import IS_COMPILED
from zamek_agents.atomic_dir import sweep_parts
from zamek_agents.ppo.policy import load_policy
from zamek_agents.value.learner import load_learner
from zamek_agents.value.weights import load_refined, read_file
from zamek_env.ruleset import get_ruleset
from zamek_scripts import atomic_file, train, train_value
from zamek_scripts.atomic_file import write_atomic
from zamek_scripts.run_folder import RESUMABLE, begin_run, check_folder

RULESET = "zamek"  # of which there are weights to refine
KILLS = int(os.environ.get("ZAMEK_KILLS", "2"))  # of each training

pytestmark = pytest.mark.skipif(not IS_COMPILED, reason="too slow in plain Python")


def learn(folder, games=2, **changes):
    """Let the agent `value` learn a little, with a report after every game."""
    settings = {"ruleset": RULESET, "report_every": 1, "match_deals": 0} | changes
    train_value.main(train_value.Args(out=folder, games=games, **settings))


def check_same_arrays(path, other):
    """Check that two files hold the same arrays, whatever is noted about them."""
    np.testing.assert_equal(read_arrays(path)[0], read_arrays(other)[0])


def read_all(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture
def fail_to(refused):
    """Return what lets a training as `learn` makes it exit by that code, and returns its last line, after the bar."""

    def end(act, *given, code=2, **changes):
        return refused(act, *given, code=code, **changes).rpartition("\r")[2].strip().splitlines()[-1]

    return end


# --- files ---


def test_a_file_appears_whole_or_not_at_all(tmp_path):
    path = tmp_path / "file"
    path.write_text("before")
    with pytest.raises(KeyError), write_atomic(path) as file:
        file.write("after")
        raise KeyError
    assert read_all(tmp_path) == {"file": b"before"}
    with write_atomic(path) as file:
        file.write("after")
        file.flush()
        assert path.read_text() == "before"
    assert read_all(tmp_path) == {"file": b"after"}


def test_what_is_written_reaches_the_disk_before_it_gets_its_name(tmp_path, monkeypatch):
    path, synced = tmp_path / "file", []
    monkeypatch.setattr(
        atomic_file.os, "fsync", lambda number: synced.append((path.exists(), os.fstat(number).st_size))
    )
    with write_atomic(path, binary=True) as file:
        file.write(b"12345")
    assert synced[0] == (False, 5) and [there for there, _ in synced] == [False, True]  # then its folder


def test_two_that_write_a_file_at_once_do_not_meet(tmp_path):
    path = tmp_path / "file"
    with write_atomic(path) as first, write_atomic(path) as second:
        first.write("first, and longer")
        second.write("second")
    assert read_all(tmp_path) == {"file": b"first, and longer"}  # which was done last


@pytest.mark.parametrize("has_links", [True, False])
def test_a_file_that_others_made_meanwhile_is_not_replaced_unasked(has_links, tmp_path, monkeypatch):
    path = tmp_path / "games.jsonl"
    if not has_links:
        monkeypatch.setattr("os.link", Mock(side_effect=PermissionError))
    with write_atomic(path, overwrite=False) as file:
        file.write("first")
    assert read_all(tmp_path) == {"games.jsonl": b"first"}
    path.unlink()
    for number, text in ((2, "second"), (3, "third")):
        said = f"{path} has come to exist meanwhile; what was to be written there is kept in .*/games-{number}.jsonl"
        with pytest.raises(OSError, match=said), write_atomic(path, overwrite=False) as file:
            path.write_text("theirs")
            file.write(text)
    assert read_all(tmp_path) == {"games.jsonl": b"theirs", "games-2.jsonl": b"second", "games-3.jsonl": b"third"}


def test_what_killed_processes_left_is_swept_and_nothing_else(tmp_path):
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        pass
    left = [f".{name}.0123abcd.part" for name in (f"weights.npz.{ended.pid}", f"a.{os.getpid()}", f"a.{10**9}")]
    kept = [f".a.{os.getppid()}.0123abcd.part", ".a.part", "a.1.0123abcd.part", ".a.x.0123abcd.part", "weights.npz"]
    for name in left + kept:
        (tmp_path / name).write_text("")
    sweep_parts(tmp_path, "a")
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([left[0], *kept])
    sweep_parts(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(kept)


def test_who_writes_a_file_sweeps_what_killed_processes_left_of_it(tmp_path):
    left = [tmp_path / f".{name}.{10**9}.0123abcd.part" for name in ("games.json", "others.json")]
    for path in left:
        path.write_text("")
    with write_atomic(tmp_path / "games.json"):
        pass
    assert [path.exists() for path in left] == [False, True]


def test_a_training_sweeps_its_folder(tmp_path):
    (tmp_path / f".learner.npz.{10**9}.0123abcd.part").write_text("")
    learn(tmp_path)
    assert sorted(read_all(tmp_path)) == ["config.yaml", "curve.json", "learner.npz", "weights.npz"]


# --- folders ---


def test_a_run_is_not_replaced_unasked(tmp_path, fail_to):
    learn(tmp_path)
    before = read_all(tmp_path)
    said = fail_to(learn, tmp_path)
    assert said == (
        f"train-value: --out: {tmp_path} holds a run (config.yaml, curve.json, learner.npz, weights.npz); go on "
        f"with it by --resume {tmp_path / 'learner.npz'}, replace it by --overwrite, or name another folder"
    )
    said = fail_to(train.main, train.Args(out=tmp_path))
    assert said.startswith(f"train: --out: {tmp_path} holds a run (config.yaml, curve.json, learner.npz, weights.npz)")
    assert read_all(tmp_path) == before


def test_the_file_written_last_is_named_to_go_on_with(tmp_path, fail_to):
    learn(tmp_path)
    for name, seconds in (("checkpoint-9.npz", -60), ("checkpoint-5.npz", 60), ("events.out.tfevents.1.host.2.0", 90)):
        (tmp_path / name).write_bytes(b"")
        time = (tmp_path / "learner.npz").stat().st_mtime + seconds
        os.utime(tmp_path / name, (time, time))
    said = fail_to(learn, tmp_path)
    assert f"go on with it by --resume {tmp_path / 'checkpoint-5.npz'}, replace it" in said


@pytest.mark.parametrize("name", ["config.json", "final.npz", "checkpoint-9.npz", "events.out.tfevents.1.host.2.0"])
def test_what_is_left_of_a_run_of_the_other_training_is_not_mixed_with(tmp_path, fail_to, name):
    (tmp_path / name).write_text("")
    (tmp_path / "config.yaml").write_text(
        "# zamek train --config FILE takes this back; what the command line says wins"
    )
    said = fail_to(learn, tmp_path)
    found = ", ".join(sorted([name, "config.yaml"]))
    assert said.startswith(f"train-value: --out: {tmp_path} holds a run ({found}); ")
    learn(tmp_path, overwrite=True)
    assert sorted(read_all(tmp_path)) == ["config.yaml", "curve.json", "learner.npz", "weights.npz"]


@pytest.mark.parametrize("name", ["config.json", "config.yaml", "weights.npz"])
def test_files_that_only_have_the_names_of_those_of_a_run_are_never_replaced(tmp_path, fail_to, name):
    (tmp_path / name).write_text("mine")
    said = fail_to(learn, tmp_path, overwrite=True)
    assert said == (
        f"train-value: --out: {tmp_path} holds no run, but files called like those of one ({name}); name another folder"
    )
    assert read_all(tmp_path) == {name: b"mine"}


def test_a_run_is_replaced_where_that_is_asked_for_and_other_files_are_left(tmp_path):
    learn(tmp_path, seed=1)
    (tmp_path / "notes.txt").write_text("mine")
    before = read_all(tmp_path)
    learn(tmp_path, seed=2, overwrite=True)
    after = read_all(tmp_path)
    assert after.keys() == before.keys() and after["notes.txt"] == b"mine"
    assert after["learner.npz"] != before["learner.npz"]


def test_a_kill_while_a_run_is_cleared_leaves_one_that_can_be_cleared(tmp_path, monkeypatch):
    args = train_value.Args(out=tmp_path, overwrite=True)
    for name in ("config.yaml", "learner.npz", "weights.npz"):
        (tmp_path / name).write_text("# zamek train-value")
    unlink = Path.unlink

    def unlink_one(path):
        monkeypatch.setattr(Path, "unlink", interrupt)
        unlink(path)

    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "unlink", unlink_one)
    with pytest.raises(KeyboardInterrupt), begin_run(args):
        pass
    monkeypatch.undo()
    assert len(read_all(tmp_path)) == 2
    check_folder(args)
    with begin_run(args):
        assert not read_all(tmp_path)


def test_a_run_that_another_program_has_begun_meanwhile_is_not_mixed_with(tmp_path):
    args = train_value.Args(out=tmp_path)
    check_folder(args)
    (tmp_path / "config.yaml").write_text("# zamek train-value")
    with pytest.raises(ValueError, match="holds a run"), begin_run(args):
        pass


@pytest.mark.skipif(os.name != "posix", reason="needs locks")
def test_two_runs_do_not_begin_in_one_folder(tmp_path):
    args = train_value.Args(out=tmp_path / "out")
    message = f"--out: {args.out}: another process is writing it; name another folder"
    with begin_run(args), pytest.raises(ValueError, match=re.escape(message)), begin_run(args):
        pass
    with begin_run(args):
        assert not read_all(args.out)


def test_a_run_is_not_replaced_by_one_that_is_resumed_from_elsewhere(tmp_path, fail_to):
    first, second = tmp_path / "first", tmp_path / "second"
    learn(first, seed=1)
    learn(second, seed=2)
    before, resume = read_all(second), first / "learner.npz"
    said = fail_to(learn, second, 4, resume=resume)
    assert said == (
        f"train-value: --out: {second} holds another run than that of {resume} (config.yaml, curve.json, "
        f"learner.npz, weights.npz); replace it by --overwrite, or name another folder"
    )
    assert read_all(second) == before
    learn(second, 4, resume=resume, overwrite=True)
    learn(first, 4, resume=resume, overwrite=True)  # goes on where it lies: there is nothing to overwrite
    check_same_arrays(second / "learner.npz", first / "learner.npz")


def test_a_run_that_cannot_begin_leaves_the_one_to_overwrite(tmp_path, fail_to):
    learn(tmp_path)
    before = read_all(tmp_path)
    bad = tmp_path / "notes.txt"
    bad.write_text("no learner")
    for changes in ({"rate": 0.0}, {"resume": bad}):
        fail_to(learn, tmp_path, overwrite=True, **changes)
    bad.unlink()
    assert read_all(tmp_path) == before


def test_a_file_is_no_folder_to_write_to(tmp_path, fail_to):
    (tmp_path / "file").write_text("")
    said = fail_to(learn, tmp_path / "file")
    assert said == f"train-value: --out: {tmp_path / 'file'} is not a folder"
    said = fail_to(learn, tmp_path / "file" / "below")
    assert said.startswith("train-value: --out: ") and "what should be its folder is a file" in said


# --- what is resumed ---


def test_a_run_that_is_over_is_written_whole_when_it_is_resumed(tmp_path):
    """A kill may come between the learner and the weights."""
    learn(tmp_path)
    written = [read_arrays(tmp_path / name)[0] for name in ("weights.npz", "learner.npz")]
    for name in ("weights.npz", "curve.json"):
        (tmp_path / name).unlink()
    learn(tmp_path, resume=tmp_path / "learner.npz")
    np.testing.assert_equal([read_arrays(tmp_path / name)[0] for name in ("weights.npz", "learner.npz")], written)
    assert [row["games"] for row in json.loads((tmp_path / "curve.json").read_text())] == [1, 2]


def test_a_run_that_is_resumed_tells_the_settings_that_it_was_begun_with(tmp_path, fail_to):
    begun = {"seed": 7, "rate": 0.1, "memory": 9}
    learn(tmp_path, games=1, **begun)
    learn(tmp_path, resume=tmp_path / "learner.npz")
    config = yaml.safe_load((tmp_path / "config.yaml").read_text())
    assert {name: config[name] for name in begun} == begun
    path = tmp_path / "learner.npz"
    said = fail_to(learn, tmp_path, resume=path, rate=0.2)
    assert said == f"train-value: --rate must be left out with --resume, or be 0.1 as in {path}, not 0.2"
    said = fail_to(learn, tmp_path, resume=path, seed=8)
    assert said == f"train-value: --seed must be left out with --resume, or be 7 as in {path}, not 8"


# --- a disk that is full ---


@pytest.mark.parametrize("writes", range(6))
def test_a_full_disk_ends_training_in_one_line_and_what_was_written_is_kept(tmp_path, fail_to, monkeypatch, writes):
    """Each file is synced with its folder. First come the arguments, then what each report writes."""
    count = []

    def sync(number):
        count.append(number)
        if len(count) > 2 * writes:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(atomic_file.os, "fsync", sync)
    said = fail_to(learn, tmp_path, code=1)
    names = ("config.yaml", "learner.npz", "weights.npz", "curve.json", "config.yaml", "learner.npz")
    path = tmp_path / names[writes]
    go_on = f"; go on by: zamek train-value --config {tmp_path}/config.yaml --resume {tmp_path}/learner.npz"
    assert said == (
        f"train-value: {path} cannot be written: No space left on device; what was written to {tmp_path} before is kept"
        + (go_on if "learner.npz" in names[:writes] else ", and no checkpoint is among it")
    )
    assert sorted(read_all(tmp_path)) == sorted({*names[:writes]})
    check_whole(tmp_path)


# --- kills ---


SMALL = (
    "--games", 8, "--past-games", 2, "--opponent-games", 2, "--imitation-games", 32, "--rollout", 16, "--batch", 64,
    "--epochs", 1, "--past-every", 1, "--width", 16, "--hidden", 8, "--threads", 1, "--imitate", 64, "--steps", 256,
    "--checkpoint-every", 32,
)  # fmt: skip
TINY = ("--ruleset", RULESET, "--games", 300, "--report-every", 3, "--match-deals", 0)
ROUNDS = (
    "--ruleset", RULESET, "--rounds", 60, "--games", 2, "--decisions", 2, "--deals", 1, "--turns", 2, "--passes", 1,
    "--match-deals", 1, "--workers", 1,
)  # fmt: skip
COMMANDS = {"train": SMALL, "train-value": TINY, "refine-value": ROUNDS}
LAST = {"train": "final.npz", "train-value": "learner.npz", "refine-value": "refined.npz"}


def find_newest(folder):
    """Return the checkpoint, learner or refinement in `folder` that is farthest, or None."""

    def measure(path):
        about = read_arrays(path)[1]
        if "decisions" in about:
            return about["imitated"] + about["decisions"]
        return about.get("games", len(about["curve"]))

    found = [path for name in RESUMABLE for path in folder.glob(name)]
    return max(found, key=measure, default=None)


def check_whole(folder):
    """Check that every file in `folder` can be used, but for those that were being written."""
    for path in folder.iterdir():
        if path.name.startswith((".", "events.")):
            continue
        if path.suffix == ".json":
            json.loads(path.read_text())
        elif path.suffix == ".yaml":
            yaml.safe_load(path.read_text())
        elif path.name == "learner.npz":
            load_learner(path, get_ruleset(RULESET))
        elif path.name == "refined.npz":
            load_refined(path, get_ruleset(RULESET))
        elif (folder / "config.json").exists():
            load_policy(path)
        else:
            read_file(path)


def look_at(folder):
    """Return the names in `folder` and when what bears them was written, as far as it is still there."""
    found = set()
    for entry in os.scandir(folder):
        with suppress(FileNotFoundError):
            found.add((entry.name, entry.stat().st_mtime_ns))
    return found


def start(script, folder):
    """Start a training, or go on with the one in `folder`."""
    newest = find_newest(folder)
    begun = ("--resume", newest) if newest else ("--overwrite",)
    command = [sys.executable, "-m", "zamek_scripts.cli", script, *COMMANDS[script], "--out", folder, *begun]
    return subprocess.Popen([*map(str, command)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


@pytest.mark.long
@pytest.mark.parametrize("script", COMMANDS)
def test_a_training_that_is_killed_again_and_again_ends_as_if_it_had_not_been(tmp_path, script):
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    whole.mkdir()
    killed.mkdir()
    rng = np.random.default_rng()
    processes = [start(script, whole)]
    for _ in range(KILLS):
        before = look_at(killed)
        process = start(script, killed)
        while process.poll() is None and look_at(killed) == before:
            time.sleep(0.01)  # until it begins to write
        time.sleep(rng.random() ** 2)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        check_whole(killed)
    processes.append(start(script, killed))
    for process in processes:
        said = process.communicate()[1].decode()
        assert process.returncode == 0, said
    for name in (LAST[script], "weights.npz"):
        check_same_arrays(killed / name, whole / name)
    assert not list(killed.glob(".*.part"))
