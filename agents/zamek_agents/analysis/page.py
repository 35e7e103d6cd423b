"""A report on an `Analysis` as one page of HTML, which fetches nothing and runs nothing. Needs the extra `bench`."""

import io
import re
import warnings
from pathlib import Path

from zamek_agents.analysis import plots
from zamek_agents.analysis.castle_summary import CastleAnalysis
from zamek_agents.analysis.reading import make_printable
from zamek_agents.analysis.sections import Picture, list_castle_sections, list_sections
from zamek_agents.analysis.summary import Analysis
from zamek_env import __version__
from zamek_env.common.extras import needs_extra
from zamek_env.common.messages import show_count

with needs_extra("bench", "a report"):
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup

_TEMPLATE = "report.html"
# Colours of the pictures -> those of the page, which has others where it is dark.
_COLOURS = {plots.INK: "currentColor", plots.GRID: "var(--grid)"} | {
    colour: f"var(--series-{number})" for number, colour in enumerate(plots.SERIES)
}
_NAMED = re.compile(r'(?<=\sid=")|(?<=href="#)|(?<=url\(#)')  # where a name within a picture stands
_METADATA = dict.fromkeys(("Creator", "Date", "Format", "Type"))  # none


def make_page(analysis: Analysis | CastleAnalysis, source: str) -> str:
    """Return the report on an analysis of games from `source`, a file's name, as HTML."""
    sections = list_castle_sections(analysis) if isinstance(analysis, CastleAnalysis) else list_sections(analysis)
    drawn = {
        section.key: [_draw(picture, f"{section.key}-{number}") for number, picture in enumerate(section.pictures)]
        for section in sections
    }
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    environment.globals["show_count"] = show_count
    return environment.get_template(_TEMPLATE).render(
        analysis=analysis, source=make_printable(source), sections=sections, drawn=drawn, version=__version__
    )


def _draw(picture: Picture, key: str) -> Markup:
    """Return a picture as an SVG element, all names in it beginning with `key`, its colours those of the page.

    What is called `key` on the page says the same in words.
    """
    file = io.StringIO()
    with plots.style(), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing")  # of a name; the reader's font may have it
        figure = picture.draw()
        figure.savefig(file, format="svg", bbox_inches="tight", transparent=True, metadata=_METADATA)
    svg = _NAMED.sub(f"{key}-", file.getvalue()[file.getvalue().index("<svg") :])
    for colour, own in _COLOURS.items():
        svg = svg.replace(colour, own)
    return Markup(f'<svg role="img" aria-labelledby="{key}"' + svg.removeprefix("<svg"))
