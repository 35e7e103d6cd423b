"""Counts the columns of rows in a position, area by area (see `layout/rows.py`)."""

from zamek_env.base.records import NONE
from zamek_env.compiler.bits import as_index
from zamek_env.compiler.jit import inlined_kernel, kernel
from zamek_env.core.areas import count_followers, count_tiles, count_touched, has_followers, is_due, is_paid
from zamek_env.core.end_scoring import count_end_points
from zamek_env.core.nests import count_due_nests
from zamek_env.core.pieces import count_plain, find_factor, is_first_in_area
from zamek_env.core.scoring import find_size_points
from zamek_env.core.state import find_seat
from zamek_env.core.track import finds_token
from zamek_env.layout.rows import PORTS

WORTH, MISSING = range(2)  # of surrounded areas
OPEN_PORTS, UNFINISHED = 1, 2  # of lasting ones, after their worth


@kernel
def sum_up(t, s, player, sums):
    """Write the columns of all players in a position into `sums`, and 0 in the others."""
    sum_up_holdings(t, s, player, sums)
    for owner in range(s.score.size):
        holder = find_seat(s, player, owner)
        for piece in range(s.follower_area.shape[1]):
            area = s.follower_area[holder, piece]
            if area <= NONE:
                count_piece(t, s, owner, piece, 1, sums)
            elif is_first_in_area(s, holder, piece) and not _is_held_before(s, area, player, owner):
                sum_up_pieces(t, s, as_index(area), player, 1, sums)


@kernel
def _is_held_before(s, area, player, owner):
    """Return whether a player before the `owner` has pieces in an area, in the order of seats after `player`."""
    for earlier in range(owner):
        if count_followers(s, area, find_seat(s, player, earlier)) > 0:
            return True
    return False


@kernel
def sum_up_holdings(t, s, player, sums):
    """Write what each player has besides pieces and areas into `sums`, and 0 in all other columns."""
    sums.fill(0)
    for owner in range(s.score.size):
        holder = find_seat(s, player, owner)
        sums[as_index(t.row_points[owner])] = s.score[holder]
        for kind in range(1, s.tokens.shape[1]):
            held = int(s.tokens[holder, kind]) + int(s.fresh_tokens[holder, kind])
            sums[as_index(t.row_tokens[owner])] += held
        if s.family_house.size > 0:
            sums[as_index(t.row_house[owner])] = s.family_house[holder]
        if s.nests.size > 0:
            sums[as_index(t.row_nests[owner])] = s.nests[holder]


@inlined_kernel
def sum_up_pieces(t, s, area, player, times, sums):
    """Add what all players have in an area to `sums`, or with `times` -1 subtract it, unless it is completed."""
    if is_due(t, s, area):
        for owner in range(s.score.size):
            _sum_up_due(t, s, area, find_seat(s, player, owner), owner, sums)
        return
    worth, unfinished = _find_worth(t, s, area)
    for owner in range(s.score.size):
        holder = find_seat(s, player, owner)
        counts = times * is_paid(t, s, area, holder)  # without a branch, which would often be predicted wrongly
        _count_area(t, s, area, worth * find_factor(t, s, area, holder), unfinished, owner, counts, sums)


@kernel
def count_piece(t, s, owner, piece, times, sums):
    """Count a piece `times` as in supply."""
    special = piece - count_plain(t, s)
    if special < 0:
        sums[as_index(t.row_supply[owner])] += times
    else:
        sums[as_index(t.row_special[owner] + special)] += times


@kernel
def _sum_up_due(t, s, area, holder, owner, sums):
    """Count a completed area as scored by `holder`."""
    for piece in range(s.follower_area.shape[1]):
        if s.follower_area[holder, piece] == area:
            count_piece(t, s, owner, piece, 1, sums)
    if not is_paid(t, s, area, holder):
        return
    tiles = count_tiles(s, area)
    points = find_size_points(t, s, area, tiles) * find_factor(t, s, area, holder)
    sums[as_index(t.row_points[owner])] += points
    if t.field_tower.size > 0:
        sums[as_index(t.row_ahead[owner])] += finds_token(t, s, holder, points)
    if s.family_house.size > 0 and t.feature_family_house[as_index(t.node_feature[area])]:
        house = as_index(t.row_house[owner])
        sums[house] = max(int(sums[house]), tiles)
    if s.nests.size > 0:
        sums[as_index(t.row_nests[owner])] += count_due_nests(t, s, area, holder)


@inlined_kernel
def _find_worth(t, s, area):
    """Return what an area that is not completed pays, and how many unfinished areas it touches."""
    if t.feature_completes[as_index(t.node_feature[area])]:
        return find_size_points(t, s, area, count_tiles(s, area)), 0
    return count_end_points(t, s, area), count_touched(s, area, False) if s.area_touched.size > 0 else 0


@inlined_kernel
def _count_area(t, s, area, worth, unfinished, owner, times, sums):
    """Count an area that is not completed `times` for an `owner`."""
    feature, ports = as_index(t.node_feature[area]), int(s.open_ports[area])
    if not t.feature_completes[feature]:
        first = as_index(t.row_lasting[owner])
        sums[first] += worth * times
        sums[first + OPEN_PORTS] += ports * times
        if s.area_touched.size > 0:
            sums[first + UNFINISHED] += unfinished * times
    elif t.feature_surrounded[feature]:
        first = as_index(t.row_surrounded[owner])
        sums[first + WORTH] += worth * times
        sums[first + MISSING] += ports * times
    else:
        sums[as_index(t.row_worth[owner] + min(ports, len(PORTS)) - 1)] += worth * times


@inlined_kernel
def sum_up_free(t, s, tile, sums):
    """Count the areas of this turn's `tile` that are free and may hold pieces."""
    for segment in range(t.tile_node.shape[1]):
        node = t.tile_node[as_index(tile), segment]
        if node <= NONE:
            break
        area = as_index(s.area[node])
        may_hold = (int(t.tile_holds[as_index(tile)]) >> segment) & 1
        # One branch: three would often be predicted wrongly.
        if not (may_hold != 0) & (not has_followers(s, area)) & _is_first_segment(t, s, tile, segment):
            continue
        if is_due(t, s, area):
            points = find_size_points(t, s, area, count_tiles(s, area))
            sums[as_index(t.row_free_points)] += points
            if t.field_tower.size > 0:
                sums[as_index(t.row_free_ahead)] += finds_token(t, s, s.player, points)
        else:
            worth, unfinished = _find_worth(t, s, area)
            _count_area(t, s, area, worth, unfinished, s.score.size, 1, sums)


@inlined_kernel
def _is_first_segment(t, s, tile, segment):
    """Return whether no earlier segment of the tile is in the same area."""
    area = s.area[t.tile_node[as_index(tile), segment]]
    for earlier in range(segment):
        if s.area[t.tile_node[as_index(tile), earlier]] == area:
            return False
    return True
