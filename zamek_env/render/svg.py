"""Writes a scene as SVG. Groups keep what they stand for as class and data attributes."""

from xml.sax.saxutils import escape, quoteattr

from zamek_env.render.shapes import Circle, Lines, Polygon, Scene, Text

UNIT = 100  # SVG units a tile side
FONT = "Aileron, Helvetica, Arial, sans-serif"
BASELINE = 0.36  # from the middle of capitals down to their foot, in font sizes


def write_svg(scene: Scene, style: str = "") -> str:
    """Return `scene` as an SVG document; `style` is CSS, such as that of a dark mode."""
    left, top = scene.corner
    box = " ".join(_number(value) for value in (left, top, scene.width, scene.height))
    size = f'width="{_number(scene.width)}" height="{_number(scene.height)}"'
    corner = f'x="{_number(left)}" y="{_number(top)}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" {size} font-family="{FONT}">',
        *([f"<style>{style}</style>"] if style else []),
        f'<rect {corner} {size} fill="{scene.background}"/>',
        *(_write_group(group) for group in scene.groups),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _write_group(group):
    data = "".join(f" data-{name}={quoteattr(str(value))}" for name, value in group.data.items())
    move = ""
    if group.at != (0.0, 0.0) or group.scale != 1.0:
        scale = f" scale({group.scale:.4g})" if group.scale != 1.0 else ""
        move = f' transform="translate({_point(group.at)}){scale}"'
    title = f"<title>{escape(group.title)}</title>" if group.title else ""
    inside = title + "".join(_WRITERS[type(shape)](shape) for shape in group.shapes)
    return f"<g class={quoteattr(group.kind)}{data}{move}>{inside}</g>"


def _write_polygon(shape):
    edge = f'{_stroke(shape)} stroke-linejoin="round"' if shape.stroke else ""
    return f'<polygon points="{_points(shape.points)}" fill="{shape.fill}"{edge}/>'


def _write_circle(shape):
    x, y = shape.centre
    radius = shape.radius - (shape.width / 2 if shape.stroke else 0)
    edge = _stroke(shape) if shape.stroke else ""
    return f'<circle cx="{_number(x)}" cy="{_number(y)}" r="{_number(radius)}" fill="{shape.fill}"{edge}/>'


def _write_lines(shape):
    path = "".join("M" + "L".join(_point(point) for point in points) for points in shape.paths)
    return f'<path d="{path}" fill="none"{_stroke(shape)} stroke-linejoin="round"/>'


def _write_text(shape):
    x, y = shape.at
    at = f'x="{_number(x)}" y="{_number(y + BASELINE * shape.size)}"'
    look = f'font-size="{_number(shape.size)}" fill="{shape.fill}" text-anchor="{shape.anchor}"'
    return f"<text {at} {look}>{escape(shape.text)}</text>"


_WRITERS = {Polygon: _write_polygon, Circle: _write_circle, Lines: _write_lines, Text: _write_text}


def _stroke(shape):
    return f' stroke="{shape.stroke}" stroke-width="{_number(shape.width)}"'


def _points(points):
    return " ".join(_point(point) for point in points)


def _point(point):
    return f"{_number(point[0])},{_number(point[1])}"


def _number(length):
    """Write a length, to a tenth of an SVG unit."""
    text = f"{length * UNIT:.1f}"
    text = text.removesuffix(".0")
    return "0" if text == "-0" else text
