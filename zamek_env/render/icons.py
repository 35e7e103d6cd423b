"""Small drawings: followers, markers, buildings on tiles. Each returns shapes around a centre."""

import math

from zamek_env.render import palette
from zamek_env.render.shapes import Circle, Lines, Path, Point, Polygon, Shape, moved, rectangle

_HALF_MEEPLE = (  # right half of a standing follower, from the top of the head to between the feet
    (0.0, -0.5), (0.1, -0.48), (0.17, -0.41), (0.19, -0.32), (0.16, -0.22), (0.22, -0.17), (0.38, -0.12),
    (0.49, -0.04), (0.49, 0.06), (0.42, 0.1), (0.26, 0.09), (0.29, 0.22), (0.4, 0.41), (0.4, 0.47), (0.34, 0.5),
    (0.1, 0.5), (0.06, 0.46), (0.0, 0.3),
)  # fmt: skip
_MEEPLE = _HALF_MEEPLE + tuple((-x, y) for x, y in _HALF_MEEPLE[-2:0:-1])


# The sign of a special piece, in the frame of the follower: a crown, a falcon with spread wings.
_CROWN = ((-0.24, -0.36), (-0.3, -0.66), (-0.14, -0.52), (0.0, -0.72), (0.14, -0.52), (0.3, -0.66), (0.24, -0.36))
_FALCON = (
    (0.34, -0.12), (0.1, -0.4), (0.3, -0.36), (0.34, -0.52), (0.42, -0.58), (0.48, -0.5), (0.5, -0.36), (0.72, -0.44),
    (0.48, -0.12),
)  # fmt: skip
_CARRIED = {"prince": (_CROWN, palette.TOKEN), "falconer": (_FALCON, palette.NEST)}


def follower(
    centre: Point, size: float, player: int, lying: bool = False, piece: str = "follower"
) -> tuple[Shape, ...]:
    """A follower in the player's colour, on its back where `lying`, with the sign of a special `piece`."""

    def placed(points):
        turned = ((dy, -dx) for dx, dy in points) if lying else points
        return tuple((centre[0] + dx * size, centre[1] + dy * size) for dx, dy in turned)

    body = placed(_MEEPLE)
    shadow = tuple((px + 0.06 * size, py + 0.08 * size) for px, py in body)
    shapes = (Polygon(shadow, palette.SHADOW), Polygon(body, palette.PLAYERS[player], palette.INK, 0.08 * size))
    if piece not in _CARRIED:
        return shapes
    outline, colour = _CARRIED[piece]
    return (*shapes, Polygon(placed(outline), colour, palette.INK, 0.06 * size))


def marker(centre: Point, size: float, player: int) -> tuple[Shape, ...]:
    """A score marker: a disc with a ring."""
    colour = palette.PLAYERS[player]
    return (
        Circle(moved(centre, (0.6, 0.8), 0.12 * size), size / 2, palette.SHADOW),
        Circle(centre, size / 2, colour, palette.INK, 0.1 * size),
        Circle(centre, size * 0.22, palette.PLAYER_INK[player]),
    )


def mark_icon(mark: str | None, centre: Point) -> tuple[Shape, ...]:
    """Return the icon of a `mark` on a segment; a star where the mark is unknown."""
    return _MARKS.get(mark or "", _star)(centre)


def _shrine(centre):
    """A small chapel with a pointed roof and a cross."""
    x, y = centre
    walls = rectangle(x - 0.055, y - 0.01, 0.11, 0.105)
    roof = ((x - 0.085, y), (x, y - 0.085), (x + 0.085, y))
    door = rectangle(x - 0.018, y + 0.04, 0.036, 0.055)
    cross = (((x, y - 0.15), (x, y - 0.075)), ((x - 0.026, y - 0.125), (x + 0.026, y - 0.125)))
    return (
        Polygon(tuple((px + 0.02, py + 0.02) for px, py in walls), palette.SHADOW),
        Polygon(walls, "#fffdf4", palette.INK, 0.014),
        Polygon(roof, "#7d6bb0", palette.INK, 0.014),
        Polygon(door, palette.INK),
        Lines(cross, palette.INK, 0.018),
    )


def _stocks(centre):
    """The pillory of the market: a board with three holes on two posts."""
    x, y = centre
    posts = tuple(rectangle(x + dx - 0.013, y - 0.07, 0.026, 0.15) for dx in (-0.075, 0.075))
    board = rectangle(x - 0.105, y - 0.06, 0.21, 0.085, 0.02)
    holes = ((-0.062, 0.013), (0.0, 0.02), (0.062, 0.013))
    return (
        *(Polygon(post, palette.INK) for post in posts),
        Polygon(board, palette.WOOD, palette.INK, 0.014),
        *(Circle((x + dx, y - 0.018), radius, "#f3e4bd") for dx, radius in holes),
    )


def nest(centre: Point, size: float = 0.23) -> tuple[Shape, ...]:
    """A falcon's nest: a bowl of twigs with three eggs."""
    x, y = centre
    bowl = ((-0.5, -0.1), (0.5, -0.1), (0.42, 0.18), (0.22, 0.36), (-0.22, 0.36), (-0.42, 0.18))
    twigs = (((-0.55, -0.06), (0.3, 0.12)), ((0.55, -0.06), (-0.3, 0.14)), ((-0.4, 0.2), (0.4, 0.26)))
    return (
        *(Circle((x + dx * size, y - dy * size), 0.17 * size, "#fbf3e0", palette.INK, 0.05 * size) for dx, dy in _EGGS),
        Polygon(_scaled(centre, size, bowl), palette.NEST, palette.INK, 0.06 * size),
        Lines(tuple(_scaled(centre, size, path) for path in twigs), palette.WOOD, 0.05 * size),
    )


_EGGS = ((-0.26, 0.16), (0.26, 0.16), (0.0, 0.22))


def _scaled(centre, size, points):
    return tuple((centre[0] + x * size, centre[1] + y * size) for x, y in points)


def _star(centre):
    points = tuple(
        moved(centre, (math.sin(turn), -math.cos(turn)), 0.1 if number % 2 == 0 else 0.045)
        for number, turn in enumerate(math.pi * step / 5 for step in range(10))
    )
    return (Polygon(points, "#fff3b0", palette.INK, 0.014),)


def _shield(centre):
    """A coat of arms, quartered."""
    x, y = centre
    outline = ((-0.09, -0.105), (0.09, -0.105), (0.09, 0.01), (0.06, 0.07), (0.0, 0.115), (-0.06, 0.07), (-0.09, 0.01))
    quarters: tuple[Path, ...] = (((-0.09, -0.105), (0.0, -0.105), (0.0, 0.0), (-0.09, 0.0)),)
    quarters += (((0.0, 0.0), (0.09, 0.0), (0.09, 0.01), (0.06, 0.07), (0.0, 0.115)),)
    placed = [tuple((x + dx, y + dy) for dx, dy in points) for points in (outline, *quarters)]
    return (
        Polygon(tuple((px + 0.02, py + 0.025) for px, py in placed[0]), palette.SHADOW),
        Polygon(placed[0], palette.SHIELD[0]),
        *(Polygon(quarter, palette.SHIELD[1]) for quarter in placed[1:]),
        Lines(((*placed[0], *placed[0][:2]),), palette.INK, 0.02),
    )


_MARKS = {"shrines": _shrine, "stocks": _stocks, "shields": _shield}


def fountain(centre: Point) -> tuple[Shape, ...]:
    """A round basin with water."""
    return (
        Circle(centre, 0.1, palette.STONE_LIGHT, palette.STONE_EDGE, 0.016),
        Circle(centre, 0.068, palette.WATER, palette.WATER_EDGE, 0.014),
        Circle(centre, 0.022, "#ffffff"),
    )


def token(centre: Point, radius: float) -> tuple[Shape, ...]:
    """A special token, face down."""
    return (
        Circle(moved(centre, (0.6, 0.8), 0.2 * radius), radius, palette.SHADOW),
        Circle(centre, radius, palette.TOKEN, palette.TOKEN_EDGE, 0.22 * radius),
        Polygon(
            tuple(moved(centre, way, 0.45 * radius) for way in ((0, -1), (1, 0), (0, 1), (-1, 0))), palette.TOKEN_EDGE
        ),
    )


def house(centre: Point, size: float) -> tuple[Shape, ...]:
    """A house seen from the front, for the family house."""
    x, y = centre
    half = size / 2
    walls = rectangle(x - 0.36 * size, y - 0.05 * size, 0.72 * size, 0.5 * size)
    return (
        Polygon(walls, "#fffdf4", palette.INK, 0.05 * size),
        Polygon(((x - half, y), (x, y - half), (x + half, y)), palette.LOOKS["house"].fill, palette.INK, 0.05 * size),
        Polygon(rectangle(x - 0.1 * size, y + 0.15 * size, 0.2 * size, 0.3 * size), palette.INK),
    )
