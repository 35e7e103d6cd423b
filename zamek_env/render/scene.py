"""Composes the whole picture of a position."""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from zamek_env.common.messages import show_count
from zamek_env.common.player_names import name_player
from zamek_env.components.model import NUM_SIDES, SIDES, Components, Wall
from zamek_env.notation.position import Position
from zamek_env.render import palette
from zamek_env.render.faces import anchors_of, turned
from zamek_env.render.icons import follower, marker
from zamek_env.render.labels import check_table, find_tile
from zamek_env.render.open_table import find_frame, table_groups
from zamek_env.render.overlay import Hint, Overlay, check_overlay, overlay_groups, read_hints, tooltip_groups
from zamek_env.render.panel import WIDTH as PANEL_WIDTH
from zamek_env.render.panel import find_layout, panel_groups
from zamek_env.render.shapes import Group, Lines, Polygon, Scene, Text, moved, rectangle
from zamek_env.render.tiles import tile_shapes
from zamek_env.render.track import REACH, lay_ring, token_groups, wall_groups

MARGIN = 0.15
GAP = 0.1  # between castle and panel
MIN_HEIGHT = 0.6  # of the picture, in widths of the castle
FOLLOWER = 0.34
MARKER = 0.3
NUMBERS = 0.16  # size of the row and column in an empty space
NUMBERS_AT = (0.1, 0.18)  # where they begin, so far in that a choice covers them


def compose(
    components: Components, position: Position, overlay: Overlay | None = None, hints: Iterable[Hint] = ()
) -> Scene:
    """Return the `Scene` of a `Position`, with overlay and tooltips.

    Raises `TypeError`, naming the argument, where it cannot be drawn.
    """
    check_table(components, position)
    check_overlay(overlay)
    all_hints = read_hints(hints)
    has_table = components.start_tile is not None
    west, north, east, south = _find_frame(components, position)
    height = max(south - north, MIN_HEIGHT * (east - west))
    top = (north + south - height) / 2
    scale = height / find_layout(components).height
    groups = [
        *_board(components, position, overlay, all_hints),
        *panel_groups(components, position, (east + GAP * scale, top), scale),
    ]
    width = east - west + (PANEL_WIDTH + GAP) * scale
    margin = MARGIN * scale if has_table else MARGIN  # so that all pictures of a table have one shape
    corner = (west - margin, top - margin)
    return Scene(corner, width + 2 * margin, height + 2 * margin, palette.PARCHMENT, tuple(groups))


def compose_parts(
    components: Components,
    position: Position,
    overlay: Overlay | None = None,
    hints: Iterable[Hint] = (),
    names: Sequence[str] = (),
) -> tuple[Scene, Scene]:
    """Return the board, and the panel next to it, as two scenes, with the players' `names`, if they have some.

    Raises `TypeError` as `compose` does.
    """
    check_table(components, position)
    check_overlay(overlay)
    west, north, east, south = _find_frame(components, position)
    groups = tuple(_board(components, position, overlay, read_hints(hints), names))
    size = (east - west + 2 * MARGIN, south - north + 2 * MARGIN)
    board = Scene((west - MARGIN, north - MARGIN), *size, palette.PARCHMENT, groups)
    panel = tuple(panel_groups(components, position, (0.0, 0.0), 1.0, names))
    height = find_layout(components).height
    return board, Scene((-MARGIN, 0.0), PANEL_WIDTH + MARGIN, height, palette.PARCHMENT, panel)


def compose_tile(components: Components, name: str) -> Scene:
    """Return the tile with the id `name` as a scene. Raises `ValueError` where there is none."""
    shapes = tile_shapes(find_tile(components, name), 0, components.features)
    return Scene((0.0, 0.0), 1.0, 1.0, palette.GROUND, (Group("tile", shapes, data={"tile": name}),))


def _find_frame(components, position):
    """Return how far the table, or the castle with its wall, reaches west, north, east and south."""
    if components.start_tile is not None:
        return find_frame(position.board, components.house.table)
    wall = components.board
    rows, columns = wall.shape
    across = [0.0, columns, *(field.x + reach for field in wall.track for reach in (-REACH, REACH))]
    down = [0.0, rows, *(field.y + reach for field in wall.track for reach in (-REACH, REACH))]
    return min(across), min(down), max(across), max(down)


def _board(components, position, overlay, hints, names=()):
    has_table = components.start_tile is not None
    if has_table:
        yield from table_groups(position.board, components.house.table)
    else:
        yield from wall_groups(components.board, components.features)
        yield from _spaces(components.board)
    yield from _tiles(components, position)
    yield from tooltip_groups(components, position, hints)
    if isinstance(components.board, Wall):
        yield from token_groups(components.board, position.towers)
    yield from _followers(components, position, names)
    if not has_table:
        yield from _markers(components.board, position, names)
    if overlay:
        yield from overlay_groups(components, position, overlay)


@lru_cache(maxsize=64)
def _spaces(wall):
    """The empty spaces inside the wall."""
    return tuple(_space(row, column) for row, column in wall.cells)


def _space(row, column):
    """An empty space, with its row and column as notation has them."""
    outline, cell = rectangle(0, 0, 1, 1), f"{row},{column}"
    shapes = (
        Polygon(outline, palette.GROUND),
        Lines(((*outline, outline[0]),), palette.GROUND_EDGE, 0.02),
        Text(NUMBERS_AT, cell, NUMBERS, palette.FAINT_WORDS, "start"),
    )
    return Group("space", shapes, (float(column), float(row)), data={"cell": cell})


def _tiles(components, position):
    for (row, column), (name, rotation) in sorted(position.board.items()):
        shapes = tile_shapes(find_tile(components, name), rotation, components.features)
        data = {"cell": f"{row},{column}", "tile": name, "rotation": rotation}
        title = f"{name}@{row},{column}{SIDES[rotation % NUM_SIDES]}"
        yield Group("tile", shapes, (float(column), float(row)), data=data, title=title)
    if position.cell in position.board:
        row, column = position.cell
        outline = rectangle(column, row, 1, 1)
        yield Group("latest", (Lines(((*outline, *outline[:2]),), palette.HIGHLIGHT, 0.06),))


def _followers(components, position, names):
    crowd: dict[tuple[tuple[int, int], str], int] = {}
    for player, cell, name, piece in position.followers:
        tile_name, rotation = position.board[cell]
        tile = find_tile(components, tile_name)
        segment = next(segment for segment in tile.segments if segment.name == name)
        neighbours = crowd[cell, name] = crowd.get((cell, name), -1) + 1
        anchor = moved(turned(anchors_of(tile)[name][-1], rotation), (1, 0.4), 0.15 * neighbours)
        feature = components.feature(segment.feature)
        lying = not feature.completes  # (rules Z13, C8)
        data = {"player": player, "cell": f"{cell[0]},{cell[1]}", "segment": name, "piece": piece}
        shapes = follower(anchor, FOLLOWER, player, lying, piece)
        role = feature.role if piece == components.pieces[0].name else piece
        title = f"{name_player(player, names)}: {role} on {segment.feature} {name} of {tile_name}"
        yield Group("follower", shapes, (float(cell[1]), float(cell[0])), data=data, title=title)


def _markers(wall, position, names):
    ring = lay_ring(wall)
    fields = [score % len(ring.middles) for score in position.scores]
    gates = [position.phase != "over" and at_gate for at_gate in position.at_gate]  # the end scoring knows none
    stands = list(zip(fields, gates, strict=True))
    for player, (field, at_gate) in enumerate(stands):
        sharing = stands.count((field, at_gate)) > 1
        middle = ring.ends[field][0] if at_gate else ring.middles[field]
        at = moved(middle, (1, 1) if player else (-1, -1), 0.07 if sharing else 0.0)
        data = {"player": player, "field": field} | ({"gate": field} if at_gate else {})
        title = f"{name_player(player, names)}: {show_count(position.scores[player], 'point')}"
        yield Group("marker", marker(at, MARKER, player), data=data, title=title)
