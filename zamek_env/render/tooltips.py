"""Tooltips of areas in a picture."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from zamek_env.components.model import NUM_SIDES, SIDES, Components, Tile
from zamek_env.records.position import Position
from zamek_env.render.faces import CENTRE, ROAD_WIDTH, face_of, turned
from zamek_env.render.labels import find_tile
from zamek_env.render.overlay import name_location
from zamek_env.render.shapes import Group, Path, Region, rectangle, ribbon

BUILDING = 0.4  # side of the square that stands for what is built in the centre


@dataclass(frozen=True)
class Hint:
    """The tooltip of an area."""

    text: str
    segments: frozenset[tuple[tuple[int, int] | str, str]]  # (location, segment name), as in `Area.segments`


def tooltip_groups(components: Components, position: Position, hints: Iterable[Hint]) -> Iterator[Group]:
    """Yield an invisible group for each segment on the board that `hints` describe."""
    said: Mapping[object, tuple[str, str]] = {
        where: (_name_area(hint), hint.text) for hint in hints for where in hint.segments
    }
    for cell, (name, rotation) in sorted(position.board.items()):
        for segment, region in find_regions(find_tile(components, name), rotation):
            if (cell, segment) in said:
                area, text = said[cell, segment]
                data = {"at": name_location((*cell, segment)), "area": area}
                at = (float(cell[1]), float(cell[0]))
                title = f"{name}@{cell[0]},{cell[1]}{SIDES[rotation % NUM_SIDES]} {segment}: {text}"
                yield Group("area", (region,), at, data=data, title=title)


def _name_area(hint):
    """Return the first segment of an area in notation, which does not change with the rest of the board."""
    cells = sorted((*where, name) for where, name in hint.segments if not isinstance(where, str))
    return name_location(cells[0]) if cells else ""


@lru_cache(maxsize=4096)
def find_regions(tile: Tile, rotation: int) -> tuple[tuple[str, Region], ...]:
    """Return (segment name, where it shows) of a turned tile, in the unit square; later ones lie over earlier ones."""
    face = face_of(tile)
    outlines: list[tuple[str, Path]] = [(patch.name, patch.outline) for patch in face.patches if patch.name is not None]
    outlines += [(road.name, ribbon(road.path, ROAD_WIDTH)) for road in face.roads]
    half = BUILDING / 2
    square = rectangle(CENTRE[0] - half, CENTRE[1] - half, BUILDING, BUILDING)
    outlines += [(segment.name, square) for segment in tile.segments if not segment.ports]
    return tuple((name, Region(tuple(turned(point, rotation) for point in outline))) for name, outline in outlines)
