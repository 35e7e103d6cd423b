"""Replays of many games in one folder, with a page that lists them."""

from collections import Counter
from collections.abc import Sequence
from html import escape
from os import PathLike
from pathlib import Path
from typing import Any

from tqdm import tqdm

from zamek_agents.arena.sets import SetResult
from zamek_env.components.model import Components
from zamek_scripts.replaying.record_story import tell_record
from zamek_scripts.replaying.replay_page import make_page
from zamek_scripts.whole_file import check_place, sweep_parts, write_whole

LIST = "index.html"
GAMES = "game-*.html"


class FirstRecords:
    """The records of the first `most` games of each pairing."""

    def __init__(self, most: int) -> None:
        self.records: list[dict[str, Any] | None] = []
        self._most = most
        self._counts = Counter[tuple[str, ...]]()

    def add(self, result: SetResult) -> None:
        """Keep what is wanted of a `SetResult`."""
        for game in result.games:
            if self._counts[result.agents] < self._most:
                self._counts[result.agents] += 1
                self.records.append(game.record)


def check_replay_folder(folder: Path, overwrite: bool) -> None:
    """Raise `ValueError` where replays in `folder` would be lost that are not to be overwritten."""
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"--html: {folder} is not a folder")
    if list_written(folder) and not overwrite:
        raise ValueError(f"--html: {folder} holds replays; name another folder, or say --overwrite to replace them")
    check_place("--html", folder / LIST)


def list_written(folder: Path) -> list[Path]:
    """Return the files in `folder` that `write_replays` wrote, by name."""
    return sorted([*folder.glob(GAMES), *folder.glob(LIST)]) if folder.is_dir() else []


def write_replays(
    folder: Path,
    records: Sequence[Any],
    components: Components | PathLike[str] | str | None = None,
) -> None:
    """Write a page for each of `records`, and one that lists them, into `folder`; earlier ones there are removed.

    A bar counts the pages.
    """
    folder.mkdir(parents=True, exist_ok=True)
    sweep_parts(folder)
    for path in list_written(folder):
        path.unlink()
    digits = len(str(len(records)))
    items = []
    for number, record in enumerate(tqdm(records, unit="page"), 1):
        story = tell_record(record, components)
        name = GAMES.replace("*", f"{number:0{digits}}")
        with write_whole(folder / name) as file:
            file.write(make_page(story))
        items.append(f'<li><a href="{name}">{escape(story.title)}</a> <small>{escape(story.about)}</small></li>')
    with write_whole(folder / LIST) as file:
        file.write(_PAGE.replace("@@", "\n".join(items)))


_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Games</title>
<style>:root { color-scheme: light dark } body { font: 16px/1.6 system-ui, sans-serif; margin: 1rem }</style>
</head>
<body>
<h1>Games</h1>
<ol>
@@
</ol>
</body>
</html>
"""
