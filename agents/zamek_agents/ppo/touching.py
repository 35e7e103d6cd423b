"""What the planes of an observation say of each legal placement: the areas that the tile would touch.

A placement is a cell and a rotation in which the tile to place fits. How an area is described, `area_rows.py` says.
"""

from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from zamek_agents.ppo.area_rows import count_columns, write_segment, write_touched
from zamek_agents.ppo.board_map import CURRENT, FITS, TILE, WALL
from zamek_agents.ppo.farming import foresee_farms, new_farms, read_farms
from zamek_agents.ppo.joining import new_touch, write_touch
from zamek_agents.ppo.openings import MOST_CROWDED, foresee_openings, new_openings, read_openings
from zamek_agents.ppo.surroundings import is_free, new_board, read_board
from zamek_env.components.model import NUM_AROUND, NUM_PORTS, NUM_ROTATIONS, NUM_SIDES
from zamek_env.core.bits import as_index
from zamek_env.core.jit import kernel
from zamek_env.core.tables import NONE

SIDE_COLUMNS = ("tiles", "walls")  # how many sides of the cell have a tile, or no space of the board
Scene: TypeAlias = tuple[np.record, np.record, np.record, np.record]  # see `new_scene`


class Placements(NamedTuple):
    """The m legal placements of several observations, and the k areas that they would touch, one after another."""

    samples: npt.NDArray[np.int64]  # (m,) the number of the observation, ascending
    actions: npt.NDArray[np.int64]  # (m,)
    sides: npt.NDArray[np.float32]  # (m, `SIDE_COLUMNS`)
    areas: npt.NDArray[np.float32]  # (k, `count_columns`)
    owners: npt.NDArray[np.int64]  # (k,) the number of the placement that would touch it, ascending


def describe_placements(
    board_map: np.record,
    scene: Scene,
    planes: npt.NDArray[np.uint8],
    tiles: npt.NDArray[np.int64],
    left: npt.NDArray[np.int16],
    ahead: npt.NDArray[np.uint8],
) -> Placements:
    """Return the `Placements` in the `planes`, uint8 `(n, rows, columns, planes)`.

    `tiles`, int64 `(n,)`, are the kinds of the tiles to place; `left`, int16 `(n, kinds)`, is how many of each are not
    drawn yet; `ahead` says which tokens lie ahead (`Track`). Writes `scene`, which is scratch space.
    """
    flat = _flatten(planes)
    first = board_map.planes[FITS]
    many = int(np.count_nonzero(flat[:, :, first : first + NUM_ROTATIONS]))
    most = board_map.feature.shape[1] + NUM_PORTS + NUM_AROUND + MOST_CROWDED
    found = Placements(
        np.empty(many, np.int64),
        np.empty(many, np.int64),
        np.empty((many, len(SIDE_COLUMNS)), np.float32),
        np.empty((many * most, count_columns(board_map)), np.float32),
        np.empty(many * most, np.int64),
    )
    written = _describe(board_map, flat, tiles, left, ahead, scene, found)
    return found._replace(areas=found.areas[:written], owners=found.owners[:written])


def describe_segments(
    board_map: np.record,
    scene: Scene,
    planes: npt.NDArray[np.uint8],
    left: npt.NDArray[np.int16],
    ahead: npt.NDArray[np.uint8],
) -> npt.NDArray[np.float32]:
    """Return the area of each segment of the tile just placed, as it is, float32 `(n, segments, count_columns)`.

    It is shown as one that is continued, with what it pays if it is complete. The arguments are those of
    `describe_placements`. Where there is no segment or no such tile, all entries are 0.
    """
    flat = _flatten(planes)
    rows = np.zeros((len(flat), board_map.feature.shape[1], count_columns(board_map)), np.float32)
    _describe_segments(board_map, flat, left, ahead, scene, rows)
    return rows


def _flatten(planes):
    """Return planes without rows and columns, one square after another."""
    count, rows, columns, depth = planes.shape
    return np.ascontiguousarray(planes).reshape(count, rows * columns, depth)


@kernel
def _describe(board_map, planes, tiles, left, ahead, scene, found):
    """Write all that was `found`; return how many areas that are."""
    fits = as_index(board_map.planes[FITS])
    count, written = 0, 0
    for sample in range(planes.shape[0]):
        is_read = False
        for choice in range(planes.shape[1] * NUM_ROTATIONS):
            square, rotation = choice // NUM_ROTATIONS, choice % NUM_ROTATIONS
            if planes[sample, square, fits + rotation] == 0:
                continue
            if not is_read:
                read_scene(board_map, planes[sample], left[sample], scene)
                is_read = True
            shown = tiles[sample] * NUM_ROTATIONS + rotation
            foresee_scene(board_map, square, shown, scene)
            first = written
            written = write_touched(board_map, scene, square, shown, ahead[sample], found.areas, written)
            found.samples[count] = sample
            found.actions[count] = board_map.cell[square] * NUM_ROTATIONS + rotation
            found.owners[first:written] = count
            _write_sides(board_map, scene[0], square, found.sides[count])
            count += 1
    return written


@kernel
def _describe_segments(board_map, planes, left, ahead, scene, rows):
    """Write the `rows` of segments."""
    for sample in range(planes.shape[0]):
        square = _find_placed(board_map, planes[sample])
        if square <= NONE:
            continue
        read_scene(board_map, planes[sample], left[sample], scene)
        for segment in range(rows.shape[1]):
            write_segment(board_map, scene, square, segment, ahead[sample], rows[sample, segment])


@kernel
def _find_placed(board_map, planes):
    """Return the square of the tile just placed, NONE where the `planes` show none."""
    tile, current = as_index(board_map.planes[TILE]), as_index(board_map.planes[CURRENT])
    for square in range(planes.shape[0]):
        if planes[square, current] != 0:
            return square if planes[square, tile] != 0 else NONE
    return NONE


@kernel
def _write_sides(board_map, board, square, sides):
    sides.fill(0)
    for side in range(NUM_SIDES):
        beside = board_map.beside[square, side]
        is_tile = beside > WALL and board.face[beside] > NONE
        sides[0] += is_tile
        sides[1] += not is_tile and not is_free(board, beside)


def new_scene(board_map: np.record) -> Scene:
    """Return room for a board, its fields, its openings, and what a tile would join."""
    return new_board(board_map), new_farms(board_map), new_openings(board_map), new_touch(board_map)


@kernel
def read_scene(board_map, planes, left, scene):
    """Find all that there is to be known about the board that the `planes` show."""
    board, farms, openings, _ = scene
    read_board(board_map, planes, board)
    read_openings(board_map, board, left, openings)
    if board_map.touches.size > 0:
        read_farms(board_map, board, farms)


@kernel
def foresee_scene(board_map, square, shown, scene):
    """Find what would change if a tile that shows the face `shown` lay on a `square`."""
    board, farms, openings, touch = scene
    write_touch(board_map, board, square, shown, touch)
    foresee_openings(board_map, board, square, shown, touch, openings)
    if board_map.touches.size > 0:
        foresee_farms(board_map, shown, touch, farms)
