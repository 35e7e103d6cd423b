"""A page that replays one game: one file of HTML that needs nothing else, and loads nothing."""

import base64
import hashlib
from html import escape
from importlib.resources import files

from zamek_env.castle_cards.render.colours import darken as darken_cards
from zamek_env.render.svg import darken
from zamek_scripts.replaying.packing import dump_for_script, pack
from zamek_scripts.replaying.story import Story


def make_page(story: Story) -> str:
    """Return the page of a `Story`. Texts of it are shown as they are: nothing in them is markup or code."""
    sources = files("zamek_scripts") / "pages"
    page, style, script = ((sources / f"replay.{end}").read_text("utf-8") for end in ("html", "css", "js"))
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    light, dark = style.split("/* --- dark --- */")
    parts = {
        "title": escape(story.title),
        "digest": digest,
        "style": light,
        "dark": dark + darken(".view") + darken_cards(".view"),
        "script": script,
        "data": dump_for_script(pack(story)),
    }
    pieces = page.split("@@")  # so that nothing that is put in is looked through once more
    return "".join(parts[piece] if number % 2 else piece for number, piece in enumerate(pieces))
