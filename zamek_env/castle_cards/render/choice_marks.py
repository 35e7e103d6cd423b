"""Choices laid over a picture of castle-cards: an outline around what each concerns, and perhaps a mark."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from zamek_env.render.shapes import Circle, Group, Polygon, Text, rectangle

Choices: TypeAlias = Mapping[str, str]  # location -> what is written there, such as a value; "" for nothing
EDGE, MARK, MARK_INK = "#0072b2", "#0072b2", "#ffffff"

_RADIUS = 0.19  # of a mark
_LINE = (5.0, 0.4)  # width and height of a line of words


def mark_choices(groups: Sequence[Group], choices: Choices) -> Iterator[Group]:
    """Yield a group of the kind `choice` for each group whose location stands in `choices`."""
    for group in groups:
        location = find_location(group)
        if location in choices:
            left, top, width, height = _find_box(group)
            edge = Polygon(rectangle(left, top, width, height, 0.06), "none", EDGE, 0.045)
            mark = _draw_mark((left + width, top + height), min(height / 2, _RADIUS), choices[location])
            data = {"location": location}
            yield Group("choice", (edge, *mark), data=data, title=group.title or location, is_button=True)


def find_location(group: Group) -> str:
    """Return what a group is called as the location of a choice; "" for none of which one is made."""
    data = group.data
    if "player" in data:
        return f"player {data['player']}"
    if data.get("in") == "exchange":
        return f"exchange {data['card']}"
    return str(data.get("at", ""))


def _find_box(group):
    """Return (left, top, width, height) of the polygon of a group, or of its line of words."""
    polygons = [shape for shape in group.shapes if isinstance(shape, Polygon)]
    if not polygons:
        (circle,) = [shape for shape in group.shapes if isinstance(shape, Circle)]
        return circle.centre[0] - circle.radius, circle.centre[1] - _LINE[1] / 2, *_LINE
    across, down = zip(*polygons[0].points, strict=True)
    return group.at[0] + min(across), group.at[1] + min(down), max(across) - min(across), max(down) - min(down)


def _draw_mark(corner, radius, words):
    """Yield the shapes of a mark in the south-eastern `corner` of its box."""
    if words:
        centre = corner[0] - radius, corner[1] - radius
        yield Circle(centre, radius, MARK, MARK_INK, 0.02)
        yield Text(centre, words, radius * 0.8, MARK_INK)
