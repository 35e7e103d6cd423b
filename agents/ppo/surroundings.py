"""What the planes of an observation say of each legal placement: which area would face the tile at each of its ports.

A network sees a few squares far with each of its layers, while an area may run over the whole board. So the areas are
put together here, from the tiles that the planes show, and each placement is described by what the tile would touch.

ROW DESCRIPTION
    A row describes a cell and a rotation in which the tile to place fits. It is seen from the tile: its ports come in
    the order of the tile as it is printed, whatever its rotation, so that alike placements have alike rows.

    for each of the 12 ports       what faces it: the feature, one-hot, then `AREA_COLUMNS` of its area
    for each of the 4 sides        `SIDE_COLUMNS`
"""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from zamek_env.components.model import NUM_PORTS, NUM_ROTATIONS, NUM_SIDES, PORTS_PER_SIDE
from zamek_env.core.bits import as_index
from zamek_env.core.jit import kernel
from zamek_env.core.tables import NONE, NUM_PLAYERS

if TYPE_CHECKING:
    from zamek_env.ruleset import Ruleset

AREA_COLUMNS = ("segments", "open_ports", "my_followers", "their_followers", "marks")
AREA_SCALES = np.array([0.2, 0.25, 0.5, 0.5, 0.5], np.float32)  # make most entries lie between 0 and 1
SIDE_COLUMNS = ("tile", "nothing")  # a tile lies there, or there is no space of the board
SIDE_WIDTH = len(SIDE_COLUMNS)
IS_TILE, IS_NOTHING = range(SIDE_WIDTH)
SEGMENTS, OPEN_PORTS, FOLLOWERS, MARKS = map(AREA_COLUMNS.index, ("segments", "open_ports", "my_followers", "marks"))
PLANES = ("space", "tile", "rotation", "my_follower", "their_follower", "fits")
SPACE, TILE, ROTATION, FOLLOWER, FITS = map(PLANES.index, ("space", "tile", "rotation", "my_follower", "fits"))
WALL = -1  # in `beside`


class Map(NamedTuple):
    """How faces and squares of a ruleset hang together, of S squares of the planes and then the start spaces."""

    segment: npt.NDArray[np.int16]  # (faces that differ, 12) the segment at each port, NONE for none
    feature: npt.NDArray[np.int16]  # (faces that differ, segments) NONE beyond the last
    marks: npt.NDArray[np.int16]  # (faces that differ, segments)
    beside: npt.NDArray[np.int16]  # (squares and start spaces, 4) the square or start space on that side, or WALL
    cell: npt.NDArray[np.int16]  # (squares,) its number among the cells, NONE for no cell
    start_face: npt.NDArray[np.int16]  # (start spaces,)
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
    beside = find_neighbours(ruleset.components.board.shape)
    beside = np.concatenate([beside, np.full((len(starts), NUM_SIDES), WALL)])
    squares = len(beside) - len(starts)
    for number, start in enumerate(starts):
        square, side = t.cell_square[t.start_cell[start]], t.start_side[start]
        beside[square, side] = squares + number
        beside[squares + number, (side + 2) % NUM_SIDES] = square
    cell = np.full(squares, NONE)
    cell[t.cell_square] = np.arange(t.cell_square.size)
    return Map(
        segment=np.where(node > NONE, t.node_segment[node], NONE).astype(np.int16),
        feature=np.where(on_tile > NONE, t.node_feature[on_tile], NONE).astype(np.int16),
        marks=np.where(on_tile > NONE, t.node_marks[on_tile], 0).astype(np.int16),
        beside=beside.astype(np.int16),
        cell=cell.astype(np.int16),
        start_face=np.arange(len(faces) - len(starts), len(faces), dtype=np.int16),
        planes=np.array([planes[name].start for name in PLANES]),
    )


def find_neighbours(shape: tuple[int, int]) -> npt.NDArray[np.int64]:
    """Return the square on each side of each square of a board of `shape` (rows, columns), WALL for none."""
    rows, columns = shape
    row, column = np.divmod(np.arange(rows * columns), columns)
    beside = np.full((rows * columns, NUM_SIDES), WALL)
    for side, (down, right) in enumerate([(-1, 0), (0, 1), (1, 0), (0, -1)]):
        there = (row + down >= 0) & (row + down < rows) & (column + right >= 0) & (column + right < columns)
        beside[there, side] = ((row + down) * columns + column + right)[there]
    return beside


def count_columns(board_map: Map) -> int:
    """Return how many entries a row has."""
    features = int(board_map.feature.max()) + 1
    return NUM_PORTS * (features + len(AREA_COLUMNS)) + NUM_SIDES * SIDE_WIDTH


def describe_placements(
    board_map: Map, planes: npt.NDArray[np.uint8]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.float32]]:
    """Return what `planes`, uint8 `(n, rows, columns, planes)`, say of the legal placements.

    That is, for all of them together: the number of the observation, the action, both int64 `(m,)`, and the rows,
    float32 `(m, count_columns)`.
    """
    flat = np.ascontiguousarray(planes).reshape(len(planes), -1, planes.shape[-1])
    first = board_map.planes[FITS]
    many = int(np.count_nonzero(flat[:, :, first : first + NUM_ROTATIONS]))
    samples, actions = np.empty(many, np.int64), np.empty(many, np.int64)
    rows = np.zeros((many, count_columns(board_map)), np.float32)
    _describe(board_map, flat, samples, actions, rows)
    return samples, actions, rows


@kernel
def _describe(board_map, planes, samples, actions, rows):
    sites, segments = board_map.beside.shape[0], board_map.feature.shape[1]
    face = np.empty(sites, np.int16)
    parent = np.empty(sites * segments, np.int16)
    areas = np.empty((sites * segments, AREA_SCALES.size), np.int16)
    count = 0
    for sample in range(planes.shape[0]):
        squares = planes[sample]
        fits = as_index(board_map.planes[FITS])
        is_known = False
        for square in range(squares.shape[0]):
            for rotation in range(NUM_ROTATIONS):
                if squares[square, fits + rotation] == 0:
                    continue
                if not is_known:
                    _read_faces(board_map, squares, face)
                    _join(board_map, face, parent)
                    _measure(board_map, squares, face, parent, areas)
                    is_known = True
                samples[count] = sample
                actions[count] = board_map.cell[square] * NUM_ROTATIONS + rotation
                _write_row(board_map, squares, square, rotation, face, parent, areas, rows[count])
                count += 1


@kernel
def _read_faces(board_map, squares, face):
    """Write which face lies on each square and start space, NONE for none."""
    tile, rotation = board_map.planes[TILE], board_map.planes[ROTATION]
    for square in range(squares.shape[0]):
        kind = np.int64(squares[square, tile]) - 1
        face[square] = NONE if kind < 0 else kind * NUM_ROTATIONS + squares[square, rotation]
    for start in range(board_map.start_face.size):
        face[squares.shape[0] + start] = board_map.start_face[start]


@kernel
def _join(board_map, face, parent):
    """Join the segments whose ports face each other, as `parent`: the tree of each area."""
    segments = board_map.feature.shape[1]
    for number in range(parent.size):
        parent[number] = number
    for site in range(face.size):
        if face[site] <= NONE:
            continue
        for port in range(NUM_PORTS):
            beside = board_map.beside[site, port // PORTS_PER_SIDE]
            if beside > site and face[beside] > NONE:
                own = board_map.segment[as_index(face[site]), port]
                facing = _find_facing(board_map, face, beside, port)
                if own > NONE and facing > NONE:
                    same = (
                        board_map.feature[as_index(face[site]), own]
                        == board_map.feature[as_index(face[beside]), facing]
                    )
                    if same:
                        first = _find_root(parent, site * segments + own)
                        second = _find_root(parent, beside * segments + facing)
                        parent[max(first, second)] = min(first, second)


@kernel
def _find_facing(board_map, face, beside, port):
    """Return the segment of what lies at `beside` that faces the `port` of its neighbour."""
    side, offset = port // PORTS_PER_SIDE, port % PORTS_PER_SIDE
    facing = (side + 2) % NUM_SIDES * PORTS_PER_SIDE + PORTS_PER_SIDE - 1 - offset
    return np.int64(board_map.segment[as_index(face[beside]), facing])


@kernel
def _find_root(parent, number):
    root = np.int64(number)
    while parent[root] != root:
        parent[root] = parent[parent[root]]
        root = np.int64(parent[root])
    return root


@kernel
def _measure(board_map, squares, face, parent, areas):
    """Write the columns of each area at the root of its tree."""
    segments = board_map.feature.shape[1]
    areas.fill(0)
    for site in range(face.size):
        if face[site] <= NONE:
            continue
        shown = as_index(face[site])
        for segment in range(segments):
            if board_map.feature[shown, segment] > NONE:
                root = _find_root(parent, site * segments + segment)
                areas[root, SEGMENTS] += 1
                areas[root, MARKS] += board_map.marks[shown, segment]
        for port in range(NUM_PORTS):
            segment, beside = board_map.segment[shown, port], board_map.beside[site, port // PORTS_PER_SIDE]
            is_open = beside > WALL and face[beside] <= NONE and squares[beside, board_map.planes[SPACE]] != 0
            if segment > NONE and is_open:
                areas[_find_root(parent, site * segments + segment), OPEN_PORTS] += 1
        if site < squares.shape[0]:
            for player in range(NUM_PLAYERS):
                held = np.int64(squares[site, board_map.planes[FOLLOWER + player]]) - 1
                if held > NONE:
                    areas[_find_root(parent, site * segments + held), FOLLOWERS + player] += 1


@kernel
def _write_row(board_map, squares, square, rotation, face, parent, areas, row):
    segments, columns = board_map.feature.shape[1], areas.shape[1]
    sides = row.size - NUM_SIDES * SIDE_WIDTH
    width = sides // NUM_PORTS
    for port in range(NUM_PORTS):
        turned = (port + PORTS_PER_SIDE * rotation) % NUM_PORTS
        beside = board_map.beside[square, turned // PORTS_PER_SIDE]
        if beside <= WALL or face[beside] <= NONE:
            continue
        segment = _find_facing(board_map, face, beside, turned)
        if segment > NONE:
            row[port * width + board_map.feature[as_index(face[beside]), segment]] = 1
            root = _find_root(parent, beside * segments + segment)
            for column in range(columns):
                row[port * width + width - columns + column] = areas[root, column] * AREA_SCALES[column]
    for side in range(NUM_SIDES):
        beside = board_map.beside[square, (side + rotation) % NUM_SIDES]
        is_tile = beside > WALL and face[beside] > NONE
        is_space = beside > WALL and squares[beside, board_map.planes[SPACE]] != 0
        row[sides + SIDE_WIDTH * side + IS_TILE] = is_tile
        row[sides + SIDE_WIDTH * side + IS_NOTHING] = not is_tile and not is_space
