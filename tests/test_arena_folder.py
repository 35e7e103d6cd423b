"""`scripts/evaluate.py --out`: everything is kept in a folder, and a run that was cut short goes on."""

import csv
import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from zamek_scripts.evaluate import Args, main

SCRIPT = Path(__file__).parents[1] / "scripts" / "evaluate.py"


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
    assert float(standings[1]["elo"]) == 0
    assert float(standings[0]["points by road"]) > 0
    capsys.readouterr()


def test_the_records_of_a_continued_run_are_all_there(tmp_path, capsys):
    for folder, stops in (("cut", (2, 4)), ("whole", (4,))):
        for games in stops:
            main(Args(games=games, out=tmp_path / folder, records=tmp_path / f"{folder}.jsonl", workers=1))
    assert (tmp_path / "cut.jsonl").read_bytes() == (tmp_path / "whole.jsonl").read_bytes()
    assert len((tmp_path / "cut.jsonl").read_text().splitlines()) == 4
    capsys.readouterr()


def read_csv(path):
    return list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))


def test_a_folder_of_other_settings_is_refused_in_one_line(tmp_path, capsys):
    main(Args(games=2, out=tmp_path, workers=1))
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    capsys.readouterr()
    with pytest.raises(SystemExit) as exit_info:
        main(Args(games=2, out=tmp_path, workers=1, seed=1))
    assert exit_info.value.code == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "pairs.jsonl holds results of other settings: its seed is 0, and 1 is asked for" in printed.err
    assert printed.err.count("\n") == 1
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_an_interrupted_run_goes_on_to_the_results_of_one_that_was_not(tmp_path, capsys):
    arguments = ["--agents", "greedy", "greedy", "--games", "300", "--workers", "2", "--out", str(tmp_path / "cut")]
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
    assert games < 300
    for folder in ("cut", "whole"):
        main(Args(("greedy", "greedy"), games=games, workers=1, out=tmp_path / folder))
    whole, cut = (json.loads((tmp_path / folder / "results.json").read_text()) for folder in ("whole", "cut"))
    assert [whole[name] == cut[name] for name in ("agents", "pairings", "first_player")] == [True] * 3
    capsys.readouterr()


def test_processes_end_with_a_run_that_is_killed(tmp_path):
    command = [sys.executable, str(SCRIPT), "--games", "4000", "--workers", "2", "--out", str(tmp_path)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL) as running:
        wait_for_lines(tmp_path / "pairs.jsonl", 5)
        running.kill()
        running.communicate(timeout=60)  # returns once nobody has stderr open any more


def wait_for_lines(path, count):
    """Return once the file holds so many lines."""
    for _ in range(600):
        if path.exists() and path.read_text().count("\n") >= count:
            return
        time.sleep(0.05)
    raise AssertionError(f"{path} does not grow")


def test_a_folder_that_cannot_be_made_is_refused_in_one_line(tmp_path, capsys):
    (tmp_path / "file").write_text("old")
    for out in (tmp_path / "file", tmp_path / "file" / "out"):
        with pytest.raises(SystemExit):
            main(Args(games=2, out=out))
        printed = capsys.readouterr().err
        assert printed.startswith(f"evaluate: --out: {out} cannot be written: ")
        assert printed.count("\n") == 1
