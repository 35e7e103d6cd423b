"""Writes a scene as SVG. Groups keep their meaning as class and data attributes."""

from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape, quoteattr

from zamek_env.common.messages import show
from zamek_env.render import palette
from zamek_env.render.shapes import Circle, Lines, Polygon, Region, Scene, Shape, Text

UNIT = 100  # SVG units a tile side
FONT = "Aileron, Helvetica, Arial, sans-serif"
MOST_WIDE, MOST_HIGH = 800, 640  # CSS pixels of a picture that nothing else sizes: a notebook's cell has some 850
_NEW_LINE = {"\n": "&#10;"}  # so that a group stays on its line
BASELINE = 0.36  # from the middle of capitals down to their foot, in font sizes

LASTING = {"left", "portrait", "tile", "tower", "wall"}  # kinds of groups whose shapes are one tuple in all pictures
MOST_KEPT = 2000  # pieces of markup
_written: dict[int, tuple[Sequence[Shape], str]] = {}  # id of shapes -> the shapes, so that no others get it, as markup

AUTO, LIGHT, DARK = "auto", "light", "dark"
THEMES = (AUTO, LIGHT, DARK)
BOARD = ".zamek-board"
DARK_NOTEBOOKS = ':is([data-jp-theme-light="false"],[data-theme="dark"],.vscode-dark)'  # whatever the system prefers


def write_svg(scene: Scene, style: str = "", theme: str = LIGHT, fits: bool = False) -> str:
    """Return `scene` as an SVG document, one group a line; `style` is CSS for it.

    Where `theme` is `auto`, it is dark as `follow` says. With `fits`, it grows no wider than its container, by an
    attribute that a page with a strict Content-Security-Policy refuses. Raises `ValueError` for another theme than
    those of `THEMES`.
    """
    if not isinstance(theme, str) or theme not in THEMES:
        raise ValueError(f"theme must be one of {', '.join(THEMES)}, not {show(theme)}")
    left, top = scene.corner
    box = " ".join(_number(value) for value in (left, top, scene.width, scene.height))
    size = f'width="{_number(scene.width)}" height="{_number(scene.height)}"'
    scale = min(MOST_WIDE / scene.width, MOST_HIGH / scene.height, UNIT)
    shown = f'width="{scale * scene.width:.0f}" height="{scale * scene.height:.0f}"'
    shown += ' style="max-width:100%;height:auto"' if fits else ""
    corner = f'x="{_number(left)}" y="{_number(top)}"'
    rules = style + (follow(palette.DARK) if theme == AUTO else "")
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="zamek-board" viewBox="{box}" {shown} font-family="{FONT}">',
        *([f"<style>{rules}</style>"] if rules else []),
        f'<rect class="back" {corner} {size} fill="{scene.background}"/>',
        *(_write_group(group) for group in scene.groups),
        "</svg>",
    ]
    text = "\n".join(parts) + "\n"
    if theme == DARK:
        for light, dark in palette.DARK.items():
            text = text.replace(f'="{light}"', f'="{dark}"')
    return text


def follow(dark: Mapping[str, str]) -> str:
    """Return the style sheet that makes pictures dark where the viewer prefers it, or the notebook around them is."""
    always = darken(f"{DARK_NOTEBOOKS} {BOARD}", dark)
    return f"@media (prefers-color-scheme: dark) {{{darken(BOARD, dark)}}}{always}"


def darken(selector: str, dark: Mapping[str, str] = palette.DARK) -> str:
    """Return the style sheet that makes pictures dark within elements that match a CSS `selector`.

    `dark` is {a light colour: what replaces it}, by default of pictures of tiles.
    """
    return "".join(
        f'{selector} [{part}="{light}"]{{{part}:{colour}}}'
        for light, colour in dark.items()
        for part in ("fill", "stroke")
    )


def _write_group(group):
    data = "".join(f" data-{name}={quoteattr(str(value))}" for name, value in group.data.items())
    move = ""
    if group.at != (0.0, 0.0) or group.scale != 1.0:
        scale = f" scale({group.scale:.4g})" if group.scale != 1.0 else ""
        move = f' transform="translate({_point(group.at)}){scale}"'
    inside = (_write_once if group.kind in LASTING else _write_shapes)(group.shapes)
    button = ' tabindex="0" role="button"' if group.is_button else ""
    title = f"<title>{escape(group.title, _NEW_LINE)}</title>" if group.title else ""
    return f"<g class={quoteattr(group.kind)}{data}{button}{move}>{title}{inside}</g>"


def _write_once(shapes):
    """Write shapes that are drawn again and again, such as those of a tile."""
    known = _written.get(id(shapes))
    if known is not None:
        return known[1]
    if len(_written) >= MOST_KEPT:
        _written.clear()
    text = _write_shapes(shapes)
    _written[id(shapes)] = shapes, text
    return text


def _write_shapes(shapes):
    return "".join(map(_write_shape, shapes))


def _write_shape(shape):
    match shape:
        case Polygon():
            edge = f'{_stroke(shape)} stroke-linejoin="round"' if shape.stroke else ""
            return f'<polygon points="{_points(shape.points)}" fill="{shape.fill}"{edge}/>'
        case Circle():
            x, y = map(_number, shape.centre)
            radius = _number(shape.radius - (shape.width / 2 if shape.stroke else 0))
            edge = _stroke(shape) if shape.stroke else ""
            return f'<circle cx="{x}" cy="{y}" r="{radius}" fill="{shape.fill}"{edge}/>'
        case Lines():
            path = "".join("M" + "L".join(map(_point, points)) for points in shape.paths)
            return f'<path d="{path}" fill="none"{_stroke(shape)} stroke-linejoin="round"/>'
        case Text():
            x, y = shape.at
            at = f'x="{_number(x)}" y="{_number(y + BASELINE * shape.size)}"'
            look = f'font-size="{_number(shape.size)}" fill="{shape.fill}" text-anchor="{shape.anchor}"'
            return f"<text {at} {look}>{escape(shape.text)}</text>"
        case Region():
            return f'<polygon points="{_points(shape.points)}" fill="none" pointer-events="all"/>'


def _stroke(shape):
    return f' stroke="{shape.stroke}" stroke-width="{_number(shape.width)}"'


def _points(points):
    return " ".join(map(_point, points))


def _point(point):
    return f"{_number(point[0])},{_number(point[1])}"


def _number(length):
    """Write a length, to a tenth of an SVG unit."""
    text = f"{length * UNIT:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text
