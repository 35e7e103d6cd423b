"""Pictures of a position: for a terminal, as SVG, as pixels. It knows no rules, only what lies on the table."""

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from zamek_env.components.model import Components
from zamek_env.notation.position import Position
from zamek_env.render.overlay import Choice, Hint, Overlay
from zamek_env.render.rgb import paint
from zamek_env.render.scene import compose, compose_parts, compose_tile
from zamek_env.render.svg import AUTO, LIGHT, write_svg
from zamek_env.render.text import draw_text

__all__ = ["Choice", "Hint", "Overlay", "draw_parts", "draw_rgb", "draw_svg", "draw_text", "draw_tile"]


def draw_svg(
    components: Components,
    position: Position,
    *,
    overlay: Overlay | None = None,
    hints: Iterable[Hint] = (),
    theme: str = AUTO,
) -> str:
    """Return `position` as an SVG document.

    Groups say what they show: `class` is tile, space, follower, marker, token, tower, field, start, next or player, and
    data attributes hold the particulars, such as `data-cell="3,4" data-tile="Z17" data-rotation="1"`. On an open table
    cells may be negative; `left` shows how many of each tile are still to be drawn.

    Args:
        overlay: choices, drawn as `<g class="choice" data-location="3,4" tabindex="0">`, and the last move.
        hints: tooltips of areas; `zamek_env.hints.find_hints` makes them.
        theme: `light`, `dark`, or `auto`: the viewer's preference decides.

    Raises `ValueError` for another theme, and for an overlay that names a missing segment, and `TypeError` for
    components, a position, an overlay or hints of other types.
    """
    return write_svg(compose(components, position, overlay, hints), theme=theme, fits=True)


def draw_parts(
    components: Components,
    position: Position,
    *,
    overlay: Overlay | None = None,
    hints: Iterable[Hint] = (),
    names: Sequence[str] = (),
    theme: str = LIGHT,
) -> tuple[str, str]:
    """Return the board of `position`, and the panel next to it, as two SVG documents, for pages that lay them out.

    `names` are those of the players, if they have some. Other arguments and errors are as of `draw_svg`.
    """
    board, panel = compose_parts(components, position, overlay, hints, names)
    return write_svg(board, theme=theme), write_svg(panel, theme=theme)


def draw_tile(components: Components, name: str, *, theme: str = LIGHT) -> str:
    """Return a tile, by its id, as an SVG document. Raises `ValueError` where there is none, and for another theme."""
    return write_svg(compose_tile(components, name), theme=theme)


def draw_rgb(
    components: Components, position: Position, size: int = 640, *, overlay: Overlay | None = None
) -> npt.NDArray[np.uint8]:
    """Return `position` as pixels, `uint8[size, width, 3]`, with the `overlay`.

    The width follows from the shape of the castle; all pictures of an open table have one shape.
    Raises `ValueError` unless `size` lies in 1 to 10,000, `TypeError` where it is no whole number, and otherwise as
    `draw_svg` does.
    """
    return paint(compose(components, position, overlay), size)
