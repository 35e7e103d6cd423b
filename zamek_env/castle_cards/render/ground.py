"""What lies under the cards: a meadow, the walls and towers of the castle, its courtyard, and empty spaces."""

from collections.abc import Iterator

from zamek_env.castle_cards.layout.board import WIDTH
from zamek_env.castle_cards.notation.options import Space, format_space
from zamek_env.castle_cards.notation.position import find_zone
from zamek_env.castle_cards.render import colours
from zamek_env.render.shapes import Circle, Group, Lines, Path, Polygon, Shape, Text, rectangle

GAP, RADIUS = 0.05, 0.09  # between spaces; of the corners of spaces and cards
_WALL = 0.11  # by which the walls stand out of the grid
_MERLON = 0.2  # its width; between two of them is as much
_TOWER = 0.74  # radius
_TUFTS = ((-0.9, 0.4), (-0.8, 5.3), (6.7, 1.0), (6.95, 4.6), (0.9, -0.85), (4.8, -0.75), (1.3, 6.85), (5.0, 6.7))


def draw_meadow(margin: float) -> Group:
    """Return the meadow round the castle, so far beyond its grid."""
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
