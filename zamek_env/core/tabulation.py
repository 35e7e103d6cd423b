"""Fills the tables of a ruleset, described in `tables.py`, from its components."""

from itertools import product

import numpy as np
import numpy.typing as npt

from zamek_env.base.records import NONE
from zamek_env.compiler.bits import set_bit
from zamek_env.components.house_rules import CITY
from zamek_env.components.model import (
    NUM_ROTATIONS,
    NUM_SIDES,
    PORTS_PER_SIDE,
    STEP,
    TOKEN_USES,
    Components,
    Tile,
    rotated_port,
)
from zamek_env.core.tables import (
    COMPLETED_AREA,
    EXTRA_TURN,
    HELD_ROW_GROUPS,
    OWNED_PLANE_GROUPS,
    OWNED_ROW_GROUPS,
    OWNED_VECTOR_GROUPS,
    PLANE_GROUPS,
    VECTOR_GROUPS,
    tables_dtype,
)
from zamek_env.layout.actions import ActionLayout
from zamek_env.layout.observation import (
    CODE_BITS,
    FIRST_TILE,
    FOLLOWER,
    OPEN,
    SPACE,
    TILE,
    Layout,
    feature_ports,
    find_remaining_scale,
    find_token_scale,
    list_face_planes,
    list_owners,
)
from zamek_env.layout.rows import list_holders
from zamek_env.layout.sizes import Sizes, measure


def make_tables(
    components: Components, actions: ActionLayout, planes: Layout, codes: Layout, vector: Layout, rows: Layout
) -> npt.NDArray[np.record]:
    """Return a `tables_dtype` array of shape `(1,)`, by the layouts of actions, planes, codes, vector and rows."""
    sizes = measure(components)
    tables = np.zeros(1, tables_dtype(sizes, len(list_face_planes(components, planes)), len(rows)))
    table = tables[0]
    _fill_cells(table, components.board, sizes)
    _fill_starts(table, components.board)
    _fill_faces(table, components, sizes)
    _fill_touched(table, components, sizes)
    _fill_features(table, components, sizes)
    _fill_tokens(table, components)
    _fill_pieces(table, components)
    _fill_scales(table, components, sizes)
    owners = list_owners(components.players)
    _fill_planes(table, planes, owners)
    _fill_face_planes(table, components, sizes, planes)
    table["code_areas"] = [codes[f"{owner}_areas"].start if sizes.completing_features else NONE for owner in owners]
    _fill_vector(table, vector, owners)
    _fill_columns(table, components, vector, owners)
    _fill_tiles(table, sizes)
    _fill_rows(table, rows, owners)
    table["send_base"] = actions.send_base
    table["score_base"] = actions.score_base
    table["extra_base"] = actions.extra_base
    table["choose_base"] = actions.choose_base
    return tables


def _fill_cells(table, board, sizes):
    table["neighbor"] = NONE
    table["window_cells"] = sizes.window_cells
    table["tile_kinds"] = sizes.tile_kinds
    north, west = (0, 0) if board.starts else board.cells[0]  # of what the planes show
    for index, cell in enumerate(board.cells):
        if cell is None:
            continue
        for side, (rows, columns) in enumerate(STEP):
            neighbor = board.find_number((cell[0] + rows, cell[1] + columns))
            table["neighbor"][index, side] = NONE if neighbor is None else neighbor
        if index < sizes.window_cells:
            set_bit(table["all_cells"], index)
            around = (
                board.find_number((cell[0] + down, cell[1] + right)) for down, right in product((-1, 0, 1), repeat=2)
            )
            if sizes.spots and all(number < sizes.window_cells for number in around):
                set_bit(table["inner_cells"], index)
            table["cell_square"][index] = (cell[0] - north) * board.shape[1] + cell[1] - west


def _fill_starts(table, board):
    if not board.starts:  # the start tile lies on its cell
        table["start_in_bag"] = board.find_number((0, 0))
        table["start_cell"] = board.find_number((0, 0))
        table["start_side"] = NONE
    for index, start in enumerate(board.starts):
        cell = board.find_number(start.cell)
        table["neighbor"][cell, start.side] = len(board.cells) + index
        table["start_cell"][index] = cell
        table["start_side"][index] = start.side
        set_bit(table["start_bits"], cell)
    table["field_tower"] = NONE
    for index, tower in enumerate(board.token_towers):
        table["field_tower"][list(tower)] = index
    if table["field_halts"].size:
        table["field_halts"][[before for before, _ in board.gates]] = 1


def _fill_faces(table, components, sizes):
    features = [feature.name for feature in components.features]
    tiles = [*components.tiles, *components.laid]
    for name in ("tile_node", "face_node", "tile_middle"):
        table[name] = NONE
    for node, (tile, number, segment) in enumerate(_order_nodes(components, tiles)):
        feature = components.feature(segment.feature)
        table["tile_node"][tile, number] = node
        table["node_tile"][node] = tile
        table["node_segment"][node] = number
        table["node_feature"][node] = features.index(segment.feature)
        table["node_marks"][node] = segment.marks
        table["node_ports"][node] = len(segment.ports)
        if sizes.nests:
            table["node_nests"][node] = segment.nests
        if feature.surrounded:
            table["tile_middle"][tile] = node
        if components.farmers or not feature.touches:
            table["tile_holds"][tile] |= 1 << number
        for face, rotation in _faces_of(tile, sizes):
            for port in segment.ports:
                table["face_node"][face, rotated_port(port, rotation)] = node
    for tile, face_of_tile in enumerate(tiles):
        for face, rotation in _faces_of(tile, sizes):
            for side in range(NUM_SIDES):
                edge = edge_of_side(components, face_of_tile, (side - rotation) % NUM_SIDES)
                table["face_edge"][face, side] = NONE if edge is None else components.edges.index(edge)


def _order_nodes(components, tiles):
    """Return (tile, number on it, segment) of all segments, in the order of their nodes."""
    touched = [feature.touches for feature in components.features]

    def rank(piece):
        feature = components.feature(piece[2].feature)
        return not feature.completes, feature.name not in touched

    nodes = [(tile, number, segment) for tile, face in enumerate(tiles) for number, segment in enumerate(face.segments)]
    return sorted(nodes, key=rank)  # stable


def _fill_touched(table, components, sizes):
    table["touched_nodes"] = sizes.touched_nodes
    for node in range(sizes.completing_nodes, sizes.completing_nodes + sizes.touching_nodes):
        tile = int(table["node_tile"][node])
        segments = [*components.tiles, *components.laid][tile].segments
        for name in segments[table["node_segment"][node]].touches:
            touched = [segment.name for segment in segments].index(name)
            set_bit(table["node_touched"][node - sizes.completing_nodes], table["tile_node"][tile, touched])


def _faces_of(tile, sizes):
    """Yield (face, rotation) of a tile, or of what lies there at the beginning, in one way only."""
    if tile < sizes.tiles:
        for rotation in range(NUM_ROTATIONS):
            yield tile * NUM_ROTATIONS + rotation, rotation
    else:
        yield tile * NUM_ROTATIONS, 0


def edge_of_side(components: Components, tile: Tile, side: int) -> str | None:
    """Return what a side of `tile` (rotation 0) counts as when sides meet (rule Z10); None for a blank side."""
    left, middle = (tile.segment_at(PORTS_PER_SIDE * side + offset) for offset in (0, 1))
    shown = middle or left
    return None if shown is None else components.feature(shown.feature).edge


def _fill_features(table, components, sizes):
    table["feature_size_points"] = NONE
    table["ties_pay"] = components.ties_pay
    pays = 0 if components.house.unfinished_pays_nothing else 1  # rule H6
    for index, feature in enumerate(components.features):
        table["feature_completes"][index] = feature.completes
        completing = [other for other in components.features if other.completes]
        table["feature_plane"][index] = completing.index(feature) if feature.completes else NONE
        table["feature_points"][index] = feature.points
        table["feature_marked_points"][index] = max(feature.points, feature.marked_points)
        table["feature_surrounded"][index] = feature.surrounded
        table["feature_completed_mark_points"][index] = feature.completed_mark_points
        table["feature_mark_points"][index] = feature.mark_points * (pays if feature.completes else 1)
        table["feature_unfinished_points"][index] = feature.unfinished_points * pays
        table["feature_touch_points"][index] = feature.touch_points
        table["feature_family_house"][index] = feature.family_house
        if sizes.has_small_cities:
            table["feature_small"][index] = feature.name == CITY
        if feature.size_points:  # the list is filled up with its last entry, which stands for all larger areas
            missing = sizes.size_points - len(feature.size_points)
            table["feature_size_points"][index] = feature.size_points + feature.size_points[-1:] * missing


def _fill_pieces(table, components):
    table["nests"] = components.nests
    for kind, piece in enumerate(components.pieces):
        table["kind_factor"][kind] = piece.factor
        table["kind_nests"][kind] = piece.nests


def _fill_scales(table, components, sizes):
    table["token_scale"] = find_token_scale(components)
    table["follower_scale"] = 1 / sizes.pieces
    table["remaining_scale"] = find_remaining_scale(components)


def _find_first(layout, name):
    """Return the first number of a group, NONE where there is none."""
    return layout[name].start if name in layout else NONE


def _fill_planes(table, planes, owners):
    for name in PLANE_GROUPS:
        table[f"plane_{name}"] = _find_first(planes, name)
    for name in OWNED_PLANE_GROUPS:
        table[f"plane_{name}"] = [_find_first(planes, f"{owner}_{name}") for owner in owners]


def _fill_vector(table, vector, owners):
    for name in VECTOR_GROUPS:
        table[f"vector_{name}"] = _find_first(vector, name)
    for name in OWNED_VECTOR_GROUPS:
        table[f"vector_{name}"] = [_find_first(vector, f"{owner}_{name}") for owner in owners]
    for name in ("segment", "slot"):
        firsts = table[f"vector_{name}"]
        firsts[:] = [vector[f"{name}_{number}"].start for number in range(firsts.size)]
    for firsts, owner in zip(table["vector_area"], owners, strict=True):
        firsts[:] = [vector[f"{owner}_area_{number}"].start for number in range(firsts.size)]
    for firsts, owner in zip(table["vector_hand"], owners, strict=False):
        firsts[:] = [_find_first(vector, f"{owner}_hand_{slot}") for slot in range(firsts.size)]


def _fill_columns(table, components, vector, owners):
    """Note the columns of an area's group that only some rulesets have; they are the same for all areas."""
    column = {name.partition(".")[2]: number for number, name in enumerate(vector.names[vector["segment_0"]])}
    table["column_nests"] = column["nests"] if components.nests else NONE
    for columns, owner in zip(table["column_special"], owners, strict=True):
        columns[:] = [column[f"{owner}_{piece.name}"] for piece in components.special_pieces]


def _fill_tiles(table, sizes):
    """Note the tiles of the deck, and which of them fit in which surroundings, where that is asked for.

    Surroundings are a number with a digit for each side: 0 where no tile lies, else 1 more than the edge shown there.
    """
    table["surroundings"] = [(sizes.edges + 1) ** side for side in range(NUM_SIDES)]
    for tile in range(sizes.tiles):
        set_bit(table["deck_tiles"], tile)
        for rotation in range(NUM_ROTATIONS if sizes.surroundings else 0):
            digits = table["surroundings"] * (table["face_edge"][tile * NUM_ROTATIONS + rotation] + 1)
            for laid in product((0, 1), repeat=NUM_SIDES):
                set_bit(table["fitting"][(digits * laid).sum()], tile)


def _fill_rows(table, rows, owners):
    for name in OWNED_ROW_GROUPS:
        table[f"row_{name}"] = [_find_first(rows, f"{owner}_{name}") for owner in owners]
    for name in HELD_ROW_GROUPS:
        table[f"row_{name}"] = [_find_first(rows, f"{holder}_{name}") for holder in list_holders(owners)]
    table["row_free_points"] = _find_first(rows, "free_points")
    table["row_free_ahead"] = _find_first(rows, "free_ahead")
    table["row_tile"] = _find_first(rows, "tile")
    table["row_limit"] = rows.high


def _fill_face_planes(table, components, sizes, planes):
    table["face_plane"] = list_face_planes(components, planes)
    kinds = [tile.id for tile in components.kinds]
    shown = [*components.tiles, *(components.laid if components.start_tile else ())]
    if table["tile_kind"].size:
        table["tile_kind"] = [kinds.index(tile.id) for tile in components.tiles]
    for number, tile in enumerate(shown):
        for face, rotation in _faces_of(number, sizes):
            row = np.zeros(len(planes), np.uint8)
            row[planes["space"]] = 1
            row[planes["tile"]] = kinds.index(tile.id) + 1
            row[planes["rotation"]] = rotation
            for segment in tile.segments:
                row[planes["marks"]] += segment.marks
                if components.nests:
                    row[planes["nests"]] += segment.nests
                feature = components.feature(segment.feature)
                if feature.surrounded:
                    row[planes[feature.name]] = 1
                for port in segment.ports:
                    row[planes[feature.name].start + feature_ports(feature).index(rotated_port(port, rotation))] = 1
            table["face_planes"][face] = row[table["face_plane"]]
            table["face_code"][face] = FIRST_TILE + NUM_ROTATIONS * kinds.index(tile.id) + rotation


def make_code_planes(
    tables: npt.NDArray[np.record], components: Components, sizes: Sizes, planes: Layout, codes: Layout
) -> npt.NDArray[np.uint8]:
    """Return the planes that each code adds to its cell, shape `(codes, numbers, planes)`."""
    numbers = np.arange(codes.high.max() + 1, dtype=np.int64)
    added = np.zeros((len(codes), numbers.size, len(planes)), np.uint8)
    table = tables[0]
    added[TILE, SPACE, planes["space"]] = 1
    added[TILE, table["face_code"][:, None], table["face_plane"]] = table["face_planes"]
    bits = [planes["frontier"].start, *range(planes["fits"].start, planes["fits"].stop), planes["current"].start]
    added[OPEN][:, bits] = numbers[:, None] >> np.arange(len(bits)) & 1
    owners = list_owners(components.players)
    for seat, owner in enumerate(owners):
        first = planes[f"{owner}_area"].start
        for feature in range(sizes.completing_features):
            code = table["code_areas"][seat] + feature // CODE_BITS
            added[code, :, first + feature] = numbers >> feature % CODE_BITS & 1
        for piece in range(1 + sizes.special_pieces):
            first = 1 + sizes.segments * (seat + len(owners) * piece)
            shown = added[FOLLOWER, first : first + sizes.segments]
            shown[:, planes[f"{owner}_follower"]] = 1 + np.arange(sizes.segments)[:, None]
            if piece > 0:
                shown[:, planes[f"{owner}_special"].start + piece - 1] = 1
    return added


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
