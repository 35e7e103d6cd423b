"""One game as one record: everything that changes during a game, in one block of memory.

BOARD DESCRIPTION
    Sizes (C cells, N nodes …) and the numbering of cells, tiles, faces and nodes are those of `tables.py`.
    An area is named by its smallest node, and its data is at that index, in whatever order its tiles were laid. Fields
    that a ruleset does not need are empty arrays: they take no memory, and kernels test their size, which the compiler
    knows. Assigning a record copies the game, games of equal bytes are equal, `np.save` is the checkpoint.
"""

import numpy as np
import numpy.typing as npt

from zamek_env.base.records import NONE, record_dtype
from zamek_env.compiler.bits import as_index
from zamek_env.compiler.jit import kernel
from zamek_env.compiler.memory import copy_record
from zamek_env.components.model import NUM_ROTATIONS, NUM_SIDES
from zamek_env.layout.sizes import Sizes

# Games are whole cache lines. Today's CPUs copy a record of some thousand bytes 20 times as slowly to an address 1 to
# 32 bytes further, modulo whole pages.
CACHE_LINE = 64
EMPTY = -1  # for a face: no tile lies there


def state_dtype(sizes: Sizes) -> np.dtype[np.record]:
    """Return the dtype of a game of a ruleset with these `Sizes`."""
    return record_dtype(
        [
            ("bag", np.uint64, (1 * sizes.draws_back,)),  # the generator by which the bag is shaken (rule H3); hidden
            # bit sets of tiles and nodes
            ("area_tiles", np.uint32, (sizes.completing_nodes, sizes.tile_words)),  # bit set of the tiles in an area
            # nodes that a field touches; of a completed area only its name
            ("area_touched", np.uint32, (sizes.touching_nodes, sizes.touched_words)),
            ("closed", np.uint32, sizes.touched_words),  # names of completed areas that can be touched
            # the bitmask board: sets of cells by the codes that actions name them by, which are the numbers of cells in
            # the window, and go on beyond it with those in `spot_cell`; of several sets, the words for the same cells
            # lie side by side
            ("forbidden", np.uint32, (sizes.cell_words, NUM_SIDES, sizes.edges)),  # cells where side may not be edge
            ("placements", np.uint32, (sizes.cell_words, NUM_ROTATIONS)),  # where the drawn tile fits, by rotation
            ("frontier", np.uint32, sizes.cell_words),  # empty cells next to something placed
            ("empty", np.uint32, sizes.window_words),  # cells of the window without a tile
            # areas
            ("area", np.int16, sizes.nodes),  # the area of each node, NONE while its tile is not on the board
            ("open_ports", np.int16, sizes.nodes),  # of an area: ports facing an empty cell, or empty cells around it
            ("tile_location", np.int16, sizes.tiles + sizes.starts),  # where each tile lies, NONE where it does not
            # empty cells beyond the window that touch a tile, in ascending order, NONE beyond the last
            ("spot_cell", np.int16, sizes.cells_beyond),
            ("follower_node", np.int16, (sizes.players, sizes.pieces)),  # where each piece is, NONE in supply
            ("follower_area", np.int16, (sizes.players, sizes.pieces)),  # its area, NONE in supply
            ("completed", np.int16, sizes.completed),  # areas completed by this turn's tile, NONE beyond the last
            ("to_score", np.int16, (sizes.players, sizes.slots)),  # slots: areas this player will score, NONE if not
            # players
            ("score", np.int16, (sizes.players,)),
            ("family_house", np.int16, (sizes.players * sizes.has_family_house,)),  # tiles of it, 0 for none
            # the turn
            # all tiles: first those that lie on the board or left the game, in the order in which they came, last this
            # turn's, `drawn` in number; then those in hands, `held` in number; then those in the bag, in the order of
            # drawing. Hidden from `drawn` on, but for what a player sees of hands
            ("deck", np.int16, sizes.tiles),
            ("drawn", np.int16),
            ("held", np.int16, (1 if sizes.hand_size else 0,)),
            ("hand", np.int16, (sizes.players if sizes.hand_size else 0, sizes.hand_size)),  # NONE: no tile (H1, H2)
            ("cell", np.int16),  # where this turn's tile lies, NONE before it is placed
            ("reach", np.int16, (2 if sizes.spots else 0,)),  # first word of the sets of cells in use, and their end
            # the tile on each location, except beyond the window: 1 more than its number, 0 for none; bytes where that
            # is enough
            ("tile_at", np.min_scalar_type(sizes.tiles + sizes.starts), sizes.window_locations),
            # from here on single bytes
            ("tile_rotation", np.uint8, sizes.tiles + sizes.starts),  # how each tile lies, 0 where it does not
            ("area_marks", np.uint8, sizes.nodes),  # stocks, shrines or shields of an area
            (
                "area_followers",
                np.uint8,
                (sizes.nodes, sizes.players),
            ),  # how many pieces of each player are in an area
            ("area_nests", np.uint8, (sizes.nest_nodes,)),  # falcon nests of an area (rule S1)
            ("nests", np.uint8, (sizes.players if sizes.nests else 0,)),  # a player's; the rest lies in the pool
            # the marker stands on the gate behind its field
            ("at_gate", np.uint8, (sizes.players if sizes.halts else 0,)),
            ("tokens", np.uint8, (sizes.players, sizes.kinds + 1)),  # in hand and usable, by kind
            ("fresh_tokens", np.uint8, (sizes.players, sizes.kinds + 1)),  # taken this turn, usable from the next on
            ("token_deal", np.uint8, sizes.tokens),  # kind on each tower, then those in the box; hidden until taken
            ("tower_taken", np.uint8, sizes.towers),
            ("hides_hands", np.uint8, (1 * sizes.hides_hands,)),  # empty where everybody sees all hands; always 0
            ("phase", np.uint8),
            ("player", np.uint8),  # whose turn it is; at the end, whose turn was the last
            ("scorer", np.uint8),  # whose areas are being scored
        ],
        unit=CACHE_LINE,
    )


def new_states(count: int, dtype: np.dtype[np.record]) -> npt.NDArray[np.record]:
    """Return `count` games of that dtype, shape `(count,)`, all zero. The first begins at a cache line."""
    memory = np.zeros(count * dtype.itemsize + CACHE_LINE, np.uint8)
    start = -memory.ctypes.data % CACHE_LINE
    games: npt.NDArray[np.record] = memory[start : start + count * dtype.itemsize].view(dtype)
    return games


@kernel
def is_beyond(s, location):
    """Return whether `location` is a cell of an open table beyond the window; the compiler knows it of a wall."""
    return s.spot_cell.size > 0 and location >= s.tile_at.size


@kernel
def find_tile(s, location):
    """Return which tile lies at `location`, NONE for none."""
    return _search_tile(s, location) if is_beyond(s, location) else find_near_tile(s, location)


@kernel
def find_near_tile(s, location):
    """Return which tile lies at `location`, which is not beyond the window, NONE for none."""
    return int(s.tile_at[as_index(location)]) - 1


@kernel
def _search_tile(s, location):
    """Return which tile lies at `location`, NONE for none, whatever `tile_at` says."""
    found = NONE
    for tile in range(s.tile_location.size):
        found = tile if s.tile_location[tile] == location else found
    return found


@kernel
def find_face(s, location):
    """Return the face at `location`, EMPTY for nothing."""
    return find_turned(s, find_tile(s, location))


@kernel
def find_turned(s, tile):
    """Return the face that `tile` shows where it lies, EMPTY for NONE."""
    rotation = int(s.tile_rotation[as_index(max(tile, 0))])
    return tile * NUM_ROTATIONS + rotation if tile > NONE else EMPTY


@kernel
def put_face(s, location, face):
    """Put `face` at `location`, where nothing lies. Writes `tile_at`, `tile_location`, `tile_rotation`."""
    tile = as_index(face) // NUM_ROTATIONS
    if not is_beyond(s, location):
        s.tile_at[as_index(location)] = tile + 1
    s.tile_location[tile] = location
    s.tile_rotation[tile] = face % NUM_ROTATIONS


@kernel
def find_seat(s, player, owner):
    """Return the player `owner` seats after `player`: 0 is `player`, 1 the next to play."""
    return owner ^ player if s.score.size == 2 else (player + owner) % s.score.size


@kernel
def copy_state(source, number, target, index):
    """Copy game `number` of `source` to `target[index]`, both arrays of states."""
    copy_record(source, number, target, index)
