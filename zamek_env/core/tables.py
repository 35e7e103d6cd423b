"""Components as arrays: everything about a ruleset that never changes during a game.

TABLES DESCRIPTION
    cell      0 … C-1                 an interior space, row by row from the north-west, or a cell of an open table
                                      (`open_table.py`)
    location  0 … C-1, C … C+S-1      a cell, or a start space (treated as a tile that lies there from the beginning,
                                      Z2)
    tile      0 … T-1, T … T+S-1      a tile of the deck, or a start space's face, or the start tile (C1)
    face      tile * 4 + rotation     a tile as it lies on the table; what lies there at the beginning is not rotated
    node      0 … N-1                 a segment of a certain tile. Nodes of features that complete come first
                                      (0 … M-1): only their areas need to know their tiles. Of these, those come first
                                      that others touch (C8)
    edge      0 … K-1                 what a side counts as when sides meet: plain or road
    piece     0 … F-1, F … P-1        a player's followers, then one of each special kind (S2); rules on followers hold
                                      for all of them unless a rule says otherwise (S5)
    kind      0, 1 … P-F              of a piece: 0 a plain follower, then the special ones
    slot      0 … P-1                 where an area waits to be scored: there are at most as many as a player has
                                      pieces, and as one tile can complete

One record per ruleset holds them all; `tabulation.py` fills it. Kernels take it as `t` and read its fields by name.
"""

import numpy as np

from zamek_env.base.records import record_dtype
from zamek_env.compiler.bits import as_index
from zamek_env.compiler.jit import kernel
from zamek_env.components.model import NUM_PORTS, NUM_SIDES, TOKEN_USES
from zamek_env.layout.sizes import Sizes

# groups of planes and of vector entries whose first number kernels know; NONE where a ruleset does not have them
PLANE_GROUPS = ("space", "frontier", "fits", "current")
OWNED_PLANE_GROUPS = ("follower", "special", "area")  # of each player, from the observer on
VECTOR_GROUPS = (
    "my_decision", "phase", "tile", "remaining", "tiles_left", "scores", "fields", "supplies", "family_houses",
    "seen_tokens", "towers", "scoring_mine", "slot_token", "nests", "at_gate",
)  # fmt: skip
OWNED_VECTOR_GROUPS = ("tokens", "fresh_tokens", "special")
# and of columns of rows
OWNED_ROW_GROUPS = ("points", "supply", "special", "tokens", "ahead", "house", "nests")
HELD_ROW_GROUPS = ("worth", "surrounded", "lasting", "cells")  # of each player, and of nobody

EXTRA_TURN, COMPLETED_AREA, MARKS, FAMILY_HOUSE, POINTS, UNFINISHED_AREA = range(len(TOKEN_USES))


def _offset_fields(sizes):
    """Return the fields that say where the groups of an observation begin, see `layout/observation.py`."""
    return [
        *((f"vector_{name}", np.int32) for name in VECTOR_GROUPS),
        *((f"vector_{name}", np.int32, (sizes.players,)) for name in OWNED_VECTOR_GROUPS),
        ("vector_segment", np.int32, sizes.segments),
        ("vector_slot", np.int32, (sizes.slots if sizes.fields else 0,)),
        ("vector_area", np.int32, (sizes.players, sizes.pieces)),
        ("vector_hand", np.int32, (sizes.players if sizes.hand_size else 0, sizes.hand_size)),  # NONE: not shown
        # within the group of an area, after what all rulesets have
        ("column_nests", np.int32),  # NONE where there are none
        ("column_special", np.int32, (sizes.players, sizes.special_pieces)),
    ]


def _feature_fields(sizes):
    """Return the fields of two bytes that say of each feature what it is worth and how it is called elsewhere."""
    return [
        ("feature_points", np.int16, sizes.features),  # a tile, completed
        ("feature_size_points", np.int16, (sizes.features, sizes.size_points)),  # completed, by size; NONE: by tile
        ("feature_marked_points", np.int16, sizes.features),  # a tile, completed with a mark
        ("feature_completed_mark_points", np.int16, sizes.features),  # a mark, completed
        ("feature_mark_points", np.int16, sizes.features),  # a mark, at the end
        ("feature_unfinished_points", np.int16, sizes.features),  # a tile, at the end
        ("feature_touch_points", np.int16, sizes.features),  # a completed area that it touches, at the end
        ("feature_plane", np.int16, sizes.features),  # its number among those that complete, NONE for the others
        ("feature_token", np.int16, sizes.features),  # kind for a completed area of it, 0 for none
    ]


def tables_dtype(sizes: Sizes, face_planes: int, columns: int) -> np.dtype[np.record]:
    """Return the dtype of the tables of a ruleset in whose observations `face_planes` planes show a face.

    Their rows have `columns` columns.
    """
    return record_dtype(
        [
            ("start_bits", np.uint32, sizes.cell_words),  # cells next to a start space
            ("all_cells", np.uint32, sizes.window_words),  # every cell of the window
            ("inner_cells", np.uint32, sizes.window_words),  # those whose neighbours are all in it too
            ("node_touched", np.uint32, (sizes.touching_nodes, sizes.touched_words)),  # bit set, from node M on
            ("fitting", np.uint32, (sizes.surroundings, sizes.tile_words)),  # tiles that fit there, turned somehow
            ("surroundings", np.int32, NUM_SIDES),  # how much an edge on that side adds to the number of surroundings
            ("deck_tiles", np.uint32, sizes.tile_words),  # all that are drawn
            ("token_scale", np.float32),  # of token counts in observations
            ("follower_scale", np.float32),  # of follower counts
            ("remaining_scale", np.float32),  # of tiles of a kind that are not drawn yet
            *_offset_fields(sizes),
            # two bytes each
            ("neighbor", np.int16, (sizes.cells, NUM_SIDES)),  # location on that side, NONE at the wall
            ("start_cell", np.int16, sizes.starts),  # the cell it touches, or on which it lies
            (
                "start_in_bag",
                np.int16,
                (1 * sizes.starts_in_bag,),
            ),  # the cell on which the first tile drawn is laid (H4)
            ("start_side", np.int16, sizes.starts),  # the side of that cell on which it lies, NONE for on it
            ("touched_nodes", np.int16),  # the number that can be touched, the first ones
            ("window_cells", np.int16),
            ("tile_kinds", np.int16),  # tiles that differ
            ("face_node", np.int16, (sizes.faces, NUM_PORTS)),  # NONE: nothing at that port
            ("face_edge", np.int16, (sizes.faces, NUM_SIDES)),
            ("tile_node", np.int16, (sizes.tiles + sizes.starts, sizes.segments)),  # NONE beyond its last segment
            ("tile_holds", np.int16, sizes.tiles + sizes.starts),  # bit set of its segments that may hold pieces
            ("tile_middle", np.int16, (sizes.middles,)),  # its surrounded node, NONE without one
            ("tile_kind", np.int16, (sizes.tiles if sizes.has_copies else 0,)),  # among those that differ
            ("node_tile", np.int16, sizes.nodes),
            ("node_segment", np.int16, sizes.nodes),  # its number on the tile
            ("node_feature", np.int16, sizes.nodes),
            ("node_marks", np.int16, sizes.nodes),  # stocks, shrines or shields
            ("node_ports", np.int16, sizes.nodes),
            *_feature_fields(sizes),
            ("token_use", np.int16, sizes.kinds + 1),  # by kind; 0 is no token
            ("token_feature", np.int16, sizes.kinds + 1),
            ("token_points", np.int16, sizes.kinds + 1),
            ("extra_turn_token", np.int16),  # the kind, 0 for none
            ("field_tower", np.int16, sizes.fields),  # NONE: no token ever lies here
            ("send_base", np.int16),  # first action of each phase, see actions.py
            ("score_base", np.int16),
            ("extra_base", np.int16),
            ("choose_base", np.int16),
            ("cell_square", np.int16, sizes.window_cells),  # its square in the planes, row by row
            *((f"plane_{name}", np.int16) for name in PLANE_GROUPS),
            *((f"plane_{name}", np.int16, (sizes.players,)) for name in OWNED_PLANE_GROUPS),
            ("face_plane", np.int16, face_planes),  # the plane of each column of `face_planes`
            ("code_areas", np.int16, (sizes.players,)),  # the first code that says in whose areas a tile is
            ("face_code", np.uint16, sizes.faces),  # what a face looks like in the codes
            *((f"row_{name}", np.int16, (sizes.players,)) for name in OWNED_ROW_GROUPS),
            *((f"row_{name}", np.int16, (sizes.players + 1,)) for name in HELD_ROW_GROUPS),
            ("row_free_points", np.int16),
            ("row_free_ahead", np.int16),
            ("row_tile", np.int16),  # NONE where players choose no tile
            ("row_limit", np.int16, columns),  # the largest entry of each column
            ("nests", np.int16),  # in the pool at the start
            ("kind_factor", np.int16, 1 + sizes.special_pieces),  # by kind of piece: of its owner's points (S7)
            ("kind_nests", np.int16, 1 + sizes.special_pieces),  # by kind of piece: more for its owner (S8)
            ("node_nests", np.int16, (sizes.nest_nodes,)),  # falcon nests
            ("feature_completes", np.uint8, sizes.features),
            ("feature_family_house", np.uint8, sizes.features),
            ("feature_surrounded", np.uint8, sizes.features),
            (
                "feature_small",
                np.uint8,
                (sizes.features if sizes.has_small_cities else 0,),
            ),  # pays less when small (H9)
            # house rules; where one is not in force, its field is empty and the compiler leaves out its code
            ("hole_plays_again", np.uint8, (1 * sizes.holes_play_again,)),
            ("has_edge", np.uint8, (1 * sizes.has_edge,)),  # the table ends somewhere (H7) …
            (
                "open_edge",
                np.uint8,
                (1 * (sizes.has_edge and not sizes.edges_complete),),
            ),  # … and that closes nothing (H8)
            ("ties_pay", np.uint8),  # an area pays all who have most followers in it (C5)
            ("field_halts", np.uint8, (sizes.halting_fields,)),  # a gate where markers stop lies after it (S12)
            ("token_pool", np.uint8, sizes.tokens),  # the kind of every token in the box
            ("face_planes", np.uint8, (sizes.faces, face_planes)),  # what a face looks like in the planes `face_plane`
        ]
    )


@kernel
def find_kind(t, tile):
    """Return the number of a tile of the deck among those that differ."""
    return tile if t.tile_kind.size == 0 else t.tile_kind[as_index(tile)]
