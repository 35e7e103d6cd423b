"""Write recorded games for other programs: saved games of JCloisterZone, which steps through them."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import tyro
from tqdm import tqdm

from zamek_agents.analysis.reading import count_lines, read_lines
from zamek_env import RecordError
from zamek_env.common.messages import show_count
from zamek_env.interchange import to_jcz
from zamek_scripts.atomic_file import check_new_file, write_json
from zamek_scripts.terminal import reporting_errors


@dataclass
class Args:
    file: tyro.conf.Positional[Path]
    """game records of Carcassonne, one JSON record a line; `zamek import` and `zamek evaluate --records` write such"""
    to: Literal["jcz"]
    """the format: a saved game of JCloisterZone 5"""
    out: Annotated[Path | None, tyro.conf.arg(aliases=["-o"])] = None
    """the file to write, of several games with -1, -2, … before its ending; by default beside FILE, with the ending of
    the format"""
    overwrite: bool = False
    """replace files that exist"""


def main(args: Args) -> None:
    """Convert and write. Exits with code 2, having written nothing, where a record cannot be converted."""
    with reporting_errors("convert", args.file, also=(OSError,)):
        count = count_lines(args.file)
        if not count:
            raise ValueError(f"{args.file} holds no game record")
        path = args.out or args.file.with_suffix(f".{args.to}")
        paths = [path.with_name(f"{path.stem}-{number}{path.suffix}") for number in range(1, count + 1)]
        if count == 1:
            paths = [path]
        for path in paths:
            check_new_file("--out", path, args.overwrite)
        with tqdm(read_lines(args.file), total=count, unit="game") as records:
            games = [convert(where, record) for where, record in records]
    for path, game in zip(paths, games, strict=True):
        with reporting_errors("convert"):
            write_json(path, game, args.overwrite)
    print(f"{show_count(len(games), 'game')}: {paths[0]}{f' to {paths[-1]}' if len(paths) > 1 else ''}")


def convert(where: str, record: Any) -> dict[str, Any]:
    """Return a record as a saved game. Raises `RecordError`, naming the line, where it cannot be converted."""
    try:
        return to_jcz(record)
    except ValueError as error:
        raise RecordError(f"{where}: {error}") from error
