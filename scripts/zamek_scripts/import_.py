"""Take over games that people played elsewhere: check each move by move, and write it as a game record.

Files are archives of Board Game Arena, saved games of JCloisterZone 5, and game records, told apart by their content.
docs/interchange.md says what is compared and supported.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro
from tqdm import tqdm

from zamek_agents.plain_file import open_plain
from zamek_env.common.messages import show_count
from zamek_env.interchange import LARGEST, Import, import_games
from zamek_scripts.atomic_file import check_new_file, write_atomic
from zamek_scripts.terminal import naming, reporting_errors


@dataclass
class Args:
    out: Annotated[Path, tyro.conf.arg(aliases=["-o"])]
    """the file of game records to write, one a line"""
    files: tyro.conf.Positional[tuple[Path, ...]] = ()
    """files of games"""
    names: bool = False
    """keep the names of the players, which are left out otherwise"""
    partial: bool = False
    """of a game that goes wrong or breaks off, take what comes before"""
    overwrite: bool = False
    """replace the file where it exists"""


def main(args: Args) -> None:
    """Read, check and write. Exits with code 2, having written nothing, where a game cannot be imported."""
    with reporting_errors("import", also=(OSError,)):
        if not args.files:
            raise ValueError("name one file or more")
        check_new_file("--out", args.out, args.overwrite)
        with tqdm(args.files, unit="file") as paths:
            games = [(path, taken) for path in paths for taken in read(path, args.partial)]
    with reporting_errors("import"), write_atomic(args.out, overwrite=args.overwrite) as file:
        for _, taken in games:
            json.dump(taken.game.record(taken.names if args.names and taken.names else None), file)
            file.write("\n")
    for path, taken in games:
        print(describe(path, taken))
    print(f"{show_count(len(games), 'game')}: {args.out}")


def read(path: Path, partial: bool) -> list[Import]:
    """Return the games of a file. Raises `ValueError`, naming the file, where one cannot be imported."""
    with open_plain(path) as file:
        content = file.read(LARGEST + 1)
    with naming(str(path)):
        return import_games(content, partial)


def describe(path: Path, taken: Import) -> str:
    """Return a line about a game."""
    compared = taken.compared
    counts = {
        "placement": compared.placements, "spot list": compared.lists, "payment": compared.payments,
        "final score": compared.results,
    }  # fmt: skip
    agreed = ", ".join(show_count(count, noun) for noun, count in counts.items() if count)
    rest = f"; {taken.problem}" if taken.problem else ""
    return f"{path}: {taken.game.scores[0]}:{taken.game.scores[1]}, as the rules have it: {agreed}{rest}"
