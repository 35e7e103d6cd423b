"""The planes and codes of an observation: what one player sees of the board (see `layout/observation.py`).

CANVAS DESCRIPTION
    What is seen changes little from one decision to the next. A canvas remembers the contents of the planes, the codes,
    the mask and the vector that it belongs to, most of it as bit sets, so that only what differs is written. They begin
    together, in `prepare`; any other write to them makes them wrong for the rest of the game.

A placement is legal where the tile to place fits. So with the planes that say so, the mask of placements is written.

Of an open table the planes show the window around the start tile (see `open_table.py`), and nothing beyond it.
"""

from typing import Any, NamedTuple

import numpy as np

from zamek_env.base.records import NONE, record_dtype
from zamek_env.compiler.bits import as_index, lowest_bit
from zamek_env.compiler.jit import kernel
from zamek_env.compiler.memory import new_scratch
from zamek_env.compiler.prefetch import fetch_entry
from zamek_env.components.bitset import WORD_BITS
from zamek_env.components.model import NUM_ROTATIONS
from zamek_env.core.placement import find_first_word, find_reach
from zamek_env.core.state import find_face, find_seat
from zamek_env.layout.observation import CODE_BITS, CURRENT, FOLLOWER, OPEN, SPACE, TILE
from zamek_env.layout.sizes import Sizes

FRONTIER = NUM_ROTATIONS  # in `open_cells`, after the rotations


class View(NamedTuple):
    """The records to which one player's view is written; all but the first may be one record."""

    canvas: Any  # of `canvas_dtype`
    planes: Any  # with `squares`, `(rows * columns, planes)`
    codes: Any  # with `codes`, `(rows * columns, codes)`
    mask: Any  # with `mask`, int8 `(num_actions,)`
    vector: Any  # with `vector`, float32
    row_actions: Any  # with `row_actions`, int16 `(rows,)`
    rows: Any  # with `rows`, int8 `(rows, columns)`


def canvas_dtype(sizes: Sizes) -> np.dtype[np.record]:
    """Return the dtype that remembers the contents of the planes of one game."""
    spreads = sizes.players * sizes.completing_features
    return record_dtype(
        [
            ("empty", np.uint32, sizes.window_words),  # cells without a tile
            ("open_cells", np.uint32, (sizes.window_words, NUM_ROTATIONS + 1)),  # where the tile fits, and the frontier
            ("spread", np.uint32, (spreads, sizes.tile_words)),  # tiles of my areas, then theirs, by completing feature
            ("episode", np.int32),  # a number of the game that is shown, for callers that show several; 0 for none
            ("node", np.int16, (sizes.players, sizes.pieces)),  # where my and their pieces stand
            ("cell", np.int16),  # of this turn's tile
            ("drawn", np.int16),  # how many tiles the vector does not count as left
        ]
    )


@kernel
def prepare(t, view):
    """Write the view of an empty castle, a mask without placements, a vector of zeros, and the canvas to match."""
    canvas, squares, codes = view.canvas, view.planes.squares, view.codes.codes
    squares.fill(0)
    codes.fill(0)
    view.mask.mask.fill(0)
    view.vector.vector.fill(0)
    view.rows.rows.fill(0)
    view.row_actions.row_actions.fill(NONE)
    for cell in range(t.cell_square.size if squares.shape[0] > 0 else 0):
        squares[t.cell_square[cell], t.plane_space] = 1
    for cell in range(t.cell_square.size if codes.shape[0] > 0 else 0):
        codes[t.cell_square[cell], TILE] = SPACE
    for number in range(canvas.empty.size):
        canvas.empty[number] = t.all_cells[number]
    canvas.open_cells.fill(0)
    canvas.spread.fill(0)
    canvas.node.fill(NONE)
    canvas.cell = NONE
    canvas.drawn = 0


@kernel
def fetch_open_cells(t, s, canvas, squares, codes, mask):
    """Prefetch what `paint` will write for open cells, which is scattered over planes, codes and mask."""
    for number in range(find_first_word(s), min(find_reach(s), canvas.empty.size)):
        cells = _find_changed(t, s, canvas, number)
        while cells != 0:
            cell = as_index(number * WORD_BITS + lowest_bit(cells))
            if squares.shape[0] > 0:
                first = as_index(t.cell_square[cell]) * squares.shape[1]
                fetch_entry(squares, first + as_index(t.plane_frontier))
                fetch_entry(squares, first + as_index(t.plane_fits))
            if codes.shape[0] > 0:
                fetch_entry(codes, as_index(t.cell_square[cell]) * codes.shape[1])
            fetch_entry(mask, cell * NUM_ROTATIONS)
            cells &= cells - 1


@kernel
def _find_changed(t, s, canvas, number):
    """Return the cells of the window, as bits of word `number`, that opened, closed, or have other legal placements."""
    cells = np.int64(s.frontier[number] ^ canvas.open_cells[number, FRONTIER])
    for rotation in range(NUM_ROTATIONS):
        cells |= np.int64(s.placements[number, rotation] ^ canvas.open_cells[number, rotation])
    return cells if s.spot_cell.size == 0 else cells & np.int64(t.all_cells[number])


@kernel
def paint(t, s, player, view):
    """Update planes, codes and the mask of placements in the window to what `player` sees now, and the canvas."""
    if view.planes.squares.shape[0] > 0 or view.codes.codes.shape[0] > 0:
        _paint_tiles(t, s, view)
        _paint_followers(t, s, player, view)
        _paint_areas(t, s, player, view)
    _paint_open_cells(t, s, view)


@kernel
def _paint_tiles(t, s, view):
    """Write the faces of new tiles, and which of them is this turn's."""
    canvas, squares, codes = view.canvas, view.planes.squares, view.codes.codes
    for number in range(find_first_word(s), min(find_reach(s), canvas.empty.size)):
        cells = np.int64(canvas.empty[number]) & ~np.int64(s.empty[number])
        canvas.empty[number] = s.empty[number]
        while cells != 0:
            cell = as_index(number * WORD_BITS + lowest_bit(cells))
            face = as_index(find_face(s, cell))
            square = as_index(t.cell_square[cell])
            for plane in range(t.face_planes.shape[1] if squares.shape[0] > 0 else 0):
                squares[square, as_index(t.face_plane[plane])] = t.face_planes[face, plane]
            if codes.shape[0] > 0:
                codes[square, TILE] = t.face_code[face]
            cells &= cells - 1
    _paint_current(t, view, canvas.cell, False)
    _paint_current(t, view, s.cell, True)
    canvas.cell = s.cell


@kernel
def _paint_current(t, view, cell, is_current):
    """Write whether this turn's tile lies on `cell`, on which a tile lies."""
    if NONE < cell < t.cell_square.size:
        square = as_index(t.cell_square[cell])
        if view.planes.squares.shape[0] > 0:
            view.planes.squares[square, as_index(t.plane_current)] = is_current
        if view.codes.codes.shape[0] > 0:
            view.codes.codes[square, OPEN] = CURRENT * is_current


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
            _paint_piece(t, s, view, owner, piece, False)
            canvas.node[owner, piece] = s.follower_node[as_index(find_seat(s, player, owner)), piece]
    for owner in range(s.score.size):
        for piece in range(canvas.node.shape[1]):
            _paint_piece(t, s, view, owner, piece, True)


@kernel
def _find_square(t, s, tile):
    """Return the square on which `tile` lies, NONE where it lies on none that is shown."""
    cell = s.tile_location[as_index(tile)]
    return int(t.cell_square[as_index(cell)]) if NONE < cell < t.cell_square.size else NONE


@kernel
def _paint_piece(t, s, view, owner, piece, is_there):
    """Write one of `canvas.node` to its square, or take it away."""
    canvas, squares, codes = view.canvas, view.planes.squares, view.codes.codes
    node = canvas.node[owner, piece]
    if node <= NONE:
        return
    square = _find_square(t, s, t.node_tile[node])
    if square <= NONE:
        return
    special = t.kind_factor.size - 1
    first = canvas.node.shape[1] - special
    if squares.shape[0] > 0:
        squares[square, as_index(t.plane_follower[owner])] = 1 + t.node_segment[node] if is_there else 0
        if special > 0 and piece >= first:
            squares[square, as_index(t.plane_special[owner] + piece - first)] = is_there
    if codes.shape[0] > 0:
        holder = owner + canvas.node.shape[0] * max(0, piece + 1 - first)
        codes[square, FOLLOWER] = 1 + t.node_segment[node] + t.tile_node.shape[1] * holder if is_there else 0


@kernel
def _paint_areas(t, s, player, view):
    """Write which tiles the areas with followers cover."""
    canvas = view.canvas
    spreads = new_scratch(canvas.spread)
    _write_spread(t, s, player, canvas, spreads)
    sets = canvas.spread.shape[0]
    for number in range(canvas.spread.shape[1]):
        tiles = 0
        for spread in range(sets):
            seen = spreads[as_index(spread * canvas.spread.shape[1] + number)]
            tiles |= np.int64(canvas.spread[spread, number] ^ seen)
            canvas.spread[spread, number] = seen
        while tiles != 0:
            bit = lowest_bit(tiles)
            square = _find_square(t, s, number * WORD_BITS + bit)
            if square > NONE:
                _paint_spread(t, view, number, bit, square)
            tiles &= tiles - 1


@kernel
def _paint_spread(t, view, number, bit, square):
    """Write whose areas the tile on `square` belongs to: it is `bit` of word `number` of the sets of tiles."""
    canvas, squares, codes = view.canvas, view.planes.squares, view.codes.codes
    completing = canvas.spread.shape[0] // canvas.node.shape[0]
    for owner in range(canvas.node.shape[0]):
        first, code = as_index(t.plane_area[owner]), 0
        for feature in range(completing):
            is_in = np.int64(canvas.spread[owner * completing + feature, number] >> bit) & 1
            code |= is_in << feature % CODE_BITS
            if squares.shape[0] > 0:
                squares[square, first + feature] = is_in
            if codes.shape[0] > 0 and (feature % CODE_BITS == CODE_BITS - 1 or feature == completing - 1):
                codes[square, as_index(t.code_areas[owner] + feature // CODE_BITS)] = code
                code = 0


@kernel
def _write_spread(t, s, player, canvas, spreads):
    """Write the tiles of areas with followers into `spreads`, by owner and completing feature as in `canvas.spread`."""
    spreads.fill(0)
    completing = canvas.spread.shape[0] // canvas.node.shape[0]
    for owner in range(s.score.size):
        for follower in range(s.follower_area.shape[1]):
            area = s.follower_area[as_index(find_seat(s, player, owner)), follower]
            if NONE < area < s.area_tiles.shape[0]:
                spread = owner * completing + t.feature_plane[as_index(t.node_feature[as_index(area)])]
                for number in range(canvas.spread.shape[1]):
                    place = as_index(spread * canvas.spread.shape[1] + number)
                    spreads[place] |= s.area_tiles[as_index(area), number]


@kernel
def _paint_open_cells(t, s, view):
    """Write the cells next to something, and where the tile to place fits and may be laid, in each rotation."""
    canvas, squares, codes, mask = view.canvas, view.planes.squares, view.codes.codes, view.mask.mask
    fits = as_index(t.plane_fits)
    for number in range(find_first_word(s), min(find_reach(s), canvas.empty.size)):
        cells = _find_changed(t, s, canvas, number)
        canvas.open_cells[number, FRONTIER] = s.frontier[number]
        for rotation in range(NUM_ROTATIONS):
            canvas.open_cells[number, rotation] = s.placements[number, rotation]
        while cells != 0:
            bit = lowest_bit(cells)
            cell = as_index(number * WORD_BITS + bit)
            square, action = as_index(t.cell_square[cell]), as_index(cell * NUM_ROTATIONS)
            is_open = np.int64(s.frontier[number] >> bit) & 1
            code = is_open
            if squares.shape[0] > 0:
                squares[square, as_index(t.plane_frontier)] = is_open
            for rotation in range(NUM_ROTATIONS):
                does_fit = np.int64(s.placements[number, rotation] >> bit) & 1
                code |= does_fit << (1 + rotation)
                if squares.shape[0] > 0:
                    squares[square, fits + rotation] = does_fit
                mask[action + rotation] = does_fit
            if codes.shape[0] > 0:
                codes[square, OPEN] = code | CURRENT * (cell == s.cell)
            cells &= cells - 1
