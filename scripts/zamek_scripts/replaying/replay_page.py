"""Makes a page that replays a game record: one self-contained file of HTML, which loads nothing.

Of many games it writes a folder of such pages, with one that lists them.

The story is in it as JSON, in which everything that moments have in common is stored once.

PACKED STORY DESCRIPTION
    players, title, about, agent, blunder
    look      as in `Story`
    shared    long pieces of markup, such as the drawing of a tile
    parts     [markup before, number in `shared` or -1, markup after]
    words     sentences
    boxes     what a view shows: the attribute `viewBox`
    outlines  [left, top, side, is round]
    moments   of each view [box, equal parts at the start, equal parts at the end, the parts between them],
              and numbers of words; areas are listed only where they changed, with -1 where there is none any more
"""

import base64
import hashlib
import html
import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, astuple, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
from tqdm import tqdm

from zamek_agents.arena.sets import SetResult
from zamek_agents.atomic_dir import open_part, resolve_links, sweep_parts, sync_all
from zamek_agents.base import Agent, Evaluating, find_evaluating
from zamek_env import Game
from zamek_env.castle_cards import CastleCards
from zamek_env.castle_cards.records.shape import FORMAT as CASTLE_FORMAT
from zamek_env.castle_cards.render.colours import DARK as DARK_CARDS
from zamek_env.castle_cards.render.picture import write_zone_colours
from zamek_env.common.messages import escape
from zamek_env.common.player_names import label_players
from zamek_env.load import AnyComponents
from zamek_env.render.svg import darken
from zamek_scripts.atomic_file import check_folder_place
from zamek_scripts.replaying.replay_castle_cards import CastleCardsStoryBuilder
from zamek_scripts.replaying.replay_tiles import TileStoryBuilder
from zamek_scripts.replaying.story import Moment, Story, StoryBuilder, Thoughts
from zamek_scripts.shared_args import check_no_components

LONGEST_NAME = 100  # characters of a player's name that are shown


def make_story(
    record: Any,
    components: AnyComponents = None,
    agent: Agent | None = None,
    blunder: float = np.inf,
    has_bar: bool = False,
) -> Story:
    """Return the `Story` of a game record.

    Args:
        components: those it was played on, as for `Game.replay`.
        agent: whose thoughts on each decision are shown, or None.
        blunder: points from which a loss, in the eyes of `agent`, is marked.
        has_bar: whether a bar counts the steps.

    Raises `RecordError` where the record breaks a rule, and `ValueError` where `agent` evaluates no choices or does not
    play the game.
    """
    builder = open_record(record, components, find_evaluating(agent) if agent else None)
    moments = list(tqdm(builder.make_moments(), total=len(builder), unit="step", disable=not has_bar))
    title = builder.make_title(moments[-1].scores)
    return Story(title, builder.about, builder.names, moments, agent.name if agent else "", blunder, builder.look)


def open_record(record: Any, components: AnyComponents, agent: Evaluating | None) -> StoryBuilder:
    """Return the `StoryBuilder` of a record, which is checked completely. Raises as `make_story` does."""
    if isinstance(record, dict) and record.get("format") == CASTLE_FORMAT:
        check_no_components(components, f"records of the format {CASTLE_FORMAT}")
        cards = CastleCards.replay(record)
        return CastleCardsStoryBuilder(cards, read_names(record.get("agents"), cards.num_players), agent)
    tiles = Game.replay(record, components)
    return TileStoryBuilder(tiles, read_names(record.get("players"), tiles.num_players), agent)


def read_names(names: object, count: int) -> tuple[str, ...]:
    """Return the `names` of `count` players that a record holds, on one line, shortened and unique.

    Without names, players are named by their seats, as `zamek_env.common.player_names` does.
    """
    given = [""] * count
    if isinstance(names, list) and len(names) == count and all(isinstance(name, str) for name in names):
        given = ["" if name == f"player {player}" else name.strip() for player, name in enumerate(names)]
    shown = map(escape, given)
    return label_players([name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…" for name in shown])


SCRIPTS = ("zoom.js", "replay_curve.js", "replay.js")  # one after the other; the last begins
LEAST_SHARED = 160  # characters
DIGITS = 3  # of values, after the point
_GONE = -1  # in place of a number of words
_DOCUMENT = re.compile(r'\s*<svg\b[^>]*?\bviewBox="([^"]*)"[^>]*>(.*)</svg>\s*', re.DOTALL)
_LINE = re.compile(r"<(?:g .*</g>|[a-z]+ [^<]*/>)")
_BACKGROUND = '<rect class="back"'  # the page has a background of its own
_GROUP = re.compile(r"(<g [^>]*>(?:<title>[^<]*</title>)?)(.*)(</g>)", re.DOTALL)


def make_page(story: Story) -> str:
    """Return the page of a `Story`. Its texts are escaped: nothing in them is markup or code."""
    sources = files("zamek_scripts") / "pages"
    page, style = ((sources / f"replay.{end}").read_text("utf-8") for end in ("html", "css"))
    scripts = ((sources / name).read_text("utf-8").replace("\nexport ", "\n") for name in SCRIPTS)
    script = "\n".join(('"use strict";', *scripts))
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    light, dark = style.split("/* --- dark --- */")
    parts = {
        "title": html.escape(story.title),
        "digest": digest,
        "style": write_zone_colours() + light,
        "dark": dark + darken(".view") + darken(".view", DARK_CARDS),
        "script": script,
        "legend": _write_legend(story.look.legend) if story.look.legend else "",
        "data": dump_for_script(pack(story)),
    }
    pieces = page.split("@@")  # so that nothing that is put in is looked through once more
    return "".join(parts[piece] if number % 2 else piece for number, piece in enumerate(pieces))


def _write_legend(legend: Mapping[str, Any]) -> str:
    """Return the markup of a legend of cards, as `zamek_env.castle_cards.render.picture` makes it."""
    signs = (f"<li>{sign['picture']}<span>{html.escape(sign['words'])}</span></li>" for sign in legend["signs"])
    parts = ["<details id='legend'><summary>Cards and signs</summary>", f"<ul>{''.join(signs)}</ul>"]
    for zone in legend["zones"]:
        cards = (
            f"<li>{card['picture']}<span><b>{html.escape(card['name'])}</b> {html.escape(card['rule'])}</span></li>"
            for card in zone["cards"]
        )
        parts += [f"<h2 data-zone='{zone['zone']}'>{zone['title']}</h2>", f"<ul>{''.join(cards)}</ul>"]
    return "".join([*parts, "</details>"])


class _Table:
    """Unique values with their numbers."""

    def __init__(self) -> None:
        self.numbers: dict[Any, int] = {}

    def find(self, value: Any) -> int:
        return self.numbers.setdefault(value, len(self.numbers))


def pack(story: Story) -> dict[str, Any]:
    """Return a `Story` as a value for `json.dump`. Raises `ValueError` where a view is no SVG document."""
    tables = {name: _Table() for name in ("shared", "parts", "words", "boxes", "outlines")}
    before: list[list[int]] = [[] for _ in story.moments[0].views]
    moments: list[dict[str, Any]] = []
    areas: Mapping[str, str] = {}
    for moment in story.moments:
        views = []
        for number, view in enumerate(moment.views):
            box, parts = _read_view(view, tables)
            views.append([box, *_compare(before[number], parts)])
            before[number] = parts
        changed = {at: tables["words"].find(text) for at, text in moment.areas.items() if areas.get(at) != text}
        changed |= {at: _GONE for at in areas if at not in moment.areas}
        areas = moment.areas
        moments.append(_pack_moment(moment, tables) | {"views": views, "areas": changed})
    packed = {name: getattr(story, name) for name in ("title", "about", "players", "agent")}
    blunder = story.blunder if math.isfinite(story.blunder) else None
    look = asdict(replace(story.look, legend=None))  # which the page itself holds
    packed |= {"look": look, "blunder": blunder, "moments": moments}
    return packed | {name: list(table.numbers) for name, table in tables.items()}


def dump_for_script(value: object) -> str:
    """Return `value` as JSON that is safe in an element `script`, whatever texts it holds."""
    text = json.dumps(value, allow_nan=False, separators=(",", ":"))  # of ASCII only
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def _read_view(view, tables):
    """Return (number of the box, numbers of the parts) of an SVG document."""
    match = _DOCUMENT.fullmatch(view)
    if match is None:
        raise ValueError("a view must be one SVG document with a viewBox")
    lines = [line for line in match[2].split("\n") if line and not line.startswith(_BACKGROUND)]
    elements = lines if all(_LINE.fullmatch(line) for line in lines) else [match[2]]
    return tables["boxes"].find(match[1]), [_read_part(element, tables) for element in elements]


def _read_part(element, tables):
    match = _GROUP.fullmatch(element)
    if match is None or len(match[2]) < LEAST_SHARED:
        return tables["parts"].find((element, -1, ""))
    return tables["parts"].find((match[1], tables["shared"].find(match[2]), match[3]))


def _compare(before, after):
    """Return [number of equal items at the start, number at the end, the items between them in `after`]."""
    most = min(len(before), len(after))
    start = next((number for number in range(most) if before[number] != after[number]), most)
    rest = most - start
    end = next((number for number in range(rest) if before[-1 - number] != after[-1 - number]), rest)
    return [start, end, after[start : len(after) - end]]


def _pack_moment(moment: Moment, tables: dict[str, _Table]) -> dict[str, Any]:
    def find_all(texts: Iterable[str]) -> list[int]:
        return [tables["words"].find(text) for text in texts]

    return {
        "scores": moment.scores,
        "turn": moment.turn,
        "player": moment.player,
        "action": moment.action,
        "told": find_all(moment.sentences),
        "hidden": find_all(moment.hidden),
        "thoughts": _pack_thoughts(moment.thoughts, tables) if moment.thoughts else None,
    }


def _pack_thoughts(thoughts: Thoughts, tables: dict[str, _Table]) -> dict[str, Any]:
    options = []
    for option in thoughts.options:
        number = -1 if option.outline is None else tables["outlines"].find(astuple(option.outline))
        options.append([option.text, _round(option.value), number])
    played = [number for number, option in enumerate(thoughts.options) if option.is_played]
    return {
        "unit": thoughts.unit,
        "options": options,
        "played": played[0] if played else -1,
        "loss": _round(thoughts.loss),
    }


def _round(value):
    """Return a value, rounded; None where it is infinite or NaN, which JSON lacks."""
    return round(float(value), DIGITS) if math.isfinite(value) else None


# --- many games in one folder ---


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
                title, about = html.escape(story.title), html.escape(story.about)
                items.append(f'<li><a href="{name}">{title}</a> <small>{about}</small></li>')
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
