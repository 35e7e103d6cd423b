"""How faces and squares of a ruleset hang together, as arrays for the kernels that read planes."""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from zamek_env.components.model import NUM_ROTATIONS, NUM_SIDES, STEP, opposite_side
from zamek_env.core.tables import NONE

if TYPE_CHECKING:
    from zamek_env.ruleset import Ruleset

PLANES = ("space", "tile", "rotation", "my_follower", "their_follower", "fits")
SPACE, TILE, ROTATION, FOLLOWER, FITS = map(PLANES.index, ("space", "tile", "rotation", "my_follower", "fits"))
WALL = -1  # in `beside` and `around`
AROUND = ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1))  # (rows down, columns right)
MOST_SIZE = 64  # tiles of an area; larger ones are taken to pay as much


class Map(NamedTuple):
    """The tables of a ruleset of S squares of the planes, and start spaces that follow them."""

    segment: npt.NDArray[np.int16]  # (faces that differ, 12) the segment at each port, NONE for none
    feature: npt.NDArray[np.int16]  # (faces that differ, segments) NONE beyond the last
    marks: npt.NDArray[np.int16]  # (faces that differ, segments)
    beside: npt.NDArray[np.int16]  # (squares and start spaces, 4) the square or start space on that side, or WALL
    around: npt.NDArray[np.int16]  # (squares, 8) the squares around, or WALL
    cell: npt.NDArray[np.int16]  # (squares,) its number among the cells, NONE for no cell
    start_face: npt.NDArray[np.int16]  # (start spaces,)
    points: npt.NDArray[np.int16]  # (features, 2, MOST_SIZE + 1) of a complete area by size, without and with marks
    mark_points: npt.NDArray[np.int16]  # (features,) of each mark beside
    completes: npt.NDArray[np.bool_]  # (features,)
    surrounded: npt.NDArray[np.bool_]  # (features,)
    planes: npt.NDArray[np.int64]  # the number of each of `PLANES`, the first where there are several


def make_map(ruleset: "Ruleset") -> Map:
    """Return the `Map` of a `Ruleset`."""
    t, sizes, planes = ruleset.tables[0], ruleset.sizes, ruleset.planes
    kinds = np.arange(sizes.tiles) if t.tile_kind.size == 0 else t.tile_kind
    tiles = [int(np.flatnonzero(kinds == kind)[0]) for kind in range(sizes.tile_kinds)]
    faces = [tile * NUM_ROTATIONS + rotation for tile in tiles for rotation in range(NUM_ROTATIONS)]
    starts = [start for start in range(sizes.starts) if t.start_side[start] > NONE]
    faces += [sizes.tiles * NUM_ROTATIONS + start for start in starts]
    of_face = [face // NUM_ROTATIONS for face in faces[: len(faces) - len(starts)]]
    of_face += [sizes.tiles + start for start in starts]
    node = t.face_node[faces]
    on_tile = t.tile_node[of_face]
    shape = ruleset.components.board.shape
    beside = find_neighbours(shape, STEP)
    beside = np.concatenate([beside, np.full((len(starts), NUM_SIDES), WALL)])
    squares = len(beside) - len(starts)
    for number, start in enumerate(starts):
        square, side = t.cell_square[t.start_cell[start]], t.start_side[start]
        beside[square, side] = squares + number
        beside[squares + number, opposite_side(side)] = square
    cell = np.full(squares, NONE)
    cell[t.cell_square] = np.arange(t.cell_square.size)
    return Map(
        segment=np.where(node > NONE, t.node_segment[node], NONE).astype(np.int16),
        feature=np.where(on_tile > NONE, t.node_feature[on_tile], NONE).astype(np.int16),
        marks=np.where(on_tile > NONE, t.node_marks[on_tile], 0).astype(np.int16),
        beside=beside.astype(np.int16),
        around=find_neighbours(shape, AROUND).astype(np.int16),
        cell=cell.astype(np.int16),
        start_face=np.arange(len(faces) - len(starts), len(faces), dtype=np.int16),
        points=tabulate_points(t).astype(np.int16),
        mark_points=t.feature_completed_mark_points.astype(np.int16),
        completes=t.feature_completes.astype(bool),
        surrounded=t.feature_surrounded.astype(bool),
        planes=np.array([planes[name].start for name in PLANES]),
    )


def find_neighbours(shape: tuple[int, int], steps: tuple[tuple[int, int], ...]) -> npt.NDArray[np.int64]:
    """Return which square lies so many `steps` from each square of a board of `shape` (rows, columns), or WALL."""
    rows, columns = shape
    row, column = np.divmod(np.arange(rows * columns), columns)
    neighbours = np.full((rows * columns, len(steps)), WALL)
    for number, (down, right) in enumerate(steps):
        there = (row + down >= 0) & (row + down < rows) & (column + right >= 0) & (column + right < columns)
        neighbours[there, number] = ((row + down) * columns + column + right)[there]
    return neighbours


def tabulate_points(t: np.record) -> npt.NDArray[np.int64]:
    """Return what a complete area pays by feature, without and with marks, and by size (rules Z18, C4)."""
    sizes = np.arange(MOST_SIZE + 1)
    points = np.stack([t.feature_points, t.feature_marked_points], axis=1).astype(int)[:, :, None] * sizes
    listed = t.feature_size_points
    if listed.shape[1] > 0:
        by_size = listed[:, np.clip(sizes, 1, listed.shape[1]) - 1]
        points = np.where((listed[:, 0] != NONE)[:, None, None], by_size[:, None], points)
    return points


def count_features(board_map: Map) -> int:
    """Return how many features there are."""
    return int(board_map.completes.size)
