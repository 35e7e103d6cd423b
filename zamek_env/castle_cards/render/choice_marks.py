"""Choices laid over a picture of castle-cards: an outline around what each concerns, and perhaps a mark."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from zamek_env.castle_cards.render.colours import CHOICE, CHOICE_FILL, CHOICE_INK
from zamek_env.render.shapes import Circle, Group, Polygon, Shape, Text, rectangle

Choices: TypeAlias = Mapping[str, str]  # location -> what is written there, such as a value; "" for nothing

_RADIUS = 0.19  # of a mark


def mark_choices(groups: Sequence[Group], choices: Choices) -> Iterator[Group]:
    """Yield a group of the kind `choice` for each group whose location stands in `choices`."""
    for group in groups:
        location = find_location(group)
        if location in choices:
            left, top, width, height = find_box(group)
            shapes: list[Shape] = [Polygon(rectangle(left, top, width, height, 0.08), CHOICE_FILL, CHOICE, 0.05)]
            if choices[location]:  # a mark in the south-eastern corner
                radius = min(height / 2, _RADIUS)
                centre = left + width - radius, top + height - radius
                shapes.append(Circle(centre, radius, CHOICE, CHOICE_INK, 0.02))
                shapes.append(Text(centre, choices[location], radius * 0.8, CHOICE_INK))
            data = {"location": location}
            yield Group("choice", tuple(shapes), data=data, title=group.title or location, is_button=True)


def find_location(group: Group) -> str:
    """Return what a group is called as the location of a choice; "" for none of which one is made."""
    return str(group.data.get("at", ""))


def find_box(group: Group) -> tuple[float, float, float, float]:
    """Return (left, top, width, height) of the first polygon of a group."""
    points = next(shape.points for shape in group.shapes if isinstance(shape, Polygon))
    across, down = zip(*points, strict=True)
    return group.at[0] + min(across), group.at[1] + min(down), max(across) - min(across), max(down) - min(down)
