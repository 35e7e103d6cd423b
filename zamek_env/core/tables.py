"""Components as arrays: everything about a ruleset that never changes during a game.

TABLES DESCRIPTION
    cell   0 … C-1                 an interior space, row by row from the north-west
    place  0 … C-1, C … C+S-1      a cell, or a start space (treated as a tile that lies there from the beginning, Z2)
    tile   0 … T-1, T … T+S-1      a tile, or a start space's face
    face   tile * 4 + rotation     a tile as it lies on the table, T * 4 + start for a start space
    node   0 … N-1                 a segment of a certain tile. Nodes of features that complete come first (0 … M-1):
                                   only their areas need to know their tiles
    edge   0 … K-1                 what a side counts as when sides meet: plain or road
    piece  0 … F-1, F … P-1        a player's followers, then one of each special kind (S2); what a follower can do or
                                   suffer goes for all of them unless a rule says otherwise (S5)
    kind   0, 1 … P-F              of a piece: 0 a plain follower, then the special ones
    slot   0 … P-1                 an area waiting to be scored: there are at most as many as a player has
                                   pieces, and as one tile can complete

One record per ruleset holds them all. Kernels take the record `t` and read its fields by name.
"""

import numpy as np

from zamek_env.core.bits import set_bit
from zamek_env.core.components import (
    NUM_PORTS,
    NUM_ROTATIONS,
    NUM_SIDES,
    PORTS_PER_SIDE,
    STEP,
    TOKEN_USES,
    rotated_port,
)
from zamek_env.core.observation_layout import count_area_columns, count_face_planes, feature_ports, find_token_scale
from zamek_env.core.sizes import measure

NONE = -1  # kernels ask `<= NONE` where an index follows: then the compiler knows that it is not negative
NUM_PLAYERS = 2

PLANES = (
    "space", "frontier", "fits", "current", "my_follower", "their_follower", "my_special", "their_special", "my_area",
    "their_area",
)  # fmt: skip

EXTRA_TURN, COMPLETED_AREA, MARKS, FAMILY_HOUSE, POINTS, UNFINISHED_AREA = range(len(TOKEN_USES))


def record_dtype(fields):
    """Return a structured dtype whose records have their fields as attributes, compiled and in plain Python alike.

    `fields` stand widest first, so that nothing but the end is padded, by a field of its own: every byte of a record
    has a meaning and can be compared. Raises `ValueError` where they do not.
    """
    packed, aligned = np.dtype(fields), np.dtype(fields, align=True)
    if any(packed.fields[name] != aligned.fields[name] for name in packed.names):
        raise ValueError(f"fields must stand widest first: {packed}")
    if aligned.itemsize > packed.itemsize:
        fields = [*fields, ("padding", np.uint8, aligned.itemsize - packed.itemsize)]
    return np.dtype((np.record, np.dtype(fields, align=True)))


def tables_dtype(sizes, face_planes):
    """Return the dtype of the tables of a ruleset in whose observations `face_planes` planes show a face."""
    return record_dtype(
        [
            ("start_bits", np.uint32, sizes.cell_words),  # cells next to a start space
            ("all_cells", np.uint32, sizes.cell_words),  # every cell
            ("token_scale", np.float32),  # of token counts in observations
            ("follower_scale", np.float32),  # of follower counts
            ("neighbor", np.int16, (sizes.cells, NUM_SIDES)),  # place on that side, NONE at the wall
            ("start_cell", np.int16, sizes.starts),  # the cell it touches
            ("start_side", np.int16, sizes.starts),  # the side of that cell on which it lies
            ("face_node", np.int16, (sizes.faces, NUM_PORTS)),  # NONE: nothing at that port
            ("face_edge", np.int16, (sizes.faces, NUM_SIDES)),
            ("tile_node", np.int16, (sizes.tiles + sizes.starts, sizes.segments)),  # NONE beyond its last segment
            ("node_tile", np.int16, sizes.nodes),
            ("node_segment", np.int16, sizes.nodes),  # its number on the tile
            ("node_feature", np.int16, sizes.nodes),
            ("node_marks", np.int16, sizes.nodes),  # stocks or shrines
            ("feature_points", np.int16, sizes.features),  # a tile, completed
            ("feature_size_points", np.int16, (sizes.features, sizes.size_points)),  # completed, by size; NONE: by tile
            ("feature_marked_points", np.int16, sizes.features),  # a tile, completed with a mark
            ("feature_mark_points", np.int16, sizes.features),  # a mark, at the end
            ("feature_plane", np.int16, sizes.features),  # its number among those that complete, NONE for the others
            ("feature_token", np.int16, sizes.features),  # kind for a completed area of it, 0 for none
            ("token_use", np.int16, sizes.kinds + 1),  # by kind; 0 is no token
            ("token_feature", np.int16, sizes.kinds + 1),
            ("token_points", np.int16, sizes.kinds + 1),
            ("extra_turn_token", np.int16),  # the kind, 0 for none
            ("field_tower", np.int16, sizes.fields),  # NONE: no token ever lies here
            ("send_base", np.int16),  # first action of each phase, see actions.py
            ("score_base", np.int16),
            ("extra_base", np.int16),
            ("cell_square", np.int16, sizes.cells),  # its square in the planes, row by row
            *((f"plane_{name}", np.int16) for name in PLANES),  # first plane of that group, see observation_layout.py
            ("area_columns", np.int16),  # vector entries an area takes
            ("nests", np.int16),  # in the pool at the start
            ("kind_factor", np.int16, 1 + sizes.special_pieces),  # by kind of piece: of its owner's points (S7)
            ("kind_nests", np.int16, 1 + sizes.special_pieces),  # by kind of piece: more for its owner (S8)
            ("node_nests", np.int16, (sizes.nest_nodes,)),  # falcon nests
            ("feature_completes", np.uint8, sizes.features),
            ("feature_family_house", np.uint8, sizes.features),
            ("field_halts", np.uint8, (sizes.halting_fields,)),  # a gate where markers stop lies after it (S12)
            ("token_pool", np.uint8, sizes.tokens),  # the kind of every token in the box
            ("face_planes", np.uint8, (sizes.faces, face_planes)),  # what a face looks like in the first planes
        ]
    )


def make_tables(components, actions, planes):
    """Return a `tables_dtype` array of shape `(1,)`; `actions` is the `ActionLayout`, `planes` the plane `Layout`."""
    sizes = measure(components)
    tables = np.zeros(1, tables_dtype(sizes, count_face_planes(planes)))
    table = tables[0]
    _fill_board(table, components.board)
    _fill_faces(table, components, sizes)
    _fill_features(table, components, sizes)
    _fill_tokens(table, components)
    _fill_pieces(table, components)
    _fill_planes(table, components, sizes, planes)
    table["send_base"] = actions.send_base
    table["score_base"] = actions.score_base
    table["extra_base"] = actions.extra_base
    return tables


def _fill_board(table, wall):
    number = {cell: index for index, cell in enumerate(wall.cells)}
    for cell, index in number.items():
        set_bit(table["all_cells"], index)
        for side, (rows, columns) in enumerate(STEP):
            table["neighbor"][index, side] = number.get((cell[0] + rows, cell[1] + columns), NONE)
        table["cell_square"][index] = cell[0] * wall.shape[1] + cell[1]
    for index, start in enumerate(wall.starts):
        cell = number[start.cell]
        table["neighbor"][cell, start.side] = len(number) + index
        table["start_cell"][index] = cell
        table["start_side"][index] = start.side
        set_bit(table["start_bits"], cell)
    table["field_tower"] = NONE
    for index, tower in enumerate(wall.token_towers):
        table["field_tower"][list(tower)] = index
    if table["field_halts"].size:
        table["field_halts"][[before for before, _ in wall.gates]] = 1


def _fill_faces(table, components, sizes):
    features = [feature.name for feature in components.features]
    tiles = [*components.tiles, *(start.tile for start in components.board.starts)]
    pieces = [(tile, slot, segment) for tile, face in enumerate(tiles) for slot, segment in enumerate(face.segments)]
    pieces.sort(key=lambda piece: not components.feature(piece[2].feature).completes)  # stable
    for name in ("tile_node", "face_node"):
        table[name] = NONE
    for node, (tile, slot, segment) in enumerate(pieces):
        table["tile_node"][tile, slot] = node
        table["node_tile"][node] = tile
        table["node_segment"][node] = slot
        table["node_feature"][node] = features.index(segment.feature)
        table["node_marks"][node] = segment.marks
        if sizes.nests:
            table["node_nests"][node] = segment.nests
        for face, rotation in _faces_of(tile, sizes):
            for port in segment.ports:
                table["face_node"][face, rotated_port(port, rotation)] = node
    for tile, face_of_tile in enumerate(tiles):
        for face, rotation in _faces_of(tile, sizes):
            for side in range(NUM_SIDES):
                edge = edge_of_side(components, face_of_tile, (side - rotation) % NUM_SIDES)
                table["face_edge"][face, side] = NONE if edge is None else components.edges.index(edge)


def _faces_of(tile, sizes):
    """Yield (face, rotation) of a tile, or of a start space, which lies in one way only."""
    if tile < sizes.tiles:
        for rotation in range(NUM_ROTATIONS):
            yield tile * NUM_ROTATIONS + rotation, rotation
    else:
        yield sizes.tiles * NUM_ROTATIONS + tile - sizes.tiles, 0


def edge_of_side(components, tile, side):
    """Return what a side of `tile` (rotation 0) counts as when sides meet (rule Z10); None for a blank side."""
    left, middle = (tile.segment_at(PORTS_PER_SIDE * side + place) for place in (0, 1))
    shown = middle or left
    return shown and components.feature(shown.feature).edge


def _fill_features(table, components, sizes):
    table["feature_size_points"] = NONE
    for index, feature in enumerate(components.features):
        table["feature_completes"][index] = feature.completes
        completing = [other for other in components.features if other.completes]
        table["feature_plane"][index] = completing.index(feature) if feature.completes else NONE
        table["feature_points"][index] = feature.points
        table["feature_marked_points"][index] = max(feature.points, feature.marked_points)
        table["feature_mark_points"][index] = feature.mark_points
        table["feature_family_house"][index] = feature.family_house
        if feature.size_points:  # the list is filled up with its last entry, which stands for all larger areas
            missing = sizes.size_points - len(feature.size_points)
            table["feature_size_points"][index] = feature.size_points + feature.size_points[-1:] * missing


def _fill_pieces(table, components):
    table["nests"] = components.nests
    for kind, piece in enumerate(components.pieces):
        table["kind_factor"][kind] = piece.factor
        table["kind_nests"][kind] = piece.nests


def _fill_planes(table, components, sizes, planes):
    for name in PLANES:
        table[f"plane_{name}"] = planes[name].start if name in planes else NONE
    table["token_scale"] = find_token_scale(components)
    table["follower_scale"] = 1 / sizes.pieces
    table["area_columns"] = count_area_columns(components)
    for number, tile in enumerate(components.tiles):
        for face, rotation in _faces_of(number, sizes):
            row = table["face_planes"][face]
            row[planes["space"]] = 1
            row[planes["tile"]] = number + 1
            row[planes["rotation"]] = rotation
            for segment in tile.segments:
                row[planes["marks"]] += segment.marks
                if components.nests:
                    row[planes["nests"]] += segment.nests
                feature = components.feature(segment.feature)
                for port in segment.ports:
                    row[planes[feature.name].start + feature_ports(feature).index(rotated_port(port, rotation))] = 1


def _fill_tokens(table, components):
    features = [feature.name for feature in components.features]
    pool = []
    for token in components.tokens:
        table["token_use"][token.kind] = TOKEN_USES.index(token.use)
        table["token_feature"][token.kind] = NONE if token.feature is None else features.index(token.feature)
        table["token_points"][token.kind] = token.points
        pool += [token.kind] * token.count
        if token.use == TOKEN_USES[COMPLETED_AREA]:
            table["feature_token"][features.index(token.feature)] = token.kind
        if token.use == TOKEN_USES[EXTRA_TURN]:
            table["extra_turn_token"] = token.kind
    table["token_use"][0] = NONE
    table["token_pool"] = pool
