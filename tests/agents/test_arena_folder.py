"""`scripts/evaluate.py --out`: everything is kept in a folder, and a run that was cut short goes on."""

import csv
import errno
import json
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.support.games import few
from zamek_agents.arena.round_robin import RoundRobin
from zamek_agents.arena.store import KeptResults
from zamek_scripts import evaluate
from zamek_scripts.evaluate import Args, main
from zamek_scripts.shared_args import open_workers

SCRIPT = Path(__file__).parents[2] / "scripts" / "evaluate.py"
ODD_AGENT = r"""
class Odd:
    name = r"$\frac{x$ _"

    def act(self, game, rng):
        return game.legal_actions()[0]
"""
TIMES = ("seconds", "milliseconds_a_decision")


def test_a_folder_holds_everything_and_is_continued(tmp_path, capsys):
    out = tmp_path / "deep" / "out"
    main(Args(games=4, out=out, workers=1))
    assert sorted(path.name for path in out.iterdir()) == ["agents.csv", "pairings.csv", "pairs.jsonl", "results.json"]
    main(Args(games=6, out=out, workers=1, plots=True))
    assert {path.name for path in out.glob("*.svg")} == {"ratings.svg", "wins.svg", "points.svg"}
    assert len((out / "pairs.jsonl").read_text().splitlines()) == 1 + 3
    (pairing,) = read_csv(out / "pairings.csv")
    assert (pairing["agent"], pairing["opponent"], pairing["games"], pairing["sprt_accepted"]) == (
        "greedy",
        "random",
        "6",
        "",
    )
    standings = read_csv(out / "agents.csv")
    assert [row["agent"] for row in standings] == ["greedy", "random"]
    assert float(standings[0]["elo"]) == 0
    assert float(standings[0]["points by road"]) > 0
    capsys.readouterr()


def test_pictures_appear_whole_or_not_at_all(tmp_path, monkeypatch, refused):
    figure = pytest.importorskip("matplotlib.figure").Figure
    save, wanted = figure.savefig, Args(games=2, out=tmp_path, workers=1, plots=True)
    main(wanted)
    before = {path: path.read_bytes() for path in tmp_path.glob("*.svg")}

    def fill_the_disk(self, file, **how):
        save(self, file, **how)
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(figure, "savefig", fill_the_disk)
    assert f"{tmp_path / 'ratings.svg'} cannot be written" in refused(main, replace(wanted, games=4), code=1)
    assert {path: path.read_bytes() for path in tmp_path.glob("*.svg")} == before
    assert not list(tmp_path.glob(".*"))


def test_names_are_drawn_as_they_are(tmp_path, monkeypatch, capsys):
    (tmp_path / "odd.py").write_text(ODD_AGENT, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    main(Args(agents=("odd.py:Odd", "random"), games=2, out=Path("out"), workers=1, plots=True))
    assert len(list(Path("out").glob("*.svg"))) == 3
    capsys.readouterr()


def test_results_that_are_not_asked_for_take_no_work_from_the_workers(tmp_path, monkeypatch, capsys):
    """Here the first of three pairings was played further than it is to be, and the others not at all."""
    agents, out, started = ("random", "greedy", "random"), tmp_path / "out", []
    main(Args(agents=agents, games=16, out=out, workers=1))
    pairs = out / "pairs.jsonl"
    pairs.write_text("".join(pairs.read_text().splitlines(keepends=True)[:9]))

    def open_one(args, tasks, make_ready):
        started.append(tasks)
        return open_workers(args, 1, make_ready)

    monkeypatch.setattr(evaluate, "open_workers", open_one)
    for games in (6, 6):
        main(Args(agents=agents, games=games, out=out, workers=8))
    assert started == [6, 0]  # sets of two pairings, then none
    capsys.readouterr()


def test_the_records_of_a_continued_run_are_all_there(tmp_path, capsys):
    for folder, stops in (("cut", (2, 4)), ("whole", (4,))):
        for games in stops:
            records = tmp_path / f"{folder}.jsonl"
            main(Args(games=games, out=tmp_path / folder, records=records, workers=1, overwrite=True))
    assert (tmp_path / "cut.jsonl").read_bytes() == (tmp_path / "whole.jsonl").read_bytes()
    assert len((tmp_path / "cut.jsonl").read_text().splitlines()) == 4
    capsys.readouterr()


def read_csv(path):
    return list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))


@pytest.mark.long
def test_an_interrupted_run_goes_on_to_the_results_of_one_that_was_not(tmp_path, capsys):
    arguments = ["--agents", "greedy", "greedy", "--games", "2000", "--workers", "2", "--out", str(tmp_path / "cut")]
    command = [sys.executable, str(SCRIPT), *arguments]
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as running:
        wait_for_lines(tmp_path / "cut" / "pairs.jsonl", 5)
        running.send_signal(signal.SIGINT)
        said = running.communicate()[1]
    assert running.returncode == 130
    assert said.endswith("evaluate: interrupted; the same command goes on from here\n")
    assert "Traceback" not in said
    played = len((tmp_path / "cut" / "pairs.jsonl").read_text().splitlines()) - 1
    games = 2 * (played + 2)
    assert games < 2000
    for folder in ("cut", "whole"):
        main(Args(("greedy", "greedy"), games=games, workers=1, out=tmp_path / folder))
    whole, cut = (json.loads((tmp_path / folder / "results.json").read_text()) for folder in ("whole", "cut"))
    assert [whole[name] == cut[name] for name in ("agents", "pairings", "first_player")] == [True] * 3
    capsys.readouterr()


@pytest.mark.long
@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_run_that_is_killed_again_and_again_comes_to_the_same_results(tmp_path, workers):
    arguments = ["--agents", "greedy", "random", "--games", "60", "--seed", "7", "--workers", workers]
    cut, whole = tmp_path / "cut", tmp_path / "whole"
    rng = np.random.default_rng(int(workers))
    cut.mkdir()  # a first kill may come before anything is written
    for kill in range(few(3, 1)):
        with start(*arguments, "--out", str(cut)) as running:
            if kill:
                wait_for_lines(cut / "pairs.jsonl", count_lines(cut / "pairs.jsonl") + int(rng.integers(1, 6)))
            time.sleep(rng.random() * (0.1 if kill else 2))
            running.kill()
            running.communicate(timeout=60)
        assert list(load_numbers(cut)) == list(range(max(0, count_lines(cut / "pairs.jsonl") - 1)))
    for folder in (cut, whole):
        with start(*arguments, "--out", str(folder)) as running:
            running.communicate(timeout=300)
            assert running.returncode == 0
    assert {path.name for path in whole.iterdir()} <= {path.name for path in cut.iterdir()}
    assert timeless_report(cut) == timeless_report(whole)
    assert load_numbers(cut) == load_numbers(whole) == list(range(30))


def start(*arguments):
    command = [sys.executable, str(SCRIPT), *arguments]
    return subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)


def count_lines(path):
    return path.read_bytes().count(b"\n") if path.exists() else 0


def load_numbers(folder):
    """Return the numbers of the pairs that are kept, in the order of the file."""
    with KeptResults(folder / "pairs.jsonl", RoundRobin(("greedy", "random"), seed=7)) as kept:
        return [number for _, number in kept.results]


def timeless_report(folder):
    """Return what `results.json` holds but for what took how long, and of the command that was called."""
    report = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    return {name: entry for name, entry in report.items() if name not in ("command", "arguments", *TIMES)}


def test_two_runs_do_not_write_into_one_folder(tmp_path, refused):
    pytest.importorskip("fcntl")
    main(Args(games=2, out=tmp_path, workers=1))
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    with KeptResults(tmp_path / "pairs.jsonl", RoundRobin(("greedy", "random"))):
        refusal = refused(main, Args(games=4, out=tmp_path, workers=1))
    assert refusal.endswith(f"evaluate: --out: {tmp_path} cannot be written: another process is writing it\n")
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


@pytest.mark.long
def test_a_full_disk_ends_a_run_in_one_line_with_everything_kept(tmp_path):
    """A limit on the size of files stands for it; it takes records to come to it."""
    resource = pytest.importorskip("resource")
    out, records = tmp_path / "out", tmp_path / "games.jsonl"
    arguments = ["--games", "40", "--workers", "1", "--out", str(out), "--records", str(records)]

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (150_000, resource.RLIM_INFINITY))

    command = [sys.executable, str(SCRIPT), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", preexec_fn=limit)
    said = f"evaluate: {out / 'pairs.jsonl'} cannot be written: File too large; the same command goes on from here"
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.splitlines()[-1] == said and "Traceback" not in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    assert [path.name for path in out.iterdir()] == ["pairs.jsonl"]
    assert 5 < count_lines(out / "pairs.jsonl") < 21
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0 and count_lines(records) == 40


@pytest.mark.long
def test_processes_end_with_a_run_that_is_killed(tmp_path):
    command = [sys.executable, str(SCRIPT), "--games", "4000", "--workers", "2", "--out", str(tmp_path)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL) as running:
        wait_for_lines(tmp_path / "pairs.jsonl", 5)
        running.kill()
        running.communicate(timeout=60)  # returns once nobody has stderr open any more


def wait_for_lines(path, count):
    """Return once the file holds so many lines, which takes most of a minute where others work too."""
    for _ in range(3000):
        if path.exists() and path.read_text().count("\n") >= count:
            return
        time.sleep(0.05)
    raise AssertionError(f"{path} does not grow")


def test_a_folder_that_cannot_be_made_is_refused_in_one_line(tmp_path, refused):
    (tmp_path / "file").write_text("old")
    for out, why in ((tmp_path / "file", "is not a folder"), (tmp_path / "file" / "out", "cannot be written: ")):
        refusal = refused(main, Args(games=2, out=out))
        assert refusal.startswith(f"evaluate: --out: {out} {why}")
        assert refusal.count("\n") == 1
