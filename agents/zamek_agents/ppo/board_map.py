"""How faces and squares of a ruleset hang together, as arrays for the kernels that read planes."""

import numpy as np
import numpy.typing as npt

from zamek_agents.ppo.limits import PLAYERS
from zamek_env.components.model import NUM_ROTATIONS, NUM_SIDES, STEP, opposite_side
from zamek_env.core.tables import NONE, record_dtype
from zamek_env.layout.observation import list_owners
from zamek_env.ruleset import Ruleset

PLANES = ("space", "tile", "rotation", "current", "my_follower", "their_follower", "fits")
SPACE, TILE, ROTATION, CURRENT, FOLLOWER, FITS = map(
    PLANES.index, ("space", "tile", "rotation", "current", "my_follower", "fits")
)
WALL = -1  # in `beside` and `around`
AROUND = ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1))  # (rows down, columns right)
AREA_SCALES = (0.2, 0.25, 0.25, 0.5, 0.5, 0.5)  # of `AREA_COLUMNS`: they make most entries lie between 0 and 1
MOST_SIZE = 64  # tiles of an area; larger ones are taken to pay as much


def make_map(ruleset: Ruleset) -> np.record:
    """Return the map of a `Ruleset`: a record with the fields named below, all arrays but for two numbers.

    Arrays of what a ruleset does not have are empty.
    """
    t, sizes, planes = ruleset.tables[0], ruleset.sizes, ruleset.planes
    faces, of_face, starts = _list_faces(ruleset)
    beside, cell = _lay_out(ruleset, starts)
    node, on_tile = t.face_node[faces], t.tile_node[of_face]
    feature = np.where(on_tile > NONE, t.node_feature[on_tile], NONE)
    segment = np.where(node > NONE, t.node_segment[node], NONE)
    fits = _find_fitting(t.face_edge[faces[: sizes.tile_kinds * NUM_ROTATIONS]], sizes.edges + 1)
    touches = _find_touches(ruleset, on_tile)
    nests = np.where(on_tile > NONE, t.node_nests[on_tile], 0) if sizes.nests else np.zeros((0, 0))
    owners = list_owners(PLAYERS)
    special = [[planes[f"{owner}_special"].start + piece for owner in owners] for piece in range(sizes.special_pieces)]
    scales = AREA_SCALES + (0.5,) * (sizes.nests > 0) + (1.0, 1.0) * sizes.special_pieces
    face_of, touching, touched = np.nonzero(touches)
    around = find_neighbours(ruleset.components.board.shape, AROUND)
    arrays = {
        # of squares, and start spaces that follow them
        "beside": beside.astype(np.int32),  # (squares and start spaces, 4) the one on that side, or WALL
        "around": around.astype(np.int32),  # (squares, 8) the squares around, or WALL
        "cell": cell.astype(np.int16),  # (squares,) its number among the cells, NONE for no cell
        "start_face": np.arange(len(faces) - len(starts), len(faces), dtype=np.int16),  # (start spaces,)
        # of faces that differ
        "segment": segment.astype(np.int16),  # (faces, 12) the segment at each port, NONE for none
        "feature": feature.astype(np.int16),  # (faces, segments) NONE beyond the last
        "nests": nests.astype(np.int16),  # (faces, segments)
        "marks": np.where(on_tile > NONE, t.node_marks[on_tile], 0).astype(np.int16),  # (faces, segments)
        "edge": t.face_edge[faces].astype(np.int16),  # (faces, 4) of each side
        "touches": touches,  # (faces, segments, segments) the first touches the second (rule C8)
        # of kinds of tiles
        "fitting": fits.reshape(sizes.tile_kinds, NUM_ROTATIONS, -1).any(axis=1),  # (kinds, patterns) in some rotation
        # of features
        # (features, 2, MOST_SIZE + 1) of a complete area by size, without and with marks
        "points": tabulate_points(t).astype(np.int16),
        "mark_points": t.feature_completed_mark_points.astype(np.int16),  # (features,) of each mark beside
        "completes": t.feature_completes.astype(bool),  # (features,)
        "surrounded": t.feature_surrounded.astype(bool),  # (features,)
        "is_city": np.isin(np.arange(sizes.features), feature[face_of, touched]),  # (features,) others touch it
        "is_field": np.isin(np.arange(sizes.features), feature[face_of, touching]),  # (features,) it touches others
        # of columns of an area: those of all rulesets, nests, and for each special piece mine and theirs
        "scales": np.array(scales, np.float32),
        # of special pieces
        # (special pieces, 2) the plane that shows mine, and theirs
        "special": np.array(special, np.int64).reshape(-1, PLAYERS),
        "factors": t.kind_factor[1:].astype(np.int64),  # (special pieces,) of what an area pays
        # numbers
        "planes": np.array([planes[name].start for name in PLANES]),  # of each of `PLANES`, the first of several
        "digits": np.array(sizes.edges + 1),  # that a side of a pattern can have
        "most_cities": np.array(sizes.touched_nodes + sizes.segments),  # areas that are touched, those of a tile too
    }
    return _make_record(arrays)


def _list_faces(ruleset):
    """Return (faces that differ, the tile of each, start spaces that show one); these come last.

    A start tile of which the deck has no copy is never turned: in all rotations it has the same face.
    """
    t, sizes, deck = ruleset.tables[0], ruleset.sizes, [tile.id for tile in ruleset.components.tiles]
    tiles = [deck.index(kind.id) if kind.id in deck else sizes.tiles for kind in ruleset.components.kinds]
    starts = [start for start in range(sizes.starts) if t.start_side[start] > NONE]
    turns = [rotation if tile < sizes.tiles else 0 for tile in tiles for rotation in range(NUM_ROTATIONS)]
    of_face = [tile for tile in tiles for _ in range(NUM_ROTATIONS)]
    faces = [tile * NUM_ROTATIONS + turn for tile, turn in zip(of_face, turns, strict=True)]
    faces += [sizes.tiles * NUM_ROTATIONS + start for start in starts]
    return faces, of_face + [sizes.tiles + start for start in starts], starts


def _lay_out(ruleset, starts):
    """Return what lies beside the squares and those start spaces, and the numbers of the squares among the cells."""
    t = ruleset.tables[0]
    beside = find_neighbours(ruleset.components.board.shape, STEP)
    squares = len(beside)
    beside = np.concatenate([beside, np.full((len(starts), NUM_SIDES), WALL)])
    for number, start in enumerate(starts):
        square, side = t.cell_square[t.start_cell[start]], t.start_side[start]
        beside[square, side] = squares + number
        beside[squares + number, opposite_side(side)] = square
    cell = np.full(squares, NONE)
    cell[t.cell_square] = np.arange(t.cell_square.size)
    return beside, cell


def _make_record(arrays):
    """Return a record of `arrays` by name; those of bools are of bytes there, for numba knows no records of bools."""
    held = {name: array.astype(np.uint8) if array.dtype == bool else array for name, array in arrays.items()}
    widest_first = sorted(held, key=lambda name: -held[name].itemsize)
    records = np.zeros(1, record_dtype([(name, held[name].dtype, held[name].shape) for name in widest_first]))
    for name, array in held.items():
        records[name] = array
    return records[0]


def _find_fitting(edges, digits):
    """Return which faces fit which patterns; `edges` are those of their sides."""
    patterns = np.stack(np.unravel_index(np.arange(digits**NUM_SIDES), (digits,) * NUM_SIDES, order="F"), axis=1)
    return ((patterns == 0) | (patterns == 1 + edges[:, None])).all(axis=2)


def _find_touches(ruleset, on_tile):
    """Return which segments of the tiles with the nodes `on_tile` touch which, or an empty array."""
    t, first = ruleset.tables[0], ruleset.sizes.completing_nodes
    if not (ruleset.sizes.touched_nodes and ruleset.components.farmers):
        return np.zeros((0, 0, 0), bool)
    bits = np.unpackbits(t.node_touched.view(np.uint8), axis=1, bitorder="little")
    rows = np.where(on_tile >= first, on_tile - first, 0)
    found = bits[rows[:, :, None], on_tile[:, None, :].clip(0, bits.shape[1] - 1)] != 0
    return found & (on_tile >= first)[:, :, None] & (on_tile > NONE)[:, None, :]


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


def has_farms(board_map: np.record) -> bool:
    """Return whether followers may stand in what touches other areas (rule C8)."""
    return board_map.touches.size > 0


def count_features(board_map: np.record) -> int:
    """Return how many features there are."""
    return int(board_map.completes.size)
