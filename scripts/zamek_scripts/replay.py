"""Make a page that replays a recorded game in the browser: one file, for which no network is needed."""

import errno
import json
import math
import os
import sys
import webbrowser
from dataclasses import dataclass
from functools import partial
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated, Any

import tyro

from zamek_agents.analysis.reading import LONGEST_RECORD, open_records
from zamek_agents.registry import make_agent
from zamek_env import RecordError
from zamek_env.components.json_entry import read_object
from zamek_scripts.atomic_file import check_new_file, write_atomic
from zamek_scripts.replaying.replay_page import make_page, make_story
from zamek_scripts.replaying.story import Story
from zamek_scripts.shared_args import ComponentsFolder
from zamek_scripts.terminal import FAILED, fail, naming, reporting_errors


@dataclass
class Args:
    file: tyro.conf.Positional[Path]
    """game records, one JSON record a line, as `zamek evaluate --records` writes them; or a single one"""
    number: Annotated[int, tyro.conf.arg(aliases=["-n"])] = 1
    """which of them, counted from 1"""
    out: Annotated[Path | None, tyro.conf.arg(aliases=["-o"])] = None
    """the page; by default beside FILE, with its name and the ending html"""
    components: ComponentsFolder = None
    agent: str | None = None
    """show what this agent thinks of each decision: value, expectimax, mcts, ppo, for castle-cards ismcts or ppo, or
    one of your own that evaluates"""
    blunder: float = 3.0
    """mark decisions that lose this many points or more, according to --agent"""
    overwrite: bool = False
    """replace the page where it exists"""
    browser: bool = True
    """open the page in the browser, where the command runs in a terminal"""


def main(args: Args) -> None:
    """Write the page. Exits with code 2, having written nothing, for invalid `args`."""
    with reporting_errors("replay", args.file, also=(OSError,)):
        out = find_out(args)
        page = make_page(read_story(args, out))
    try:
        with write_atomic(out, overwrite=args.overwrite) as file:
            file.write(page)
    except OSError as error:
        fail("replay", f"--out: {error}", FAILED)
    print(f"The game, for any browser: {out}")
    if args.browser and sys.stdout.isatty():
        webbrowser.open(out.absolute().as_uri())


def find_out(args: Args) -> Path:
    """Return the path of the page. Raises `IsADirectoryError` where the records are a folder."""
    if args.file.is_dir():  # `.` has no name, from which that of the page could follow
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(args.file))
    if args.out is not None:
        return args.out
    return args.file.with_name(f"{args.file.stem}.html" if args.number == 1 else f"{args.file.stem}-{args.number}.html")


def read_story(args: Args, out: Path) -> Story:
    """Return the `Story` of the game. Raises an error of one line for invalid `args`."""
    check_new_file("--out", out, args.overwrite)
    if out.exists() and out.samefile(args.file):
        raise ValueError(f"--out: {out} holds the records; name another file")
    if not (args.blunder > 0 and math.isfinite(args.blunder)):
        raise ValueError(f"--blunder must be points above 0, not {args.blunder:g}")
    if args.agent is None and args.blunder != Args.blunder:
        raise ValueError("--blunder must come with --agent, in whose eyes decisions lose points")
    with naming("--agent"):
        agent = make_agent(args.agent) if args.agent is not None else None
    where, record = read_record(args.file, args.number)
    try:
        return make_story(record, args.components, agent, args.blunder, has_bar=True)
    except RecordError as error:
        raise RecordError(f"{where}: {error}") from error


def read_record(path: Path, number: int) -> tuple[str, Any]:
    """Return (where, record) of record `number`, from 1, such as `("line 3", {…})`.

    The file has one record a line, or a single one on any number of lines.

    Raises `ValueError` in one line where there is no such record, `OSError` where the file cannot be read.
    """
    if number < 1:
        raise ValueError(f"--number must be 1 or more, not {number}")
    lines = 0
    try:
        with TextIOWrapper(open_records(path), encoding="utf-8") as file:
            for place, line in enumerate(iter(partial(file.readline, LONGEST_RECORD), ""), 1):
                lines += bool(line.strip())
                if lines == number and line.strip():
                    return f"line {place}", _parse(path, line, file.read(LONGEST_RECORD) if number == 1 else "")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} must hold game records in JSON, as text in UTF-8, not packed: {error}") from error
    if lines == 0:
        raise ValueError(f"{path} holds no game record")
    allowed = "be 1, the only game record" if lines == 1 else f"lie in 1 to {lines}, the game records"
    raise ValueError(f"--number must {allowed} of {path}, not {number}")


def _parse(path: Path, line: str, rest: str) -> Any:
    """Return the record on a `line`, or the single one that continues in the `rest` of the file."""
    for text in (line, line + rest):
        try:
            return json.loads(text, object_pairs_hook=read_object)
        except (ValueError, RecursionError) as error:
            problem = error
    raise ValueError(f"{path} must hold game records in JSON: {problem}") from problem
