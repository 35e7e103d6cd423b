"""Areas that a tile completes: who scores them, what they pay, and which choices that leaves (rules Z16–Z23)."""

from zamek_env.base.records import NONE
from zamek_env.compiler.bits import as_index
from zamek_env.compiler.jit import kernel
from zamek_env.compiler.memory import new_scratch
from zamek_env.components.model import NUM_AROUND, NUM_ROTATIONS, NUM_SIDES, PORTS_PER_SIDE
from zamek_env.core.areas import count_tiles, is_paid, return_followers
from zamek_env.core.log import LOGGED_NESTS, LOGGED_SCORE, LOGGED_TILES, LOGGED_TOKEN, LOGGED_TOOK, SCORED, write_event
from zamek_env.core.nests import take_nests
from zamek_env.core.pieces import find_factor
from zamek_env.core.placement import OTHERS, OWN, list_surrounded
from zamek_env.core.state import EMPTY, find_face
from zamek_env.core.track import move_marker

SMALL = 2  # tiles of a small city (rule H9)


@kernel
def list_completed(t, s, cell, whose):
    """List the areas that the tile on `cell` completed: by `whose` its own, those it closed from outside, or both.

    `whose` is what `lay_tile` returned (rules Z16, C4). Writes `completed`.
    """
    s.completed.fill(NONE)
    face = as_index(find_face(s, cell))
    count = 0
    if whose & OWN:
        for port in range(t.face_node.shape[1]):
            count = _note_completed(t, s, t.face_node[face, port], count)
    if whose & OTHERS:
        count = _note_beside(t, s, cell, count)
    if t.tile_middle.size > 0:
        count = _note_completed(t, s, t.tile_middle[face // NUM_ROTATIONS], count)
        if whose & OTHERS:
            around = new_scratch(t.row_points, NUM_AROUND)
            for number in range(list_surrounded(t, s, cell, around, 0)):
                count = _note_completed(t, s, around[as_index(number)], count)


@kernel
def _note_beside(t, s, cell, count):
    """Append the completed areas that touch the tile on `cell` to the `count` in `completed`; return the new count."""
    noted = count
    for side in range(NUM_SIDES):
        neighbor = t.neighbor[as_index(cell), side]
        lying = find_face(s, neighbor) if neighbor > NONE else EMPTY
        if lying <= EMPTY:
            continue
        first = PORTS_PER_SIDE * ((side + 2) % NUM_SIDES)
        for port in range(first, first + PORTS_PER_SIDE):
            noted = _note_completed(t, s, t.face_node[as_index(lying), port], noted)
    return noted


@kernel
def _note_completed(t, s, node, count):
    """Append the area of `node` to the `count` areas in `completed` if it is complete and new; return the new count."""
    if node <= NONE:
        return count
    area = as_index(s.area[node])
    if s.open_ports[area] != 0 or not t.feature_completes[as_index(t.node_feature[area])]:
        return count
    for known in range(count):
        if s.completed[known] == area:
            return count
    s.completed[count] = area
    return count + 1


@kernel
def sort_completed(t, s):
    """Give each completed area to the player who scores it; without one, followers return at once (rules Z17, Z20, C5).

    Writes `to_score` and what `return_followers` writes.
    """
    s.to_score.fill(NONE)
    for number in range(s.completed.size):
        area = s.completed[number]
        if area <= NONE:
            break
        paid = 0
        for player in range(s.score.size):
            if is_paid(t, s, area, player):
                _give_slot(s, player, area)
                paid += 1
        if paid == 0:
            return_followers(s, area)


@kernel
def _give_slot(s, player, area):
    """Put `area` into the first empty slot of `player`. Writes `to_score`."""
    slot = 0
    while s.to_score[player, slot] > NONE:
        slot += 1
    s.to_score[player, slot] = area


@kernel
def find_usable_token(t, s, area):
    """Return the kind of token the active player may use on `area`, which is about to be scored, or 0 (rule Z23).

    None where the player's prince doubles the area already (rule S7).
    """
    player = s.player
    kind = as_index(t.feature_token[as_index(t.node_feature[area])])
    if s.scorer == player and s.tokens[player, kind] > 0 and find_factor(t, s, area, player) == 1:
        return int(kind)
    return 0


@kernel
def count_score_choices(t, s):
    """Return (number of legal choices, a slot among them) for the player whose areas are being scored (rule Z19)."""
    choices, last_slot = 0, NONE
    for slot in range(s.to_score.shape[1]):
        area = s.to_score[s.scorer, slot]
        if area > NONE:
            last_slot = slot
            choices += 1 if find_usable_token(t, s, area) == 0 else 2
    return choices, last_slot


@kernel
def count_points(t, s, area, kind):
    """Return what the completed `area` pays with token `kind` (0: none), princes not included (Z18, Z23, S6, C4)."""
    if kind != 0:
        return count_tiles(s, area) * int(t.token_points[kind])
    return find_size_points(t, s, area, count_tiles(s, area))


@kernel
def find_tile_points(t, s, area):
    """Return what each tile of `area` pays when it is completed, without a token (rule Z18)."""
    feature = as_index(t.node_feature[area])
    return int(t.feature_points[feature] if s.area_marks[area] == 0 else t.feature_marked_points[feature])


@kernel
def find_size_points(t, s, area, tiles):
    """Return what `area` would pay if completed with `tiles` tiles, without token and prince (Z18, S6, C4, H9)."""
    feature, sizes = as_index(t.node_feature[area]), t.feature_size_points.shape[1]
    if t.feature_small.size > 0 and tiles == SMALL and t.feature_small[feature]:
        return tiles + int(s.area_marks[area])
    marks = int(s.area_marks[area]) * int(t.feature_completed_mark_points[feature])
    if sizes > 0 and t.feature_size_points[feature, 0] != NONE:
        return int(t.feature_size_points[feature, min(tiles, sizes) - 1]) + marks
    return tiles * find_tile_points(t, s, area) + marks


@kernel
def score_area(t, s, log, slot, with_token):
    """Score the area in `slot` as `pay_area` does, and note it in `log`."""
    player = int(s.scorer)
    area, tiles, points, kind, took, nests = pay_area(t, s, slot, with_token)
    row = write_event(log, SCORED, player, _find_placed_node(t, s, area), points)
    row[LOGGED_TILES] = tiles
    row[LOGGED_TOKEN] = kind
    row[LOGGED_SCORE] = s.score[player]
    row[LOGGED_TOOK] = took
    row[LOGGED_NESTS] = nests


@kernel
def pay_area(t, s, slot, with_token):
    """Score the area in `slot`: token, marker, tower, family house, nests, followers (rules Z18–Z23, S6–S10).

    Returns (area, its tiles, its points, the token used, the token taken, the nests taken). Writes `tokens`,
    `family_house`, `to_score`, `nests` and what `move_marker` and `return_followers` write.
    """
    player = int(s.scorer)
    area = s.to_score[player, slot]
    s.to_score[player, slot] = NONE
    kind = find_usable_token(t, s, area) if with_token else 0
    if kind != 0:
        s.tokens[player, kind] -= 1
    tiles, points = count_tiles(s, area), count_points(t, s, area, kind) * find_factor(t, s, area, player)
    took = move_marker(t, s, player, points)
    if s.family_house.size > 0 and t.feature_family_house[t.node_feature[area]]:
        s.family_house[player] = max(int(s.family_house[player]), tiles)
    nests = take_nests(t, s, area, player)
    if t.kind_factor.size == 1 or not t.ties_pay or not _is_waiting(s, player, area):
        return_followers(s, area)
    return int(area), tiles, points, kind, took, nests


@kernel
def _is_waiting(s, player, area):
    """Return whether others too will score `area`: until then their special pieces stay there (rules C5, S7)."""
    for other in range(s.score.size):
        for slot in range(s.to_score.shape[1]):
            if other != player and s.to_score[other, slot] == area:
                return True
    return False


@kernel
def _find_placed_node(t, s, area):
    """Return a node of `area` on a tile that a player placed."""
    num_tiles = t.tile_node.shape[0] - t.start_cell.size
    for node in range(area, s.area.size):
        if s.area[node] == area and t.node_tile[node] < num_tiles:
            return node
    return int(area)
