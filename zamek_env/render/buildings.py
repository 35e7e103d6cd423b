"""What is built in the open country: city walls with gates, houses, villages, monasteries. Each returns shapes."""

from collections.abc import Iterator, Sequence

from zamek_env.render import palette
from zamek_env.render.shapes import Circle, Lines, Point, Polygon, Shape, direction, moved, rectangle, ribbon

WALL = 0.075  # width
MERLON_STEP = 0.085  # along the wall
VILLAGE = ((-0.09, -0.05), (0.085, -0.06), (-0.08, 0.09), (0.09, 0.08))  # its houses, the last in front
HOUSE = 0.14  # size of one in a village


def city_wall(path: Sequence[Point]) -> Iterator[Shape]:
    """A wall with merlons along `path`, cut off at the border of the tile."""
    for width, colour in ((WALL, palette.STONE_EDGE), (WALL - 0.025, palette.STONE_LIGHT)):
        yield Polygon(tuple((min(max(x, 0.0), 1.0), min(max(y, 0.0), 1.0)) for x, y in ribbon(path, width)), colour)
    yield Lines(tuple(_merlons(path)), palette.STONE_EDGE, 0.02)


def _merlons(path):
    """Yield short strokes across the path, evenly spaced along it."""
    walked, due = 0.0, MERLON_STEP / 2
    for number in range(len(path) - 1):
        start, ahead = path[number], direction(path[number], path[number + 1])
        length = ((path[number + 1][0] - start[0]) ** 2 + (path[number + 1][1] - start[1]) ** 2) ** 0.5
        while due <= walked + length:
            at = moved(start, ahead, due - walked)
            across = (-ahead[1], ahead[0])
            yield (moved(at, across, -WALL / 2 + 0.012), moved(at, across, WALL / 2 - 0.012))
            due += MERLON_STEP
        walked += length


def gate(centre: Point, outwards: Point) -> Iterator[Shape]:
    """A gate in a wall, through which a road leaves in the direction `outwards`: two turrets, and the door between."""
    along = (-outwards[1], outwards[0])
    inner, outer = moved(centre, outwards, -0.07), moved(centre, outwards, 0.06)
    yield Polygon(ribbon((inner, outer), 0.2), palette.STONE, palette.STONE_EDGE, 0.016)
    yield Polygon(ribbon((moved(centre, outwards, -0.03), outer), 0.1), palette.WOOD)
    for way in (-1, 1):
        turret = moved(centre, along, 0.115 * way)
        yield Circle(turret, 0.062, palette.STONE_LIGHT, palette.STONE_EDGE, 0.018)
        yield Circle(turret, 0.026, palette.STONE)


def small_house(centre: Point, size: float, number: int = 0) -> tuple[Shape, ...]:
    """A house seen from its front; its `number` says which roof it has."""
    x, y = centre
    half, ridge = size / 2, 0.3 * size
    front = rectangle(x - half, y, size, 0.42 * size)
    roof = ((x - half, y), (x - half + ridge, y - 0.48 * size), (x + half - ridge + 0.22 * size, y - 0.48 * size))
    return (
        Polygon(tuple((px + 0.12 * size, py + 0.1 * size) for px, py in front), palette.SHADOW),
        Polygon(front, palette.PLASTER, palette.INK, 0.07 * size),
        Polygon((*roof, (x + half, y)), palette.ROOFS[number % len(palette.ROOFS)], palette.INK, 0.07 * size),
        Polygon(rectangle(x - 0.1 * size, y + 0.14 * size, 0.2 * size, 0.28 * size), palette.INK),
    )


def village(centre: Point) -> Iterator[Shape]:
    """Houses where roads end together."""
    for number, (dx, dy) in enumerate(VILLAGE):
        yield from small_house((centre[0] + dx, centre[1] + dy), HOUSE, number)


def monastery(centre: Point) -> Iterator[Shape]:
    """A church with its tower, and the wing where the monks live."""
    x, y = centre
    wing, nave, tower = (
        rectangle(x - 0.2, y + 0.0, 0.2, 0.16),
        rectangle(x - 0.06, y - 0.06, 0.25, 0.22),
        rectangle(x - 0.07, y - 0.2, 0.11, 0.36),
    )
    yield Polygon(tuple((px + 0.03, py + 0.03) for px, py in rectangle(x - 0.2, y - 0.03, 0.4, 0.2)), palette.SHADOW)
    for walls in (wing, nave):
        yield Polygon(walls, palette.PLASTER, palette.INK, 0.014)
    yield Polygon(((x - 0.22, y + 0.01), (x - 0.19, y - 0.08), (x, y - 0.08), (x, y + 0.01)), *_SLATES)
    yield Polygon(((x + 0.02, y - 0.05), (x + 0.05, y - 0.15), (x + 0.18, y - 0.15), (x + 0.21, y - 0.05)), *_SLATES)
    yield Polygon(tower, palette.PLASTER, palette.INK, 0.014)
    yield Polygon(((x - 0.085, y - 0.19), (x - 0.015, y - 0.33), (x + 0.055, y - 0.19)), *_SLATES)
    cross = (((x - 0.015, y - 0.41), (x - 0.015, y - 0.32)), ((x - 0.045, y - 0.38), (x + 0.015, y - 0.38)))
    yield Lines(cross, palette.INK, 0.018)
    yield Polygon(rectangle(x - 0.042, y + 0.05, 0.054, 0.11, 0.02), palette.INK)
    yield Circle((x - 0.015, y - 0.1), 0.025, palette.INK)
    for dx in (-0.165, -0.115):
        yield Polygon(rectangle(x + dx, y + 0.06, 0.025, 0.05), palette.INK)
    for dx in (0.075, 0.13):
        yield Polygon(rectangle(x + dx, y + 0.01, 0.03, 0.08, 0.012), palette.INK)


_SLATES = (palette.SLATE, palette.INK, 0.014)
