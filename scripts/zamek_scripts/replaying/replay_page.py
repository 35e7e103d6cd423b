"""A page that replays one game: one file of HTML that needs nothing else, and loads nothing."""

import base64
import hashlib
from collections.abc import Mapping
from html import escape
from importlib.resources import files
from typing import Any

from zamek_env.castle_cards.render.colours import darken as darken_cards
from zamek_env.castle_cards.render.legend import write_zone_colours
from zamek_env.render.svg import darken
from zamek_scripts.replaying.packing import dump_for_script, pack
from zamek_scripts.replaying.story import Story

SCRIPTS = ("zoom.js", "replay_curve.js", "replay.js")  # one after the other; the last begins


def make_page(story: Story) -> str:
    """Return the page of a `Story`. Texts of it are shown as they are: nothing in them is markup or code."""
    sources = files("zamek_scripts") / "pages"
    page, style = ((sources / f"replay.{end}").read_text("utf-8") for end in ("html", "css"))
    scripts = ((sources / name).read_text("utf-8").replace("\nexport ", "\n") for name in SCRIPTS)
    script = "\n".join(('"use strict";', *scripts))
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    light, dark = style.split("/* --- dark --- */")
    parts = {
        "title": escape(story.title),
        "digest": digest,
        "style": write_zone_colours() + light,
        "dark": dark + darken(".view") + darken_cards(".view"),
        "script": script,
        "legend": _write_legend(story.look.legend) if story.look.legend else "",
        "data": dump_for_script(pack(story)),
    }
    pieces = page.split("@@")  # so that nothing that is put in is looked through once more
    return "".join(parts[piece] if number % 2 else piece for number, piece in enumerate(pieces))


def _write_legend(legend: Mapping[str, Any]) -> str:
    """Return the markup of a legend of cards, as `zamek_env.castle_cards.render.legend` makes it."""
    signs = (f"<li>{sign['picture']}<span>{escape(sign['words'])}</span></li>" for sign in legend["signs"])
    parts = ["<details id='legend'><summary>Cards and signs</summary>", f"<ul>{''.join(signs)}</ul>"]
    for zone in legend["zones"]:
        cards = (
            f"<li>{card['picture']}<span><b>{escape(card['name'])}</b> {escape(card['rule'])}</span></li>"
            for card in zone["cards"]
        )
        parts += [f"<h2 data-zone='{zone['zone']}'>{zone['title']}</h2>", f"<ul>{''.join(cards)}</ul>"]
    return "".join([*parts, "</details>"])
