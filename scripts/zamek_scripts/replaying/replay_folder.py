"""Replays of many games in one folder, with a page that lists them."""

import re
from collections import Counter
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

from tqdm import tqdm

from zamek_agents.arena.sets import SetResult
from zamek_agents.atomic_dir import open_part, resolve_links, sweep_parts, sync_all
from zamek_env.load import AnyComponents
from zamek_scripts.atomic_file import check_folder_place
from zamek_scripts.replaying.replay_page import make_page, make_story

LIST = "index.html"
GAMES = "game-*.html"
_WRITTEN = re.compile(r"index\.html|game-[0-9]+\.html")


class FirstRecords:
    """The records of the first `most` games of each pairing."""

    def __init__(self, most: int) -> None:
        self.records: list[dict[str, Any] | None] = []
        self._most = most
        self._counts = Counter[tuple[str, ...]]()

    def add(self, result: SetResult) -> None:
        """Keep the wanted records of a `SetResult`."""
        for game in result.games:
            if self._counts[result.agents] < self._most:
                self._counts[result.agents] += 1
                self.records.append(game.record)


def check_replay_folder(folder: Path, overwrite: bool) -> None:
    """Raise `ValueError` where replays in `folder` would be lost that must not be overwritten."""
    check_folder_place("--html", folder, LIST)
    if list_written(folder) and not overwrite:
        raise ValueError(f"--html: {folder} holds replays; name another folder, or say --overwrite to replace them")


def list_written(folder: Path) -> list[Path]:
    """Return the files in `folder` that are named like those of `write_replays`, by name."""
    return sorted(path for path in folder.iterdir() if is_page(path.name)) if folder.is_dir() else []


def is_page(name: str) -> bool:
    """Return whether `write_replays` may write a file of that name."""
    return _WRITTEN.fullmatch(name) is not None


def write_replays(folder: Path, records: Sequence[Any], components: AnyComponents = None) -> None:
    """Write a page for each of `records`, and one that lists them, into `folder`.

    Earlier ones there are removed once all are written, and kept if that fails. A bar counts the pages.
    """
    target, digits, items = resolve_links(folder), len(str(len(records))), []
    target.mkdir(parents=True, exist_ok=True)
    sweep_parts(target)
    try:
        with open_part(target / "pages", folder) as part:
            for number, record in enumerate(tqdm(records, unit="page"), 1):
                story, name = make_story(record, components), GAMES.replace("*", f"{number:0{digits}}")
                (part / name).write_text(make_page(story), encoding="utf-8")
                items.append(
                    f'<li><a href="{name}">{escape(story.title)}</a> <small>{escape(story.about)}</small></li>'
                )
            (part / LIST).write_text(_PAGE.replace("@@", "\n".join(items)), encoding="utf-8")
            sync_all(part)
            _exchange(list_written(part), target)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(target)) from error  # nobody knows the paths in the part


def _exchange(pages, folder):
    """Replace the pages in `folder` by `pages`, games first and then their list."""
    before = list_written(folder)
    for page in pages:
        page.replace(folder / page.name)
    names = {page.name for page in pages}
    for path in before:
        if path.name not in names:
            path.unlink()


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
