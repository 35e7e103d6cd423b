"""The planes of an observation: what one player sees of the board (see `layout/observation.py`).

CANVAS DESCRIPTION
    What is seen changes little from one decision to the next. A canvas remembers what stands in the planes, the mask
    and the vector that it belongs to, most of it as bit sets, so that only what differs is written. They begin
    together, in `prepare`; whoever writes to them in between makes them wrong for the rest of the game.

A placement is legal where the tile to place fits. So with the planes that say so, the mask of placements is written.

Of an open table the planes show the window around the start tile (see `open_table.py`), and nothing beyond it.
"""

from typing import Any, NamedTuple

import numpy as np

from zamek_env.components.bitset import WORD_BITS
from zamek_env.components.model import NUM_ROTATIONS
from zamek_env.core.bits import as_index, lowest_bit
from zamek_env.core.jit import kernel
from zamek_env.core.placement import find_first_word, find_reach
from zamek_env.core.prefetch import fetch_entry
from zamek_env.core.state import find_seat
from zamek_env.core.tables import NONE, record_dtype
from zamek_env.layout.sizes import Sizes

FRONTIER = NUM_ROTATIONS  # in `open_cells`, after the rotations


class View(NamedTuple):
    """The records to which one player's view is written; all but the first may be one record."""

    canvas: Any  # of `canvas_dtype`
    planes: Any  # with `squares`, `(rows * columns, planes)`
    mask: Any  # with `mask`, int8 `(num_actions,)`
    vector: Any  # with `vector`, float32
    row_actions: Any  # with `row_actions`, int16 `(rows,)`
    rows: Any  # with `rows`, int8 `(rows, columns)`


def canvas_dtype(sizes: Sizes) -> np.dtype[np.record]:
    """Return the dtype of what stands in the planes of one game."""
    spreads = sizes.players * sizes.completing_features
    return record_dtype(
        [
            ("empty", np.uint32, sizes.window_words),  # cells without a tile
            ("open_cells", np.uint32, (sizes.window_words, NUM_ROTATIONS + 1)),  # where the tile fits, and the frontier
            ("spread", np.uint32, (spreads, sizes.tile_words)),  # tiles of my areas, then theirs, by completing feature
            ("new_spread", np.uint32, (spreads, sizes.tile_words)),  # scratch space
            ("episode", np.int32),  # a number of the game that is shown, for whoever shows several; 0 for none
            ("tile_square", np.int16, sizes.tiles + sizes.starts),  # where each tile lies, NONE where no plane shows it
            ("node", np.int16, (sizes.players, sizes.pieces)),  # where my and their pieces stand
            ("cell", np.int16),  # of this turn's tile
            ("drawn", np.int16),  # how many tiles the vector does not count as left
        ]
    )


@kernel
def prepare(t, view):
    """Write the planes of an empty castle, a mask without placements, a vector of zeros, and the canvas to match."""
    canvas, squares = view.canvas, view.planes.squares
    squares.fill(0)
    view.mask.mask.fill(0)
    view.vector.vector.fill(0)
    view.rows.rows.fill(0)
    view.row_actions.row_actions.fill(NONE)
    for cell in range(t.cell_square.size if squares.shape[0] > 0 else 0):
        squares[t.cell_square[cell], t.plane_space] = 1
    for number in range(canvas.empty.size):
        canvas.empty[number] = t.all_cells[number]
    canvas.open_cells.fill(0)
    canvas.spread.fill(0)
    canvas.tile_square.fill(NONE)
    canvas.node.fill(NONE)
    canvas.cell = NONE
    canvas.drawn = 0


@kernel
def fetch_open_cells(t, s, canvas, squares, mask):
    """Prefetch what `paint` will write for open cells, which is scattered over planes and mask."""
    for number in range(find_first_word(s), min(find_reach(s), canvas.empty.size)):
        cells = _find_changed(s, canvas, number)
        while cells != 0:
            cell = as_index(number * WORD_BITS + lowest_bit(cells))
            if squares.shape[0] > 0:
                first = as_index(t.cell_square[cell]) * squares.shape[1]
                fetch_entry(squares, first + as_index(t.plane_frontier))
                fetch_entry(squares, first + as_index(t.plane_fits))
            fetch_entry(mask, cell * NUM_ROTATIONS)
            cells &= cells - 1


@kernel
def _find_changed(s, canvas, number):
    """Return the cells, as bits of word `number`, that have opened or closed, or where other placements are legal."""
    cells = np.int64(s.frontier[number] ^ canvas.open_cells[number, FRONTIER])
    for rotation in range(NUM_ROTATIONS):
        cells |= np.int64(s.placements[number, rotation] ^ canvas.open_cells[number, rotation])
    return cells


@kernel
def paint(t, s, player, view):
    """Update the planes, and the mask of placements in the window, to what `player` sees now. Writes the canvas too."""
    if view.planes.squares.shape[0] > 0:
        _paint_tiles(t, s, view)
        _paint_followers(t, s, player, view)
        _paint_areas(t, s, player, view)
    _paint_open_cells(t, s, view)


@kernel
def _paint_tiles(t, s, view):
    """Write the faces of new tiles, and which of them is this turn's."""
    canvas, squares = view.canvas, view.planes.squares
    for number in range(find_first_word(s), min(find_reach(s), canvas.empty.size)):
        cells = np.int64(canvas.empty[number]) & ~np.int64(s.empty[number])
        canvas.empty[number] = s.empty[number]
        while cells != 0:
            cell = as_index(number * WORD_BITS + lowest_bit(cells))
            face = as_index(s.face[cell])
            square = as_index(t.cell_square[cell])
            canvas.tile_square[face // NUM_ROTATIONS] = square
            for plane in range(t.face_planes.shape[1]):
                squares[square, as_index(t.face_plane[plane])] = t.face_planes[face, plane]
            cells &= cells - 1
    if NONE < canvas.cell < t.cell_square.size:
        squares[as_index(t.cell_square[canvas.cell]), as_index(t.plane_current)] = 0
    if NONE < s.cell < t.cell_square.size:
        squares[as_index(t.cell_square[s.cell]), as_index(t.plane_current)] = 1
    canvas.cell = s.cell


@kernel
def _paint_followers(t, s, player, view):
    """Write where followers stand, if that has changed: first take away those painted, then paint those there."""
    canvas, changed = view.canvas, False
    for owner in range(s.score.size):
        for piece in range(canvas.node.shape[1]):
            changed |= canvas.node[owner, piece] != s.follower_node[as_index(find_seat(s, player, owner)), piece]
    if not changed:
        return
    for owner in range(s.score.size):
        for piece in range(canvas.node.shape[1]):
            _paint_piece(t, view, owner, piece, False)
            canvas.node[owner, piece] = s.follower_node[as_index(find_seat(s, player, owner)), piece]
    for owner in range(s.score.size):
        for piece in range(canvas.node.shape[1]):
            _paint_piece(t, view, owner, piece, True)


@kernel
def _paint_piece(t, view, owner, piece, is_there):
    """Write one of `canvas.node` to its square, or take it away."""
    canvas, squares = view.canvas, view.planes.squares
    node = canvas.node[owner, piece]
    if node <= NONE:
        return
    square = canvas.tile_square[as_index(t.node_tile[node])]
    if square <= NONE:
        return
    squares[square, as_index(t.plane_follower[owner])] = 1 + t.node_segment[node] if is_there else 0
    special = t.kind_factor.size - 1
    first = canvas.node.shape[1] - special
    if special > 0 and piece >= first:
        squares[square, as_index(t.plane_special[owner] + piece - first)] = is_there


@kernel
def _paint_areas(t, s, player, view):
    """Write over which tiles the areas with followers run."""
    canvas = view.canvas
    _write_spread(t, s, player, canvas)
    sets = canvas.spread.shape[0]
    for number in range(canvas.spread.shape[1]):
        tiles = 0
        for spread in range(sets):
            tiles |= np.int64(canvas.spread[spread, number] ^ canvas.new_spread[spread, number])
            canvas.spread[spread, number] = canvas.new_spread[spread, number]
        while tiles != 0:
            bit = lowest_bit(tiles)
            square = canvas.tile_square[as_index(number * WORD_BITS + bit)]
            if square > NONE:
                _paint_spread(t, view, number, bit, square)
            tiles &= tiles - 1


@kernel
def _paint_spread(t, view, number, bit, square):
    """Write in whose areas the tile on `square` is, which is that `bit` of word `number` of the sets of tiles."""
    canvas, squares = view.canvas, view.planes.squares
    completing = canvas.spread.shape[0] // canvas.node.shape[0]
    for owner in range(canvas.node.shape[0]):
        first = as_index(t.plane_area[owner])
        for feature in range(completing):
            squares[square, first + feature] = (canvas.spread[owner * completing + feature, number] >> bit) & 1


@kernel
def _write_spread(t, s, player, canvas):
    """Find the tiles of areas with followers, by owner and completing feature. Writes `new_spread`."""
    canvas.new_spread.fill(0)
    completing = canvas.spread.shape[0] // canvas.node.shape[0]
    for owner in range(s.score.size):
        for follower in range(s.follower_area.shape[1]):
            area = s.follower_area[as_index(find_seat(s, player, owner)), follower]
            if NONE < area < s.area_tiles.shape[0]:
                spread = as_index(owner * completing + t.feature_plane[as_index(t.node_feature[as_index(area)])])
                for number in range(canvas.spread.shape[1]):
                    canvas.new_spread[spread, number] |= s.area_tiles[as_index(area), number]


@kernel
def _paint_open_cells(t, s, view):
    """Write the cells next to something, and where the tile to place fits and may be laid, in each rotation."""
    canvas, squares, mask = view.canvas, view.planes.squares, view.mask.mask
    fits = as_index(t.plane_fits)
    for number in range(find_first_word(s), min(find_reach(s), canvas.empty.size)):
        cells = _find_changed(s, canvas, number)
        canvas.open_cells[number, FRONTIER] = s.frontier[number]
        for rotation in range(NUM_ROTATIONS):
            canvas.open_cells[number, rotation] = s.placements[number, rotation]
        while cells != 0:
            bit = lowest_bit(cells)
            cell = as_index(number * WORD_BITS + bit)
            square, action = as_index(t.cell_square[cell]), as_index(cell * NUM_ROTATIONS)
            if squares.shape[0] > 0:
                squares[square, as_index(t.plane_frontier)] = (s.frontier[number] >> bit) & 1
            for rotation in range(NUM_ROTATIONS):
                does_fit = (s.placements[number, rotation] >> bit) & 1
                if squares.shape[0] > 0:
                    squares[square, fits + rotation] = does_fit
                mask[action + rotation] = does_fit
            cells &= cells - 1
