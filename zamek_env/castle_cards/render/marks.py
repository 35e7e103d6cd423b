"""Marks laid over a picture of castle-cards: choices, and what has changed last, by frames, arrows and cards gone."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from zamek_env.castle_cards.notation.action_line import format_space
from zamek_env.castle_cards.render import colours
from zamek_env.render.shapes import Circle, Group, Path, Point, Polygon, Shape, Text, direction, moved, rectangle

Choices: TypeAlias = Mapping[str, str]  # location -> what is written there, such as a value; "" for nothing
Steps: TypeAlias = Sequence[Mapping[str, Any]]  # of a record, in order

_RADIUS = 0.19  # of a mark
_OUTSET = 0.02  # of a frame
_WIDTH = 0.11  # of an arrow
_HEAD = 0.26  # its length and width
_BADGE = 0.17  # radius
_SIGNS: dict[int | str, str] = {"exchange": "E", "removed": "×"}  # instead of the number of a player


def mark_choices(groups: Sequence[Group], choices: Choices) -> Iterator[Group]:
    """Yield a group of the kind `choice` for each group whose location is in `choices`."""
    for group in groups:
        location = find_location(group)
        if location in choices:
            left, top, width, height = find_box(group)
            shapes: list[Shape] = [
                Polygon(rectangle(left, top, width, height, 0.08), colours.CHOICE_FILL, colours.CHOICE, 0.05)
            ]
            if choices[location]:  # a mark in the south-eastern corner
                radius = min(height / 2, _RADIUS)
                centre = left + width - radius, top + height - radius
                shapes.append(Circle(centre, radius, colours.CHOICE, colours.CHOICE_INK, 0.02))
                shapes.append(Text(centre, choices[location], radius * 0.8, colours.CHOICE_INK))
            data = {"location": location}
            yield Group("choice", tuple(shapes), data=data, title=group.title or location, is_button=True)


def find_location(group: Group) -> str:
    """Return the name of a group as the location of a choice; "" for groups that are no such location."""
    return str(group.data.get("at", ""))


def find_box(group: Group) -> tuple[float, float, float, float]:
    """Return (left, top, width, height) of the first polygon of a group."""
    points = next(shape.points for shape in group.shapes if isinstance(shape, Polygon))
    across, down = zip(*points, strict=True)
    return group.at[0] + min(across), group.at[1] + min(down), max(across) - min(across), max(down) - min(down)


@dataclass(frozen=True)
class Left:
    """A card that has left its space."""

    card: str  # "" where a step does not say which
    to: int | str  # the player whose hand it went to, `exchange` or `removed`


@dataclass
class Changes:
    """The changes of some steps to the board, by space as text; changes that were undone are left out."""

    framed: dict[str, None] = field(default_factory=dict)  # with a card that is new, or whose pawn is
    moved: dict[str, str] = field(default_factory=dict)  # where a card lies now: where it came from
    left: dict[str, Left] = field(default_factory=dict)


def find_changes(steps: Steps) -> Changes:
    """Return what `steps` have changed on the board: everybody sees all of that."""
    changes = Changes()
    for step in steps:
        match step["do"]:
            case "play":
                changes.framed[_name(step["at"])] = None
            case "take_back" | "to_exchange" | "remove":
                where, gone = _name(step["at"]), {"to_exchange": "exchange", "remove": "removed"}
                changes.left[where] = Left(step.get("card", ""), gone.get(step["do"]) or step["to"])
                changes.moved.pop(where, None)
            case "move":
                source, where = _name(step["at"]), _name(step["to"])
                changes.framed.pop(source, None)
                changes.framed[where] = None
                changes.moved[where] = changes.moved.pop(source, source)
            case "pawns" | "rearrange":
                changes.framed |= dict.fromkeys(_name(at) for at, *_ in step["set"])
    return changes


def _name(at: Sequence[Any]) -> str:
    return format_space(tuple(at))


def mark_last(groups: Sequence[Group], changes: Changes) -> Iterator[Group]:
    """Yield a group of the kind `change` for each change of which a space is drawn by one of `groups`."""
    drawn = {find_location(group): group for group in groups if find_location(group)}
    for where, left in changes.left.items():
        if where in drawn:
            yield _place(drawn[where], where, _draw_left(drawn[where], left))
    for where in changes.framed:
        if where in drawn and drawn[where].kind == "card":  # else none lies there any more
            yield _place(drawn[where], where, _draw_frame(drawn[where]))
    for where, source in changes.moved.items():
        if where in drawn and source in drawn:
            boxes = (find_box(drawn[place]) for place in (source, where))
            start, end = ((left + width / 2, top + height / 2) for left, top, width, height in boxes)
            way = _draw_arrow((0.0, 0.0), (end[0] - start[0], end[1] - start[1]))
            yield Group("change", tuple(way), start, data={"where": where})


def _place(group: Group, where: str, shapes: Iterator[Shape]) -> Group:
    return Group("change", tuple(shapes), group.at, data={"where": where})


# --- how it is drawn ---


def _draw_frame(group: Group) -> Iterator[Shape]:
    """Yield a frame round the card of a group, as it lies in the group."""
    left, top, width, height = _find_own_box(group)
    around = rectangle(left - _OUTSET, top - _OUTSET, width + 2 * _OUTSET, height + 2 * _OUTSET, 0.1)
    for colour, stroke in ((colours.LAST_EDGE, 0.085), (colours.LAST, 0.05)):
        yield Polygon(around, colours.CLEAR, colour, stroke)


def _draw_left(group: Group, left: Left) -> Iterator[Shape]:
    """Yield in the corner of a space where its card went; and its name, where no other one lies there."""
    start, top, width, _ = _find_own_box(group)
    if group.kind != "card":
        ground = next(shape.fill for shape in group.shapes if isinstance(shape, Polygon))
        yield Polygon(rectangle(start + 0.06, top + 0.06, width - 0.12, width - 0.12), ground, colours.PLACE, 0.02)
        yield Text(
            (start + width / 2, top + width * 0.78), left.card, min(0.14, 1.4 / max(1, len(left.card))), colours.PLACE
        )
    centre = start + width - 0.12, top + 0.12
    fill = colours.PLAYERS[left.to] if isinstance(left.to, int) else colours.FACE
    yield from _draw_arrow((centre[0] - 0.36, centre[1] + 0.36), (centre[0] - 0.06, centre[1] + 0.06), 0.0)
    yield Circle(centre, _BADGE, colours.EDGE)
    yield Circle(centre, _BADGE * 0.9, fill, colours.LAST, 0.035)
    ink = colours.PLAYER_INK[left.to] if isinstance(left.to, int) else colours.INK
    yield Text(centre, _SIGNS.get(left.to, str(left.to)), 0.2, ink)


def _find_own_box(group: Group) -> tuple[float, float, float, float]:
    left, top, width, height = find_box(group)
    return left - group.at[0], top - group.at[1], width, height


def _draw_arrow(start: Point, end: Point, spare: float = 0.3) -> Iterator[Shape]:
    """Yield an arrow that begins and ends `spare` before the two points."""
    along = direction(start, end)
    across = -along[1], along[0]
    tail, tip = moved(start, along, spare), moved(end, along, -spare)
    neck = moved(tip, along, -_HEAD * 0.9)

    def beside(point: Point, width: float) -> Path:
        return moved(point, across, width / 2), moved(point, across, -width / 2)

    (tail_left, tail_right), (neck_left, neck_right) = beside(tail, _WIDTH), beside(neck, _WIDTH)
    head_left, head_right = beside(neck, _HEAD)
    outline = (tail_left, neck_left, head_left, tip, head_right, neck_right, tail_right)
    yield Polygon(outline, colours.LAST, colours.LAST_EDGE, 0.025)
