"""Pictures of a game of castle-cards: as SVG, as pixels."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from zamek_env.castle_cards.notation.position import CastlePosition
from zamek_env.castle_cards.render.colours import darken
from zamek_env.castle_cards.render.marks import Choices, Steps, find_changes
from zamek_env.castle_cards.render.scene import SHAPE, compose, compose_beside, compose_castle
from zamek_env.render.rgb import paint
from zamek_env.render.shapes import Scene
from zamek_env.render.svg import follow, write_svg


def draw_svg(position: CastlePosition, hand: Mapping[str, int] | None = None) -> str:
    """Return `position` as an SVG document, with `hand`, {card: number}, as that of the player to decide.

    It follows the light or dark mode of the viewer. Groups say what they stand for: `class` is card, space or words,
    `data-at` says where, such as `0,3` or `exchange Spy`, and a title says all of it in words, with the cards' rules.
    """
    return write_svg(compose(position, hand), follow(darken), fits=True)


def draw_parts(
    position: CastlePosition,
    choices: Choices | None = None,
    last: Steps = (),
    has_rules: bool = True,
    names: Sequence[str] = (),
) -> tuple[str, str]:
    """Return `position` as two SVG documents, the castle and what lies beside it, without styles of their own.

    `choices` says where somebody may choose: {location: a mark of a few letters}. A location is a space as in notation,
    `exchange` and a card, or `player` and a number. Each becomes a group of the class choice with that `data-location`.
    `last` are the last steps, as records have them: what they have changed is marked by groups of the class change.
    `has_rules` says whether titles say what cards do; `names` are those of the players, if they have some.
    """
    marked, changes = {} if choices is None else choices, find_changes(last)
    castle = compose_castle(position, marked, changes, names)
    beside = compose_beside(position, marked, changes, names)
    if not has_rules:
        castle, beside = _leave_rules_out(castle), _leave_rules_out(beside)
    return write_svg(castle), write_svg(beside)


def _leave_rules_out(scene: Scene) -> Scene:
    groups = (replace(group, title=group.title.partition("\n")[0]) for group in scene.groups)
    return replace(scene, groups=tuple(groups))


def draw_rgb(position: CastlePosition, size: int = 640) -> npt.NDArray[np.uint8]:
    """Return `position` as pixels, `uint8[size, width, 3]`; all pictures have one shape, however much lies beside.

    Raises `ValueError` unless `size` lies in 1 to 10,000, `TypeError` where it is no whole number.
    """
    scene = compose(position)
    return paint(replace(scene, width=scene.height * SHAPE), size)
