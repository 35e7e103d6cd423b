"""Writes observations: what one player sees, as planes over the board and a vector (see `observation_layout.py`).

Kernels append to the vector entry after entry, in the order of the name table: each takes the index of its first entry
and returns the index after its last.
"""

import numpy as np

from zamek_env.core.actions import OVER, SCORE, SEND
from zamek_env.core.areas import count_followers, has_followers
from zamek_env.core.bits import WORD_BITS, lowest_bit
from zamek_env.core.components import NUM_ROTATIONS
from zamek_env.core.jit import kernel
from zamek_env.core.nests import count_pool
from zamek_env.core.observation_layout import POINT_SCALE, SIZE_SCALE
from zamek_env.core.pieces import count_plain, count_supply, find_free_piece, has_special
from zamek_env.core.scoring import count_points, find_usable_token
from zamek_env.core.state import EMPTY
from zamek_env.core.tables import NONE, NUM_PLAYERS


@kernel
def write_observation(t, s, player, planes, vector):
    """Write what `player` sees into `planes`, uint8 `(rows, columns, planes)`, and `vector`, float32 `(entries,)`."""
    write_planes(t, s, player, planes)
    write_vector(t, s, player, vector)


# --- planes ---


@kernel
def write_planes(t, s, player, planes):
    """Write the planes of what `player` sees."""
    squares = planes.reshape(-1, planes.shape[2])  # row by row
    squares.fill(0)
    tile_cell = np.empty(s.deck.size + t.start_cell.size, np.int16)  # where each tile on the board lies
    tile_cell[s.deck.size :] = NONE
    for cell in range(t.cell_square.size):
        square = t.cell_square[cell]
        face = s.face[cell]
        if face == EMPTY:
            squares[square, t.plane_space] = 1
        else:
            tile_cell[face // NUM_ROTATIONS] = cell
            for plane in range(t.face_planes.shape[1]):
                squares[square, plane] = t.face_planes[face, plane]
    if s.cell != NONE:
        squares[t.cell_square[s.cell], t.plane_current] = 1
    for owner in range(NUM_PLAYERS):
        _write_followers(t, s, owner, owner != player, tile_cell, squares)
    _write_frontier(t, s, squares)


@kernel
def _write_followers(t, s, owner, is_their, tile_cell, squares):
    """Write where `owner`'s followers stand and over which tiles their areas run."""
    standing = t.plane_their_follower if is_their else t.plane_my_follower
    first_area = t.plane_their_area if is_their else t.plane_my_area
    for follower in range(s.follower_node.shape[1]):
        node = s.follower_node[owner, follower]
        if node == NONE:
            continue
        cell = tile_cell[t.node_tile[node]]
        squares[t.cell_square[cell], standing] = 1 + t.node_segment[node]
        if follower >= count_plain(t, s):
            special = t.plane_their_special if is_their else t.plane_my_special
            squares[t.cell_square[cell], special + follower - count_plain(t, s)] = 1
        plane = t.feature_plane[t.node_feature[node]]
        if plane != NONE:
            _write_area_tiles(t, s, s.follower_area[owner, follower], first_area + plane, tile_cell, squares)


@kernel
def _write_area_tiles(t, s, area, plane, tile_cell, squares):
    """Set `plane` on every tile of `area`, start spaces apart."""
    for number in range(s.area_tiles.shape[1]):
        tiles = np.int64(s.area_tiles[area, number])
        while tiles != 0:
            cell = tile_cell[number * WORD_BITS + lowest_bit(tiles)]
            if cell != NONE:
                squares[t.cell_square[cell], plane] = 1
            tiles &= tiles - 1


@kernel
def _write_frontier(t, s, squares):
    """Write the cells next to something, and where the tile to place fits in each rotation."""
    for number in range(s.frontier.size):
        cells = np.int64(s.frontier[number])
        while cells != 0:
            bit = lowest_bit(cells)
            cell = number * WORD_BITS + bit
            square = squares[t.cell_square[cell]]
            square[t.plane_frontier] = 1
            for rotation in range(NUM_ROTATIONS):
                square[t.plane_fits + rotation] = (s.placements[rotation, number] >> bit) & 1
            cells &= cells - 1


# --- vector ---


@kernel
def write_vector(t, s, player, vector):
    """Write the vector of what `player` sees; return how many entries that are."""
    vector.fill(0)
    vector[0] = s.phase != OVER and s.player == player
    vector[1 + s.phase] = 1
    after_tiles = _write_tiles(s, vector, OVER + 2)
    after_players = _write_players(t, s, player, vector, after_tiles)
    after_tokens = _write_tokens(t, s, player, vector, after_players)
    after_segments = _write_segments(t, s, player, vector, after_tokens)
    after_slots = _write_slots(t, s, player, vector, after_segments)
    after_mine = _write_standing(t, s, player, player, vector, after_slots)
    after_theirs = _write_standing(t, s, player, 1 - player, vector, after_mine)
    return _write_special(t, s, player, vector, after_theirs)


@kernel
def _write_tiles(s, vector, start):
    tiles = s.deck.size
    if s.phase <= SCORE:
        vector[start + s.deck[s.drawn - 1]] = 1
    for number in range(s.drawn, tiles):
        vector[start + tiles + s.deck[number]] = 1
    vector[start + 2 * tiles] = (tiles - s.drawn) / tiles
    return start + 2 * tiles + 1


@kernel
def _write_players(t, s, player, vector, start):
    fields, followers = t.field_tower.size, s.follower_node.shape[1]
    for side in range(NUM_PLAYERS):
        owner = side ^ player
        vector[start + side] = s.score[owner] * POINT_SCALE
        vector[start + 2 + side] = (s.score[owner] % fields) / fields
        vector[start + 4 + side] = count_supply(t, s, owner) / followers
        vector[start + 6 + side] = s.family_house[owner] * SIZE_SCALE
    return start + 4 * NUM_PLAYERS


@kernel
def _write_tokens(t, s, player, vector, start):
    kinds = s.tokens.shape[1] - 1
    scale = t.token_scale
    for kind in range(1, kinds + 1):
        for side in range(NUM_PLAYERS):
            owner = side ^ player
            vector[start + side * kinds + kind - 1] = s.tokens[owner, kind] * scale
            vector[start + (NUM_PLAYERS + side) * kinds + kind - 1] = s.fresh_tokens[owner, kind] * scale
    seen = start + 2 * NUM_PLAYERS * kinds
    towers = seen + kinds
    for tower in range(s.tower_taken.size):
        if s.tower_taken[tower]:
            vector[seen + s.token_deal[tower] - 1] += scale
        else:
            vector[towers + tower] = 1
    return towers + s.tower_taken.size


@kernel
def _write_segments(t, s, player, vector, start):
    width = t.area_columns
    if s.phase == SEND:
        for segment in range(t.tile_node.shape[1]):
            node = t.tile_node[s.deck[s.drawn - 1], segment]
            if node != NONE and not has_followers(s, s.area[node]):
                _write_area(t, s, player, s.area[node], vector[start + segment * width : start + (segment + 1) * width])
    return start + t.tile_node.shape[1] * width


@kernel
def _write_slots(t, s, player, vector, start):
    width, slots = t.area_columns, s.to_score.shape[1]
    tokens = start + 1 + slots * width
    if s.phase == SCORE:
        vector[start] = s.scorer == player
        for slot in range(slots):
            area = s.to_score[s.scorer, slot]
            if area != NONE:
                first = start + 1 + slot * width
                _write_area(t, s, player, area, vector[first : first + width])
                vector[tokens + slot] = find_usable_token(t, s, area) != 0
    return tokens + slots


@kernel
def _write_standing(t, s, player, owner, vector, start):
    width, followers = t.area_columns, s.follower_node.shape[1]
    for follower in range(followers):
        node = s.follower_node[owner, follower]
        if node != NONE:
            first = start + follower * width
            _write_area(t, s, player, s.area[node], vector[first : first + width])
    return start + followers * width


@kernel
def _write_special(t, s, player, vector, start):
    """Write what only some rulesets have: special pieces in supply, nests, who stands on a gate."""
    special = t.kind_factor.size - 1
    for side in range(NUM_PLAYERS):
        for kind in range(1, 1 + special):
            vector[start + side * special + kind - 1] = find_free_piece(t, s, side ^ player, kind) != NONE
    nests = start + NUM_PLAYERS * special
    gates = nests
    if s.nests.size > 0:
        for side in range(NUM_PLAYERS):
            vector[nests + side] = s.nests[side ^ player] / t.nests
        vector[nests + NUM_PLAYERS] = count_pool(t, s) / t.nests
        gates = nests + NUM_PLAYERS + 1
    for side in range(s.at_gate.size):
        vector[gates + side] = s.at_gate[side ^ player]
    return gates + s.at_gate.size


@kernel
def _write_area(t, s, player, area, row):
    """Write the columns of `observation_layout.AREA_COLUMNS`, then the feature."""
    followers = s.follower_node.shape[1]
    feature = t.node_feature[area]
    row[0] = 1
    row[1] = count_worth(t, s, area) * SIZE_SCALE
    row[2] = s.open_ports[area] * SIZE_SCALE
    row[3] = count_followers(s, area, player) / followers
    row[4] = count_followers(s, area, 1 - player) / followers
    row[5 + feature] = 1
    if s.area_nests.size > 0 or t.kind_factor.size > 1:
        _write_special_columns(t, s, player, area, row[5 + t.feature_points.size :])


@kernel
def _write_special_columns(t, s, player, area, row):
    """Write the columns of `observation_layout.special_columns`."""
    if s.area_nests.size > 0:
        row[0] = s.area_nests[area] * SIZE_SCALE
    first = 1 if s.area_nests.size > 0 else 0
    for kind in range(1, t.kind_factor.size):
        for side in range(NUM_PLAYERS):
            row[first + NUM_PLAYERS * (kind - 1) + side] = has_special(t, s, area, side ^ player, kind)


@kernel
def count_worth(t, s, area):
    """Return the points of `area` if it were completed as it is; of a meadow, if it stays as it is (rules Z18, Z27)."""
    feature = t.node_feature[area]
    if t.feature_completes[feature]:
        return count_points(t, s, area, 0)
    return int(s.area_marks[area]) * int(t.feature_mark_points[feature])
