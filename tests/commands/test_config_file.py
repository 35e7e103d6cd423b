"""Arguments in a file: what a training writes comes back, the command line wins, and what does not fit is named."""

import sys
from dataclasses import dataclass, replace
from pathlib import Path
from runpy import run_path
from types import SimpleNamespace
from typing import Literal

import pytest
import yaml

from zamek_env.common.extras import MissingExtraError
from zamek_scripts import cli, train_value
from zamek_scripts.cli import parse
from zamek_scripts.provenance import TrackingError, check_tracking, track
from zamek_scripts.run_folder import read_config, write_config


@dataclass
class Args:
    out: Path = Path("runs")
    resume: Path | None = None
    config: Path | None = None
    overwrite: bool = False
    steps: int = 5
    rate: float = 0.5
    minutes: float | None = None
    opponents: tuple[str, ...] = ("greedy",)
    reward: Literal["win", "delta"] = "win"
    track: Literal["wandb"] | None = None
    weights: Path | None = None


def write(folder, text):
    path = folder / "file.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_what_is_written_comes_back(tmp_path):
    args = Args(
        tmp_path, weights=Path("ł: #x"), steps=7, rate=1e-5, minutes=2.0, opponents=("a b", "- c"), reward="delta"
    )
    write_config(args, "train")
    path = tmp_path / "config.yaml"
    assert parse(Args, ["--config", str(path)]) == replace(args, config=path)
    held = path.read_text(encoding="utf-8")
    assert held.startswith("# zamek train --config FILE ") and "ł" in held


def test_the_command_line_wins(tmp_path):
    path = write(tmp_path, "steps: 7\nrate: 3e-4\nopponents: [a, b]\nminutes: 3")
    args = parse(Args, [f"--config={path}", "--steps", "8", "--opponents", "c"])
    assert args == Args(config=path, steps=8, rate=3e-4, opponents=("c",), minutes=3.0)
    assert type(args.minutes) is float
    assert parse(Args, ["--steps", "8"]) == Args(steps=8)


@pytest.mark.parametrize(
    ("text", "number"),
    [("010", 10), ("08", 8), ("-010", -10), ("0o10", 8), ("0x10", 16), ("1_000", 1000), ("0", 0), ("+3", 3)],
)
def test_whole_numbers_are_those_of_yaml_1_2(text, number, tmp_path):
    assert read_config(Args, write(tmp_path, f"steps: {text}")) == {"steps": number}


@pytest.mark.parametrize("name", ["010", "08", "0o7", "1e5", "3"])
def test_a_name_of_digits_comes_back_as_a_name(name, tmp_path):
    write_config(Args(tmp_path, weights=Path(name), opponents=(name,)), "train")
    found = read_config(Args, tmp_path / "config.yaml")
    assert (found["weights"], found["opponents"]) == (Path(name), (name,))


def test_a_run_that_was_resumed_is_repeated_from_its_beginning(tmp_path):
    write_config(Args(tmp_path, tmp_path / "checkpoint-1.npz", weights=Path("begun.npz")), "train")
    found = read_config(Args, tmp_path / "config.yaml")
    assert "resume" not in found and found["weights"] == Path("begun.npz")


@pytest.mark.parametrize(
    ("arguments", "named"),
    [(["--out", ""], "--out"), (["--out="], "--out"), (["", "--steps", "8"], "arguments"), (["--a", "b", ""], "argum")],
)
def test_an_empty_argument_is_no_path(arguments, named):
    with pytest.raises(ValueError, match=f"{named}.* must not be empty"):
        parse(Args, arguments)


@pytest.mark.parametrize("command", ["evaluate", "train"])
def test_a_file_run_as_a_program_refuses_empty_arguments_as_its_command_does(monkeypatch, refused, command):
    path = Path(__file__).parents[2] / "scripts" / f"{command}.py"
    monkeypatch.setattr(sys, "argv", [str(path), "--out", ""])
    assert refused(run_path, str(path), run_name="__main__") == f"{command}: --out must not be empty\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("out: ''", "out must be a path, not ''"),
        ("stepps: 7", "must hold only arguments of the command, not stepps; is steps meant?"),
        ("zzz: 7\nyyy: 8", "not zzz, yyy; there are out, resume, steps, rate,"),
        ("steps: 7.5", "steps must be a whole number, not 7.5"),
        ("steps: true", "steps must be a whole number, not True"),
        ("rate: '3'", "rate must be a number, not '3'"),
        (f"rate: 1{'0' * 400}", "rate must be a number that a computer holds, not 1000"),
        ("reward: loss", "reward must be 'win' or 'delta', not 'loss'"),
        ("opponents: [a, 1]", "opponents must be a list of text, not ['a', 1]"),
        ("opponents: greedy", "opponents must be a list of text, not 'greedy'"),
        ("out: 3", "out must be a path, not 3"),
        ("minutes: soon", "minutes must be a number or null, not 'soon'"),
        ("overwrite: true", "must not hold overwrite: only the command line may say that"),
        ("config: other.yaml", "must not hold config: only the command line may say that"),
        ("steps: 7\nsteps: 8", "line 2: 'steps' stands there twice"),
        ("opponents: &a [a]\nout: *a", "line 2: aliases are not taken"),
        ("? [a]\n: 1", "line 1: a name must be text"),
        ("out: !!python/object/apply:os.system [ls]", "line 1: tags are not taken, such as 'tag:yaml.org,2002:python/"),
        ("steps: 7\nrate: !!float ''", "line 2: tags are not taken, such as 'tag:yaml.org,2002:float'"),
        ("overwrite: !!bool maybe", "line 1: tags are not taken, such as 'tag:yaml.org,2002:bool'"),
        (f"rate: 1{':59' * 300}.5", "rate must be a number, not '1:59:59"),
        (f"steps: 1{':59' * 30_000}", "steps must be a whole number, not '1:59:59"),
        ("steps: 2001-99-99", "steps must be a whole number, not '2001-99-99'"),
        ("- steps", "must hold a line `name: value` for each argument, not ['steps']"),
        ("", "must hold a line `name: value` for each argument, not None"),
        ("steps: [", "line 1: expected the node content"),
        ("[" * 5000, "is no YAML: maximum recursion depth exceeded"),
        ("x" * 100_001, "must be at most 100,000 bytes long"),
        (f"rate: 1\nsteps: 0x{'f' * 5000}", "line 2: a number must have at most 1,000 digits, not 5,002"),
        ('out: "a\\0b"', "out must be a path, not 'a\\x00b'"),
        ('out: "a\\uD800"', "out must be a path, not 'a\\ud800'"),
        ("a\0b", "is no YAML: unacceptable character"),
    ],
)
def test_what_cannot_be_taken_is_named(tmp_path, text, message):
    path = write(tmp_path, text)
    with pytest.raises(ValueError) as refused:
        read_config(Args, path)
    assert str(refused.value).startswith(f"--config: {path}: ") and message in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_file_that_is_not_there_or_is_no_text_is_refused(tmp_path, refused):
    refusal = refused(cli.main, ["train-value", "--config", str(tmp_path / "none.yaml")])
    assert "none.yaml cannot be read: No such file" in refusal
    (tmp_path / "bytes.yaml").write_bytes(b"\xff")
    with pytest.raises(ValueError, match=r"bytes\.yaml: must be text in UTF-8"):
        read_config(Args, tmp_path / "bytes.yaml")


def test_a_run_can_be_repeated_from_its_file(tmp_path, monkeypatch):
    taken = []
    monkeypatch.setattr(train_value, "main", taken.append)
    first = train_value.Args(out=tmp_path, games=7, rate=0.25, ruleset="sokol", overwrite=True)
    write_config(first, "train-value")
    assert "overwrite" not in yaml.safe_load((tmp_path / "config.yaml").read_text())
    cli.main(["train-value", "--config", str(tmp_path / "config.yaml"), "--seed", "9"])
    assert taken == [replace(first, config=tmp_path / "config.yaml", overwrite=False, seed=9)]


# --- tracking ---


def test_without_wandb_it_is_said_how_to_get_it(monkeypatch):
    check_tracking(Args())
    monkeypatch.setitem(sys.modules, "wandb", None)
    with pytest.raises(MissingExtraError, match=r"--track wandb needs wandb, .*\[wandb\]"):
        check_tracking(Args(track="wandb"))


class Wandb:
    """Stands in for the package wandb, and notes what it is asked for."""

    def __init__(self, problem=None):
        self.errors, self.begun, self.logged, self.finished = SimpleNamespace(Error=WandbError), [], [], []
        self.problem = problem

    def init(self, **settings):
        if self.problem:
            raise WandbError(self.problem)
        self.begun.append(settings)
        return SimpleNamespace(log=self.logged.append, finish=lambda exit_code=0: self.finished.append(exit_code))


class WandbError(Exception):
    """Of the package that is stood in for."""


def test_a_run_is_followed_by_its_name_with_its_arguments_and_numbers(monkeypatch):
    wandb = Wandb()
    monkeypatch.setitem(sys.modules, "wandb", wandb)
    with track(Args(Path("runs/third"), track="wandb"), {"version": "1.2.3"}) as log:
        log({"loss": 0.5}, 40)
        assert wandb.finished == []
    (settings,) = wandb.begun
    assert (settings["project"], settings["name"], settings["sync_tensorboard"]) == ("zamek", "third", True)
    assert settings["config"].items() >= {"version": "1.2.3", "steps": 5, "reward": "win"}.items()
    assert wandb.logged == [{"loss": 0.5, "global_step": 40}] and wandb.finished == [0]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_a_run_that_fails_is_followed_to_its_failure(error, monkeypatch):
    wandb = Wandb()
    monkeypatch.setitem(sys.modules, "wandb", wandb)
    with pytest.raises(error), track(Args(track="wandb"), {}):
        raise error
    assert wandb.finished == [1]


def test_a_run_that_cannot_be_followed_is_refused_in_one_line(monkeypatch):
    monkeypatch.setitem(sys.modules, "wandb", Wandb("no login\nmore of it"))
    said = r"^--track wandb: no login; log in by `wandb login`, or set WANDB_MODE=\w+$"
    with pytest.raises(TrackingError, match=said), track(Args(track="wandb"), {}):
        pytest.fail("nothing is to be trained")


def test_a_run_that_cannot_be_followed_leaves_the_one_it_was_to_overwrite(monkeypatch, tmp_path, refused):
    monkeypatch.setitem(sys.modules, "wandb", Wandb("No API key configured."))
    kept = {"config.yaml": b"# zamek train-value\n", "learner.npz": b"of hours"}
    for name, content in kept.items():
        (tmp_path / name).write_bytes(content)
    monkeypatch.setattr(train_value, "Run", lambda args: SimpleNamespace(args=args, ruleset=None, begin=pytest.fail))
    monkeypatch.setattr(train_value.learner, "compile_all", lambda ruleset: None)
    said = refused(train_value.main, train_value.Args(out=tmp_path, track="wandb", overwrite=True))
    assert said.startswith("train-value: --track wandb: No API key configured; log in by `wandb login`")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == kept


def test_nothing_is_followed_unasked(monkeypatch):
    monkeypatch.setitem(sys.modules, "wandb", None)
    with track(Args(), {}) as log:
        log({"loss": 0.5}, 40)


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")  # of wandb
def test_a_run_is_followed_offline(tmp_path, monkeypatch):
    wandb = pytest.importorskip("wandb")
    writers = pytest.importorskip("torch.utils.tensorboard")
    monkeypatch.setenv("WANDB_MODE", "offline")
    monkeypatch.setenv("WANDB_SILENT", "true")
    monkeypatch.chdir(tmp_path)
    args = Args(out=tmp_path / "run", track="wandb")
    args.out.mkdir()
    with track(args, {"version": "1.2.3"}) as log:
        writer = writers.SummaryWriter(str(args.out))
        for number in range(3):
            log({"noted/directly": number}, number)
            writer.add_scalar("noted/tensorboard", number, number)
        writer.close()
    wandb.teardown()  # what it wrote has reached the disk then
    (kept,) = tmp_path.glob("wandb/offline-run-*/run-*.wandb")
    content = kept.read_bytes()
    for word in (b"noted/directly", b"noted/tensorboard", b"1.2.3", b"opponents"):
        assert word in content, word
    assert [path.name for path in args.out.iterdir() if "tfevents" not in path.name] == []
