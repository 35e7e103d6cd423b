"""Writes frames: what one player sees and may do (see `layout/observation.py`).

A frame holds the planes, which `planes.py` writes, the vector, written here, the rows, which `rows.py` writes, and the
mask of legal actions. A part that nobody asked for has no size, and the compiler leaves it out. The tables hold the
first entry of each group of the vector (`vector_…`). Within the group of an area the columns that all rulesets have
come first, then those in the tables (`column_…`). Within any other group the items come in the order of what they name:
`my`, then `their`; kinds; numbers.
"""

from collections.abc import Collection
from typing import Any, NamedTuple

import numpy as np

from zamek_env.base.records import NONE, record_dtype
from zamek_env.compiler.bits import as_index
from zamek_env.compiler.jit import kernel
from zamek_env.core.areas import count_followers, has_followers
from zamek_env.core.end_scoring import count_end_points
from zamek_env.core.legality import write_rest_of_mask
from zamek_env.core.nests import count_pool
from zamek_env.core.pieces import count_supply, find_free_piece, has_special
from zamek_env.core.planes import View, paint, prepare
from zamek_env.core.rows import write_rows
from zamek_env.core.scoring import count_points, find_usable_token
from zamek_env.core.state import find_seat
from zamek_env.core.tables import find_kind
from zamek_env.layout.actions import OVER, SCORE, SEND
from zamek_env.layout.observation import AREA_COLUMNS, POINT_SCALE, SIZE_SCALE

PRESENT, WORTH, OPEN_PORTS = range(len(AREA_COLUMNS))
FIRST_FOLLOWERS = len(AREA_COLUMNS)
SIZE_FACTOR = np.float32(SIZE_SCALE)


class FrameShapes(NamedTuple):
    """The shapes of the parts of a frame."""

    squares: int
    planes: int
    codes: int
    code_dtype: np.dtype[Any]
    entries: int  # of the vector
    rows: int
    columns: int
    num_actions: int


def frame_dtype(shapes: FrameShapes, parts: Collection[str]) -> np.dtype[np.record]:
    """Return the dtype of a frame: what one player sees and may do. Fields of other `PARTS` are empty."""
    rows = shapes.rows * ("rows" in parts)
    return record_dtype(
        [
            ("vector", np.float32, (shapes.entries * ("vector" in parts),)),
            ("row_actions", np.int16, (rows,)),
            ("codes", shapes.code_dtype, (shapes.squares * ("codes" in parts), shapes.codes)),  # cells row by row
            ("squares", np.uint8, (shapes.squares * ("planes" in parts), shapes.planes)),  # the planes, row by row
            ("rows", np.int8, (rows, shapes.columns)),
            ("mask", np.int8, shapes.num_actions),
        ]
    )


@kernel
def write_frame(t, s, player, canvas, frame, goes_on):
    """Write what `player` sees and may do into `frame`: all, or only what changed if the game `goes_on` from there."""
    view = View(canvas, frame, frame, frame, frame, frame, frame)
    if not goes_on:
        begin_view(t, s, view)
    update_view(t, s, player, view)
    write_rest_of_mask(t, s, frame.mask)


@kernel
def begin_view(t, s, view):
    """Write the view before anything happens: an empty castle, and all tiles of the deck left."""
    prepare(t, view)
    vector = view.vector.vector
    for tile in range(s.deck.size if vector.size > 0 else 0):
        vector[as_index(t.vector_remaining + find_kind(t, tile))] += t.remaining_scale


@kernel
def update_view(t, s, player, view):
    """Update `view` to what `player` sees now and where it may place; the rest of the mask stays as it is."""
    paint(t, s, player, view)
    if view.vector.vector.size > 0:
        _write_vector(t, s, player, view)
    if view.row_actions.row_actions.size > 0:
        write_rows(t, s, player, view.rows.rows, view.row_actions.row_actions)


@kernel
def _write_vector(t, s, player, view):
    """Write the vector of what `player` sees, from scratch except for the tiles that are left."""
    vector = view.vector.vector
    for entry in range(as_index(t.vector_remaining)):
        vector[entry] = 0
    for entry in range(as_index(t.vector_remaining + t.tile_kinds), vector.size):
        vector[entry] = 0
    vector[as_index(t.vector_my_decision)] = s.phase != OVER and s.player == player
    vector[as_index(t.vector_phase + s.phase)] = 1
    _write_tiles(t, s, player, view)
    _write_players(t, s, player, view)
    _write_tokens(t, s, player, view)
    _write_segments(t, s, player, view)
    _write_slots(t, s, player, view)
    _write_standing(t, s, player, view)
    _write_special(t, s, player, view)


@kernel
def _write_tiles(t, s, player, view):
    canvas, vector = view.canvas, view.vector.vector
    tiles = s.deck.size
    if s.phase <= SCORE:
        vector[as_index(t.vector_tile + find_kind(t, s.deck[as_index(s.drawn - 1)]))] = 1
    for number in range(as_index(canvas.drawn), as_index(s.drawn)):
        vector[as_index(t.vector_remaining + find_kind(t, s.deck[number]))] -= t.remaining_scale
    canvas.drawn = s.drawn
    vector[as_index(t.vector_tiles_left)] = (tiles - s.drawn) / tiles
    if s.hand.size > 0:
        _write_hands(t, s, player, view)


@kernel
def _write_hands(t, s, player, view):
    """Write the tiles in hands that `player` sees."""
    vector = view.vector.vector
    for owner in range(s.hand.shape[0]):
        for slot in range(s.hand.shape[1]):
            tile = s.hand[find_seat(s, player, owner), slot]
            if t.vector_hand[owner, slot] > NONE and tile > NONE:
                vector[as_index(t.vector_hand[owner, slot] + find_kind(t, tile))] = 1


@kernel
def _write_players(t, s, player, view):
    vector = view.vector.vector
    fields, followers = t.field_tower.size, s.follower_node.shape[1]
    for owner in range(s.score.size):
        holder = find_seat(s, player, owner)
        vector[as_index(t.vector_scores + owner)] = s.score[holder] * POINT_SCALE
        if fields > 0:
            vector[as_index(t.vector_fields + owner)] = (s.score[holder] % fields) / fields
        vector[as_index(t.vector_supplies + owner)] = count_supply(t, s, holder) / followers
        if s.family_house.size > 0:
            vector[as_index(t.vector_family_houses + owner)] = s.family_house[holder] * SIZE_SCALE


@kernel
def _write_tokens(t, s, player, view):
    vector = view.vector.vector
    scale = t.token_scale
    for kind in range(1, s.tokens.shape[1]):
        for owner in range(s.score.size):
            holder = find_seat(s, player, owner)
            if s.tokens[holder, kind] > 0:
                vector[as_index(t.vector_tokens[owner] + kind - 1)] = s.tokens[holder, kind] * scale
            if s.fresh_tokens[holder, kind] > 0:
                vector[as_index(t.vector_fresh_tokens[owner] + kind - 1)] = s.fresh_tokens[holder, kind] * scale
    for tower in range(s.tower_taken.size):
        if s.tower_taken[tower]:
            vector[as_index(t.vector_seen_tokens + s.token_deal[tower] - 1)] += scale
        else:
            vector[as_index(t.vector_towers + tower)] = 1


@kernel
def _write_segments(t, s, player, view):
    if s.phase == SEND:
        for segment in range(t.vector_segment.size):
            node = t.tile_node[s.deck[s.drawn - 1], segment]
            if node > NONE and not has_followers(s, s.area[node]):
                _write_area(t, s, player, as_index(s.area[node]), view, t.vector_segment[segment])


@kernel
def _write_slots(t, s, player, view):
    vector = view.vector.vector
    if t.vector_slot.size > 0 and s.phase == SCORE:
        vector[as_index(t.vector_scoring_mine)] = s.scorer == player
        for slot in range(t.vector_slot.size):
            area = s.to_score[s.scorer, slot]
            if area > NONE:
                _write_area(t, s, player, as_index(area), view, t.vector_slot[slot])
                vector[as_index(t.vector_slot_token + slot)] = find_usable_token(t, s, area) != 0


@kernel
def _write_standing(t, s, player, view):
    for owner in range(s.score.size):
        for follower in range(s.follower_area.shape[1]):
            area = s.follower_area[as_index(find_seat(s, player, owner)), follower]
            if area > NONE:
                _write_area(t, s, player, as_index(area), view, t.vector_area[owner, follower])


@kernel
def _write_special(t, s, player, view):
    """Write what only some rulesets have: special pieces in supply, nests, markers on gates."""
    vector = view.vector.vector
    for owner in range(s.score.size):
        for kind in range(1, t.kind_factor.size):
            is_free = find_free_piece(t, s, find_seat(s, player, owner), kind) != NONE
            vector[as_index(t.vector_special[owner] + kind - 1)] = is_free
    if s.nests.size > 0:
        for owner in range(s.score.size):
            vector[as_index(t.vector_nests + owner)] = s.nests[find_seat(s, player, owner)] / t.nests
        vector[as_index(t.vector_nests + s.score.size)] = count_pool(t, s) / t.nests
    for owner in range(s.at_gate.size):
        vector[as_index(t.vector_at_gate + owner)] = s.at_gate[find_seat(s, player, owner)]


@kernel
def _write_area(t, s, player, area, view, start):
    """Write the group of `area`, which begins at `start`."""
    vector, first = view.vector.vector, as_index(start)
    vector[first + PRESENT] = 1
    vector[first + WORTH] = np.float32(count_worth(t, s, area)) * SIZE_FACTOR
    vector[first + OPEN_PORTS] = np.float32(s.open_ports[area]) * SIZE_FACTOR
    for owner in range(s.score.size):
        followers = count_followers(s, area, find_seat(s, player, owner))
        vector[as_index(first + FIRST_FOLLOWERS + owner)] = np.float32(followers) * t.follower_scale
    vector[as_index(first + FIRST_FOLLOWERS + s.score.size + t.node_feature[area])] = 1
    if s.area_nests.size > 0:
        vector[as_index(start + t.column_nests)] = s.area_nests[area] * SIZE_SCALE
    for kind in range(1, t.kind_factor.size):
        for owner in range(s.score.size):
            is_there = has_special(t, s, area, find_seat(s, player, owner), kind)
            vector[as_index(start + t.column_special[owner, kind - 1])] = is_there


@kernel
def count_worth(t, s, area):
    """Return the points of `area` if it were completed now; if it never is, its points now (Z18, Z27, C8)."""
    feature = as_index(t.node_feature[area])
    if t.feature_completes[feature]:
        return count_points(t, s, area, 0)
    return count_end_points(t, s, area)
