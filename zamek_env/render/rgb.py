"""Draws a scene as pixels, with Pillow: larger than asked for, then reduced, which smooths the edges."""

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from zamek_env.common.checks import check_count
from zamek_env.common.extras import needs_extra
from zamek_env.render.shapes import Circle, Lines, Polygon, Scene, Text

OVERSAMPLING = 3
MAX_SIZE = 10_000  # pixels of height
MIN_FONT = 4.0  # pixels, oversampled; smaller words are left out
_ANCHORS = {"start": "lm", "middle": "mm", "end": "rm"}


def paint(scene: Scene, size: int) -> npt.NDArray[np.uint8]:
    """Return `scene` as `uint8[size, width, 3]`. Raises as `check_count` unless `size` lies in 1 to `MAX_SIZE`."""
    height = check_count("size", size, MAX_SIZE)
    with needs_extra("pictures", "a picture in pixels"):
        from PIL import Image, ImageDraw  # here, because few need pixels
    unit = height * OVERSAMPLING / scene.height
    width = 2 * max(1, round(scene.width / scene.height * height / 2))  # even, as video formats want it
    image = Image.new("RGB", (width * OVERSAMPLING, height * OVERSAMPLING), scene.background)
    brush = ImageDraw.Draw(image, "RGBA")
    left, top = scene.corner
    for group in scene.groups:
        frame = _Frame((group.at[0] - left) * unit, (group.at[1] - top) * unit, group.scale * unit)
        for shape in group.shapes:
            _paint_shape(brush, frame, shape)
    return np.array(image.reduce(OVERSAMPLING))


class _Frame:
    """The place of a group on the image."""

    def __init__(self, x, y, unit):
        self.x, self.y, self.unit = x, y, unit

    def points(self, points):
        x, y, unit = self.x, self.y, self.unit
        return [(x + unit * px, y + unit * py) for px, py in points]

    def width(self, width):
        return max(1, round(width * self.unit))


@lru_cache(maxsize=64)
def _font(size):
    from PIL import ImageFont

    return ImageFont.load_default(size)


def _paint_shape(brush, frame, shape):
    match shape:
        case Polygon():
            points = frame.points(shape.points)
            brush.polygon(points, fill=shape.fill)
            if shape.stroke:
                brush.line([*points, *points[:2]], fill=shape.stroke, width=frame.width(shape.width), joint="curve")
        case Circle():
            (x, y), radius = frame.points((shape.centre,))[0], shape.radius * frame.unit
            edge = {"outline": shape.stroke, "width": frame.width(shape.width)} if shape.stroke else {}
            brush.ellipse((x - radius, y - radius, x + radius, y + radius), fill=shape.fill, **edge)
        case Lines():
            for path in shape.paths:
                brush.line(frame.points(path), fill=shape.stroke, width=frame.width(shape.width))
        case Text():
            size = round(shape.size * frame.unit, 1)
            if size >= MIN_FONT:
                at = frame.points((shape.at,))[0]
                brush.text(at, shape.text, fill=shape.fill, font=_font(size), anchor=_ANCHORS[shape.anchor])
