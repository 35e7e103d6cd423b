"""Output of the commands on terminals and pipes of any kind, run as their users run them, and how they end."""

import errno
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from rich.table import Table

from zamek_agents.base import DivergedError
from zamek_agents.workers import WorkerLostError
from zamek_env import ComponentError, Game, RecordError
from zamek_env.common.extras import MissingExtraError
from zamek_scripts import cli, models, show, warmup
from zamek_scripts.atomic_file import write_atomic
from zamek_scripts.terminal import make_console, reporting_errors, reporting_failures, reporting_refusals

ROOT = Path(__file__).parents[2]
EVALUATE = ["evaluate", "--agents", "random", "greedy", "random", "--games", "2", "--workers", "1", "--sprt"]
ENCODINGS = ["ascii:strict", "cp1252", "ascii", "cp437:strict", "utf-8"]
posix = pytest.mark.skipif(os.name != "posix", reason="needs a shell")


def command(*arguments, **settings):
    """Return the command line and the environment of `zamek` with these arguments."""
    program = "import sys; from zamek_scripts.cli import main; sys.exit(main())"
    return [sys.executable, "-c", program, *arguments], os.environ | settings


def run(*arguments, **settings):
    line, environment = command(*arguments, **settings)
    return subprocess.run(line, cwd=ROOT, env=environment, capture_output=True)


def shell(script, *arguments, **settings):
    """Run a shell script in which `"$@"` is `zamek` with these arguments."""
    line, environment = command(*arguments, **settings)
    shell_line = ["bash", "-c", script, "bash", *line]
    return subprocess.run(shell_line, cwd=ROOT, env=environment, capture_output=True, text=True, encoding="utf-8")


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.long
def test_tables_are_shown_in_any_encoding(encoding):
    done = run(*EVALUATE, PYTHONIOENCODING=encoding)
    name = encoding.partition(":")[0]
    printed, said = done.stdout.decode(name), done.stderr.decode(name)
    assert done.returncode == 0 and "Traceback" not in said and "6/6" in said
    assert "Who begins wins" in printed and "?" not in printed
    assert ("…" in printed) == (name in ("utf-8", "cp1252"))
    assert ("% ... " in printed) == (name in ("ascii", "cp437"))


@pytest.mark.parametrize("is_terminal", [False, True])
def test_names_in_tables_are_shown_as_they_are(is_terminal, capsys, monkeypatch):
    if is_terminal:
        monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
        monkeypatch.setenv("FORCE_COLOR", "1")  # by which rich takes anything for a terminal
        monkeypatch.setenv("COLUMNS", "200")
    name = 'my_agent.py:MyAgent(name="[/b] [red]x :car:")'
    table = Table(name, title=name)
    table.add_row(name)
    make_console().print(table)
    printed = re.sub(r"\x1b\[[0-9;]*m", "", capsys.readouterr().out)
    assert printed.count(name) == 3


def test_lines_of_tables_in_a_file_end_without_spaces(capsys):
    models.main(models.Args())
    table = Table("agent", "wins", title="a title")
    for row in (("a" * 9, "1"), ("b", "22"), ("", "")):
        table.add_row(*row)
    make_console().print(table)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) > 30 and all(line == line.rstrip(" ") for line in lines)


TABLES = {  # programs that print a table with a long row
    "a command": "from zamek_scripts.cli import main; main()",
    "a benchmark": "import speed; speed.print_rates({'reset and step ' * 10: 1e6}, {}, {}, {})",
}


@pytest.mark.parametrize(("printing", "setting"), [("a command", "FORCE_COLOR"), ("a benchmark", "")])
def test_rows_of_tables_in_a_pipe_are_whole(printing, setting):
    """Also where colours are forced, as services do that build and test."""
    line = [sys.executable, "-c", TABLES[printing], "benchmark"]
    plain = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "FORCE_COLOR")}
    environment = plain | {"PYTHONPATH": str(ROOT / "benchmarks")} | ({setting: "1"} if setting else {})
    done = subprocess.run(line, cwd=ROOT, env=environment, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    rows = re.sub(r"\x1b\[[0-9;]*m", "", done.stdout).splitlines()
    assert max(map(len, rows)) > 80


def test_there_is_one_console():
    programs = [path for folder in ("agents", "scripts", "benchmarks") for path in (ROOT / folder).rglob("*.py")]
    made = [path.name for path in programs if re.search(r"\bConsole\(", path.read_text("utf-8"))]
    assert made == ["terminal.py"]


@pytest.mark.long
def test_errors_are_shown_in_any_encoding():
    done = run("evaluate", "--agents", "random", "ppo:Sokół–λ.zip", PYTHONIOENCODING="ascii", PYTHONUTF8="1")
    assert done.returncode == 2
    assert done.stderr.decode("ascii").endswith(
        "there is no model 'Sokol-lambda.zip' for the agent 'ppo:Sokol-lambda.zip'\n"
    )


@posix
@pytest.mark.parametrize("arguments", [EVALUATE, ["evaluate", "--help"], ["--help"]])
@pytest.mark.long
def test_a_reader_that_goes_away_ends_the_command_quietly(arguments):
    done = shell('"$@" | true; exit "${PIPESTATUS[0]}"', *arguments)
    lines = [line for line in done.stderr.splitlines() if "game/s" not in line and "?game" not in line]
    assert (done.returncode, [line for line in lines if line.strip()]) == (1, [])


@posix
@pytest.mark.long
def test_the_first_line_is_seen_by_who_asks_for_it():
    done = shell('"$@" 2>/dev/null | head -1 | wc -l; exit "${PIPESTATUS[0]}"', *EVALUATE)
    assert done.stdout.strip() == "1"
    assert done.returncode in (0, 1)  # whether all was written before the reader went


@posix
@pytest.mark.long
def test_a_closed_pipe_of_the_progress_ends_the_command_with_all_kept(tmp_path):
    done = shell('"$@" 2>&1 >/dev/null | true; exit "${PIPESTATUS[0]}"', *EVALUATE, "--out", str(tmp_path))
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "")
    assert run(*EVALUATE, "--out", str(tmp_path)).returncode == 0


@posix
@pytest.mark.parametrize("closed", ["<&- >&- 2>&-", ">&-", "2>&-"])
@pytest.mark.long
def test_streams_that_are_closed_take_everything(closed, tmp_path):
    options = ["--out", str(tmp_path / "out"), "--json", str(tmp_path / "results.json")]
    done = shell(f'"$@" {closed}', *EVALUATE, *options)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "results.json").read_text().startswith("{")
    assert (tmp_path / "out" / "pairs.jsonl").read_text().startswith('{"format"')
    assert ("Who begins wins" in done.stdout) == (closed == "2>&-")


@posix
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no /dev/full")
@pytest.mark.long
def test_output_to_a_full_disk_is_said_in_one_line():
    done = shell('"$@" >/dev/full', "--help")
    assert (done.returncode, done.stderr) == (1, "zamek: the output cannot be written: No space left on device\n")
    done = shell('"$@" >/dev/full', *EVALUATE)
    assert done.returncode == 1 and "Traceback" not in done.stderr
    assert done.stderr.splitlines()[-1].endswith("cannot be written: No space left on device")


@posix
@pytest.mark.long
def test_the_script_by_itself_is_as_careful():
    line = [sys.executable, "scripts/evaluate.py", *EVALUATE[1:]]
    done = subprocess.run(line, cwd=ROOT, env=os.environ | {"PYTHONIOENCODING": "ascii"}, capture_output=True)
    assert done.returncode == 0 and "% ... " in done.stdout.decode("ascii")


# --- how commands end ---


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (ComponentError("components: no folder"), 2, "--components: no folder"),
        (RecordError("line 3: turns[1]"), 2, "games.jsonl: line 3: turns[1]"),
        (ValueError("--seed must be 0 or more, not -1"), 2, "--seed must be 0 or more, not -1"),
        (FileNotFoundError("there is no suite 'x'"), 2, "there is no suite 'x'"),
        (MissingExtraError("the format needs pyarrow"), 2, "the format needs pyarrow"),
        (WorkerLostError("a process has ended"), 1, "a process has ended; kept"),
        (DivergedError("weights are not finite"), 1, "weights are not finite; kept"),
        (OSError("out cannot be written: it is a folder"), 1, "out cannot be written: it is a folder; kept"),
        (PermissionError(errno.EACCES, "Permission denied", "out"), 1, "out: Permission denied; kept"),
        (OSError(errno.ENOSPC, "No space left"), 1, "the output cannot be written: No space left; kept"),
        (KeyboardInterrupt(), 130, "interrupted; kept"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, BaseException) else "",
)
def test_what_goes_wrong_is_told_in_one_line(error, code, said, capsys):
    with pytest.raises(SystemExit) as ended, reporting_errors("export", Path("games.jsonl"), "; kept"):
        raise error
    assert (ended.value.code, capsys.readouterr().err) == (code, f"export: {said}\n")


@pytest.mark.parametrize("error", [BrokenPipeError(), TypeError("a bug"), ArithmeticError("a bug")])
def test_what_the_user_did_not_do_wrong_keeps_its_traceback(error):
    with pytest.raises(type(error)), reporting_errors("export"):
        raise error


def test_help_whose_reader_is_gone_is_no_refusal():
    with pytest.raises(BrokenPipeError), reporting_refusals("export"):
        raise BrokenPipeError


@pytest.mark.parametrize("error", [ValueError("boom"), FileNotFoundError("boom"), OSError(errno.ENOSPC, "boom")])
def test_what_an_agent_raises_in_the_middle_of_a_game_keeps_its_traceback(error):
    error.add_note("in game 3")
    with pytest.raises(type(error), match="boom"), reporting_errors("export"):
        raise error


@pytest.mark.parametrize(
    ("script", "args", "work"),
    [(show, show.Args(("random", "random")), "play"), (warmup, warmup.Args(("zamek",)), "compile_all")],
)
def test_an_interrupted_command_says_so_in_one_line(script, args, work, monkeypatch, capsys):
    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(script, work, interrupt)
    with pytest.raises(SystemExit) as ended:
        script.main(args)
    printed = capsys.readouterr()
    assert (ended.value.code, printed.out) == (130, "")
    assert printed.err.endswith(f"{script.__name__.rpartition('.')[2]}: interrupted\n")


def test_an_interruption_before_there_is_work_is_told_in_one_line(monkeypatch, capsys):
    def interrupt(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "parse", interrupt)
    with pytest.raises(SystemExit) as ended:
        cli.main(["models"])
    printed = capsys.readouterr()
    assert (ended.value.code, printed.out, printed.err) == (130, "", "zamek: interrupted\n")


def test_an_interruption_while_all_is_imported_is_told_in_one_line():
    program = (
        "import sys\n"
        "from types import SimpleNamespace\n"
        "def interrupt(name, *_):\n"
        "    if name == 'numba': raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, SimpleNamespace(find_spec=interrupt))\n"
        "from zamek_scripts.cli import main\n"
        "sys.exit(main())"
    )
    done = subprocess.run([sys.executable, "-c", program, "models"], cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "zamek: interrupted\n")


@posix
def test_a_command_that_is_to_end_leaves_no_half_a_file(tmp_path, monkeypatch):
    def write(_):
        with write_atomic(tmp_path / "games.jsonl"):
            os.kill(os.getpid(), signal.SIGTERM)
            time.sleep(60)

    before = signal.signal(signal.SIGTERM, signal.SIG_DFL)  # others may have set one, as Ray does
    monkeypatch.setattr(models, "main", write)
    with pytest.raises(SystemExit) as ended:
        cli.main(["models"])
    assert ended.value.code == 143 and not list(tmp_path.iterdir())
    assert signal.signal(signal.SIGTERM, before) == signal.SIG_DFL


SIGNAL = "os.kill(os.getpid(), signal.SIGTERM); time.sleep(60)"
ENDED = {  # an agent's file by when the signal comes
    "imported": f"import os, signal, time\n{SIGNAL}\n",
    "made": f"import os, signal, time\nclass Ended:\n    def __init__(self):\n        {SIGNAL}\n",
    "asked": f"import os, signal, time\nclass Ended:\n    def act(self, game, rng):\n        {SIGNAL}\n",
}


@posix
@pytest.mark.parametrize("when", ENDED)
@pytest.mark.parametrize("command", ["show", "evaluate --games 2 --workers 1"])
def test_a_signal_ends_a_command_whatever_an_agent_does(command, when, tmp_path):
    path = tmp_path / f"agent_{when}_{command[:4]}.py"
    path.write_text(ENDED[when])
    before = signal.signal(signal.SIGTERM, signal.SIG_DFL)
    with pytest.raises(SystemExit) as ended:
        cli.main([*command.split(), "--agents", f"{path}:Ended", "random"])
    assert ended.value.code == 143
    assert signal.signal(signal.SIGTERM, before) == signal.SIG_DFL


OUTPUTS = [  # of all commands that need no extra
    "show --agents random random --svg PLACE", "evaluate --agents random random --games 2 --out PLACE",
    "evaluate --agents random random --games 2 --records PLACE/games.jsonl",
    "evaluate --agents random random --games 2 --records PLACE",
    "evaluate --agents random random --games 2 --json PLACE", "evaluate --agents random random --games 2 --html PLACE",
    "replay GAMES -o PLACE", "analyse GAMES -o PLACE",
    "export --play 1 --agents random random -o PLACE", "play --against random --terminal --keep PLACE",
    "play --against random --terminal --record PLACE", "exploit random --exploiters greedy --games 2 --out PLACE",
    "regret greedy --json PLACE", "regret --games GAMES --json PLACE", "regret --make choices --out PLACE",
    "benchmark zamek-1M-observation-v2 --learners masked-dqn --out PLACE", "train-value --out PLACE",
    "train-value --seeds 1 2 --out PLACE", "refine-value --out PLACE",
]  # fmt: skip


@posix
@pytest.mark.parametrize("line", OUTPUTS)
def test_a_link_that_leads_back_to_itself_is_refused_at_once(line, tmp_path, refused):
    loop, games = tmp_path / "loop", tmp_path / "games.jsonl"
    loop.symlink_to(loop)
    games.write_text(json.dumps(Game(seed=1).record()) + "\n")
    words = line.replace("PLACE", str(loop)).replace("GAMES", str(games)).split()
    refusal = refused(cli.main, words)
    assert "Traceback" not in refusal
    assert "leads back to itself" in refusal.splitlines()[-1]
    assert {path.name for path in tmp_path.iterdir()} == {"loop", "games.jsonl"}


@pytest.mark.parametrize("line", OUTPUTS)
def test_nothing_is_written_to_standard_output(line, tmp_path, refused, monkeypatch):
    monkeypatch.chdir(tmp_path)
    games = tmp_path / "games.jsonl"
    games.write_text(json.dumps(Game(seed=1).record()) + "\n")
    refusal = refused(cli.main, line.replace("PLACE", "-").replace("GAMES", str(games)).split())
    said = "nothing is written to standard output; what is to be called - needs its full path"
    assert refusal.splitlines()[-1].endswith(said)
    assert [path.name for path in tmp_path.iterdir()] == ["games.jsonl"]


def test_a_file_called_like_standard_output_is_written_where_its_full_path_is_named(tmp_path):
    cli.main(["show", "--agents", "random", "random", "--svg", str(tmp_path / "-")])
    assert (tmp_path / "-").read_text(encoding="utf-8").startswith("<svg")


def test_an_agent_that_fails_in_the_game_that_is_shown_keeps_its_traceback(monkeypatch):
    def fail(*_):
        raise FileNotFoundError("boom")

    monkeypatch.setattr(show, "play", fail)
    with pytest.raises(FileNotFoundError, match="boom") as raised:
        show.main(show.Args(("random", "random"), seed=3))
    assert raised.value.__notes__ == ["in the game of seed 3"]


def test_what_fails_while_a_command_is_set_up_is_refused(capsys):
    for error in (OSError("--out cannot be written"), ValueError("--seed"), MissingExtraError("ray")):
        with pytest.raises(SystemExit) as ended, reporting_failures("train"), reporting_refusals("train"):
            raise error
        assert (ended.value.code, capsys.readouterr().err) == (2, f"train: {error}\n")
    with pytest.raises(ValueError, match="in the middle"), reporting_failures("train"):
        raise ValueError("in the middle")
