"""Cards: their faces, a pile on a space, a card in a list, and the pawns on them; and what lies under the cards.

That is a meadow, the walls and towers of the castle, its courtyard, and empty spaces.
"""

import textwrap
from collections.abc import Iterator

from zamek_env.castle_cards.components.cards import ZONE_OF
from zamek_env.castle_cards.layout.board import WIDTH
from zamek_env.castle_cards.notation.action_line import Space, format_space
from zamek_env.castle_cards.notation.position import Pile, find_zone
from zamek_env.castle_cards.render import colours
from zamek_env.castle_cards.render.colours import CARD, EDGE, FACE, INK, PLAYER_INK, PLAYERS, SHADOW
from zamek_env.castle_cards.render.portraits import draw_portrait
from zamek_env.render.shapes import Circle, Group, Lines, Path, Point, Polygon, Shape, Text, rectangle

GAP, RADIUS = 0.05, 0.09  # between spaces; of the corners of spaces and cards
_WALL = 0.11  # by which the walls stand out of the grid
_MERLON = 0.2  # its width; between two of them is as much
_TOWER = 0.74  # radius
_TUFTS = ((-0.9, 0.4), (-0.8, 5.3), (6.7, 1.0), (6.95, 4.6), (0.9, -0.85), (4.8, -0.75), (1.3, 6.85), (5.0, 6.7))
CHIP = 0.42  # height of a card in a list
PORTRAIT = (0.07, 0.09, CHIP - 0.14)  # x, y and side of its portrait
_LETTER = 0.56  # width of a letter, in its size
_SIZES = (0.13, 0.19)  # of the smallest and the largest name of a card


def draw_face(card: str) -> Iterator[Shape]:
    """Yield the shapes of a card in a square of side 1: its name on the colour of its zone, and room for a portrait."""
    lines = textwrap.wrap(card, 11)  # as many letters as the longest word of a name has
    longest = max(map(len, lines))
    size = min(_SIZES[len(lines) == 1], 0.84 / (_LETTER * longest))
    yield Polygon(rectangle(0.08, 0.09, 0.88, 0.88, RADIUS), SHADOW)
    yield Polygon(rectangle(0.05, 0.05, 0.9, 0.9, RADIUS), CARD[ZONE_OF[card]], EDGE, 0.02)
    yield Polygon(rectangle(0.09, 0.33, 0.82, 0.58, 0.06), FACE)
    for number, line in enumerate(lines):
        yield Text((0.5, 0.2 + 0.14 * (number - (len(lines) - 1) / 2)), line, size, INK)


def draw_pile(pile: Pile, at: Point) -> Iterator[Group]:
    """Yield the parts drawn on the lowest card of a pile: its portrait, pawns, and a strip for each Knight."""
    yield place_portrait(pile.cards[0], (at[0] + 0.38, at[1] + 0.4), 0.5)
    pawns = tuple(_draw_pawns(pile))
    if pawns:
        yield Group("pawns", pawns, at)


def place_portrait(card: str, at: Point, side: float) -> Group:
    """Return the portrait of a card in a square; all portraits of one card share their shapes."""
    return Group("portrait", draw_portrait(card), at, side)


def _draw_pawns(pile: Pile) -> Iterator[Shape]:
    count = len(pile.pawns)
    if count == 1:
        yield from draw_pawn((0.24, 0.76), pile.pawns[0], 0.15)
        return
    step = min(0.28, 0.86 / count)  # from one card of the pile to the next
    for level, pawn in enumerate(pile.pawns):
        x = 0.5 + (level - (count - 1) / 2) * step
        if level:
            yield Polygon(rectangle(x - step / 2, 0.44, step, 0.48, 0.05), CARD["card"], EDGE, 0.015)
            yield Text((x, 0.53), "K", 0.13, INK)
        yield from draw_pawn((x, 0.75), pawn, min(0.13, step * 0.46))


def draw_pawn(centre: Point, pawn: int | None, radius: float) -> Iterator[Shape]:
    """Yield the pawn of a player, with the player's number; nothing where there is none."""
    if pawn is not None:
        yield Circle(centre, radius, EDGE)
        yield Circle(centre, radius * 0.92, PLAYERS[pawn], FACE, radius / 9)
        yield Text(centre, str(pawn), radius * 1.15, PLAYER_INK[pawn])


def measure_chip(card: str, count: int) -> float:
    """Return how wide a card in a list is."""
    return CHIP + 0.16 + 0.17 * _LETTER * len(write_number(card, count))


def draw_chip(card: str, count: int) -> Iterator[Shape]:
    """Yield the shapes of a card in a list, from its north-west corner on; `PORTRAIT` is where its portrait belongs."""
    width, words = measure_chip(card, count), write_number(card, count)
    yield Polygon(rectangle(0, 0, width, CHIP, 0.07), CARD[ZONE_OF[card]], EDGE, 0.015)
    yield Polygon(rectangle(0.03, 0.03, CHIP - 0.03, CHIP - 0.06, 0.05), FACE)
    yield Text((CHIP + 0.06, CHIP / 2), words, 0.17, INK, "start")


def write_number(card: str, count: int) -> str:
    """Return the name of a card with its number."""
    return card if count == 1 else f"{count} × {card}"


# --- what lies under the cards ---


def draw_meadow(margin: float) -> Group:
    """Return the meadow around the castle, up to that distance from its grid."""
    side = WIDTH + 2 * margin
    blades: tuple[Path, ...] = tuple(
        ((x + across, y), (x + across + lean, y - 0.16))
        for x, y in _TUFTS
        for across, lean in ((-0.07, -0.05), (0.0, 0.0), (0.07, 0.05))
    )
    ground = Polygon(rectangle(-margin, -margin, side, side, 0.3), colours.MEADOW)
    return Group("ground", (ground, Lines(blades, colours.TUFT, 0.03)))


def draw_walls() -> Group:
    """Return the walls, the towers at their corners, and the courtyard."""
    side = WIDTH + 2 * _WALL
    shapes: list[Shape] = [*_draw_merlons()]
    shapes.append(Polygon(rectangle(-_WALL, -_WALL, side, side), colours.WALL, colours.WALL_EDGE, 0.03))
    shapes.append(Polygon(rectangle(1, 1, WIDTH - 2, WIDTH - 2), colours.COURT, colours.WALL_EDGE, 0.03))
    for x in (0.5, WIDTH - 0.5):
        for y in (0.5, WIDTH - 0.5):
            shapes.append(Circle((x, y), _TOWER, colours.MERLON, colours.WALL_EDGE, 0.03))
            shapes.append(Circle((x, y), _TOWER - 0.06, colours.WALL, colours.WALL_EDGE, 0.015))
    return Group("ground", tuple(shapes))


def _draw_merlons() -> Iterator[Shape]:
    """Yield the battlements along the four walls, between the towers."""
    number = round((WIDTH - 2) / (2 * _MERLON))
    for count in range(number):
        start = 1 + _MERLON * (2 * count + 0.5)
        for edge in (-2 * _WALL, WIDTH):
            yield Polygon(rectangle(start, edge, _MERLON, 2 * _WALL), colours.MERLON, colours.WALL_EDGE, 0.02)
            yield Polygon(rectangle(edge, start, 2 * _WALL, _MERLON), colours.MERLON, colours.WALL_EDGE, 0.02)


def draw_space(space: Space) -> tuple[Shape, ...]:
    """Return an empty space, in a square of side 1, with its name."""
    zone = find_zone(space)
    ground = Polygon(
        rectangle(GAP, GAP, 1 - 2 * GAP, 1 - 2 * GAP, RADIUS), colours.GROUND[zone], colours.SPACE_EDGE, 0.012
    )
    return ground, Text((0.5, 0.5), format_space(space), 0.14, colours.PLACE)
