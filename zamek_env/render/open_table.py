"""The open table: the part that a picture shows, empty cells next to the tiles, and the numbers of rows and columns."""

from collections.abc import Mapping
from typing import TypeAlias

from zamek_env.components.model import STEP
from zamek_env.render import palette
from zamek_env.render.shapes import Group, Lines, Polygon, Text, rectangle

LEAST = 7  # rows and columns for which there is room at the least
LABELS = 0.045  # room for numbers on each side, in sides of the frame without it
LABEL = 0.024  # their size
INSET = 0.04  # of an empty cell's outline
Edge: TypeAlias = tuple[int, int] | None  # rows and columns of a table that ends somewhere (rule H7)


def find_beside(board: Mapping[tuple[int, int], object], edge: Edge) -> list[tuple[int, int]]:
    """Return the empty cells next to the tiles of `board`, {cell: …}, in order, without those beyond the `edge`."""
    beside = {(row + down, column + right) for row, column in board for down, right in STEP} if board else {(0, 0)}
    return sorted(
        (row, column)
        for row, column in beside - board.keys()
        if edge is None or (abs(row) <= edge[0] // 2 and abs(column) <= edge[1] // 2)
    )


def find_box(board: Mapping[tuple[int, int], object], edge: Edge) -> tuple[int, int, int, int]:
    """Return (first row, first column, rows, columns) of the box around the tiles and the cells next to them."""
    rows, columns = zip(*board, *find_beside(board, edge), strict=True)
    return min(rows), min(columns), max(rows) - min(rows) + 1, max(columns) - min(columns) + 1


def find_frame(board: Mapping[tuple[int, int], object], edge: Edge) -> tuple[float, float, float, float]:
    """Return (west, north, east, south) of the square that the picture of the table fills."""
    top, left, rows, columns = find_box(board, edge)
    side = max(LEAST, rows, columns)
    reach = side / 2 + LABELS * side
    middle = (left + columns / 2, top + rows / 2)
    return middle[0] - reach, middle[1] - reach, middle[0] + reach, middle[1] + reach


def table_groups(board: Mapping[tuple[int, int], object], edge: Edge) -> tuple[Group, ...]:
    """Return the groups of the table: the empty cells next to the tiles, and the numbers of rows and columns."""
    outline = rectangle(INSET, INSET, 1 - 2 * INSET, 1 - 2 * INSET, 0.08)
    cloth = (Polygon(outline, palette.CLOTH), Lines(((*outline, outline[0]),), palette.CLOTH_EDGE, 0.02))
    spaces = [
        Group("space", cloth, (float(column), float(row)), data={"cell": f"{row},{column}"})
        for row, column in find_beside(board, edge)
    ]
    top, left, rows, columns = find_box(board, edge)
    side = max(LEAST, rows, columns)
    away, size = LABELS * side / 2, LABEL * side
    labels = [
        ((column + 0.5, y), column) for column in range(left, left + columns) for y in (top - away, top + rows + away)
    ]
    labels += [((x, row + 0.5), row) for row in range(top, top + rows) for x in (left - away, left + columns + away)]
    words = tuple(Text(at, str(number), size, palette.FAINT_WORDS) for at, number in labels)
    return (*spaces, Group("labels", words))
