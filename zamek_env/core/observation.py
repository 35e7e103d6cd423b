"""Writes frames: what one player sees and may do (see `layout/observation.py`).

A frame holds the planes, which `planes.py` writes, the vector, written here, and the mask of legal actions. Kernels
append to the vector entry after entry, in the order of the name table: each takes the index of its first entry
and returns the index after its last.
"""

import numpy as np

from zamek_env.core.areas import count_followers, has_followers
from zamek_env.core.bits import as_index
from zamek_env.core.ending import count_end_points
from zamek_env.core.jit import kernel
from zamek_env.core.legality import write_mask
from zamek_env.core.nests import count_pool
from zamek_env.core.pieces import count_supply, find_free_piece, has_special
from zamek_env.core.planes import paint, prepare
from zamek_env.core.scoring import count_points, find_usable_token
from zamek_env.core.tables import NONE, NUM_PLAYERS, find_kind, record_dtype
from zamek_env.layout.actions import OVER, SCORE, SEND
from zamek_env.layout.observation import POINT_SCALE, SIZE_SCALE

SIZE_FACTOR = np.float32(SIZE_SCALE)


def frame_dtype(planes, vector, squares, num_actions):
    """Return the dtype of a frame: what one player sees and may do, by the `Layout`s of planes and vector."""
    return record_dtype(
        [
            ("vector", np.float32, len(vector)),
            ("squares", np.uint8, (squares, len(planes))),  # the planes, row by row
            ("mask", np.int8, num_actions),
        ]
    )


@kernel
def write_frame(t, s, player, canvas, frame):
    """Write what `player` sees and what may be done into `frame`. Writes `canvas` anew."""
    prepare(t, canvas, frame.squares)
    update_frame(t, s, player, canvas, frame)


@kernel
def update_frame(t, s, player, canvas, frame):
    """Bring `frame`, to which `canvas` belongs, up to what `player` sees and what may be done now. Writes both."""
    paint(t, s, player, canvas, frame.squares)
    write_vector(t, s, player, frame.vector)
    write_mask(t, s, frame.mask)


@kernel
def write_vector(t, s, player, vector):
    """Write the vector of what `player` sees; return how many entries that are."""
    vector.fill(0)
    vector[0] = s.phase != OVER and s.player == player
    vector[1 + s.phase] = 1
    after_tiles = _write_tiles(t, s, vector, OVER + 2)
    after_players = _write_players(t, s, player, vector, after_tiles)
    after_tokens = _write_tokens(t, s, player, vector, after_players)
    after_segments = _write_segments(t, s, player, vector, after_tokens)
    after_slots = _write_slots(t, s, player, vector, after_segments)
    after_mine = _write_standing(t, s, player, player, vector, after_slots)
    after_theirs = _write_standing(t, s, player, 1 - player, vector, after_mine)
    return _write_special(t, s, player, vector, after_theirs)


@kernel
def _write_tiles(t, s, vector, start):
    tiles, kinds = s.deck.size, t.tile_kinds
    if s.phase <= SCORE:
        vector[as_index(start + find_kind(t, s.deck[as_index(s.drawn - 1)]))] = 1
    for number in range(as_index(s.drawn), tiles):
        vector[as_index(start + kinds + find_kind(t, s.deck[number]))] += t.remaining_scale
    vector[start + 2 * kinds] = (tiles - s.drawn) / tiles
    return start + 2 * kinds + 1


@kernel
def _write_players(t, s, player, vector, start):
    fields, followers = t.field_tower.size, s.follower_node.shape[1]
    supplies = start + (2 if fields > 0 else 1) * NUM_PLAYERS
    houses = supplies + NUM_PLAYERS
    for side in range(NUM_PLAYERS):
        owner = side ^ player
        vector[start + side] = s.score[owner] * POINT_SCALE
        if fields > 0:
            vector[start + NUM_PLAYERS + side] = (s.score[owner] % fields) / fields
        vector[supplies + side] = count_supply(t, s, owner) / followers
        if s.family_house.size > 0:
            vector[houses + side] = s.family_house[owner] * SIZE_SCALE
    return houses + s.family_house.size


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
            if node > NONE and not has_followers(s, s.area[node]):
                _write_area(t, s, player, as_index(s.area[node]), vector, start + segment * width)
    return start + t.tile_node.shape[1] * width


@kernel
def _write_slots(t, s, player, vector, start):
    if t.field_tower.size == 0:
        return start
    width, slots = t.area_columns, s.to_score.shape[1]
    tokens = start + 1 + slots * width
    if s.phase == SCORE:
        vector[start] = s.scorer == player
        for slot in range(slots):
            area = s.to_score[s.scorer, slot]
            if area > NONE:
                _write_area(t, s, player, as_index(area), vector, start + 1 + slot * width)
                vector[tokens + slot] = find_usable_token(t, s, area) != 0
    return tokens + slots


@kernel
def _write_standing(t, s, player, owner, vector, start):
    width, followers = t.area_columns, s.follower_node.shape[1]
    for follower in range(followers):
        area = s.follower_area[owner, follower]
        if area > NONE:
            _write_area(t, s, player, as_index(area), vector, start + follower * width)
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
def _write_area(t, s, player, area, vector, start):
    """Write the columns of `layout.observation.AREA_COLUMNS`, then the feature, then the special columns."""
    first = as_index(start)
    vector[first] = 1
    vector[first + 1] = np.float32(count_worth(t, s, area)) * SIZE_FACTOR
    vector[first + 2] = np.float32(s.open_ports[area]) * SIZE_FACTOR
    vector[first + 3] = np.float32(count_followers(s, area, player)) * t.follower_scale
    vector[first + 4] = np.float32(count_followers(s, area, 1 - player)) * t.follower_scale
    vector[first + 5 + as_index(t.node_feature[area])] = 1
    if s.area_nests.size > 0 or t.kind_factor.size > 1:
        _write_special_columns(t, s, player, area, vector, start + 5 + t.feature_points.size)


@kernel
def _write_special_columns(t, s, player, area, vector, start):
    """Write the columns of `layout.observation.special_columns`."""
    if s.area_nests.size > 0:
        vector[start] = s.area_nests[area] * SIZE_SCALE
    first = start + (1 if s.area_nests.size > 0 else 0)
    for kind in range(1, t.kind_factor.size):
        for side in range(NUM_PLAYERS):
            vector[first + NUM_PLAYERS * (kind - 1) + side] = has_special(t, s, area, side ^ player, kind)


@kernel
def count_worth(t, s, area):
    """Return the points of `area` if it were completed as it is; of one that never is, as it is (Z18, Z27, C8)."""
    feature = as_index(t.node_feature[area])
    if t.feature_completes[feature]:
        return count_points(t, s, area, 0)
    return count_end_points(t, s, area)
