"""The rows of an observation: what each legal action changes (see `layout/rows.py`)."""

from zamek_env.components.model import NUM_ROTATIONS
from zamek_env.core.areas import count_tiles, count_touched, has_followers, is_due, is_paid
from zamek_env.core.bits import as_index
from zamek_env.core.copying import copy_aside
from zamek_env.core.ending import count_end_points
from zamek_env.core.jit import kernel
from zamek_env.core.legality import ACTIONS_A_TILE, list_actions
from zamek_env.core.nests import count_due_nests
from zamek_env.core.pieces import count_plain, find_factor, is_first_in_area
from zamek_env.core.placement import count_placements, find_cell, lay_tile
from zamek_env.core.row_cells import find_left, sum_up_cells
from zamek_env.core.rules import send_follower
from zamek_env.core.scoring import find_size_points, pay_area
from zamek_env.core.scratch import new_scratch
from zamek_env.core.state import find_seat
from zamek_env.core.tables import NONE
from zamek_env.core.track import finds_token
from zamek_env.layout.actions import CHOOSE, EXTRA, OVER, PLACE, SCORE, SEND, TOKEN_CHOICES
from zamek_env.layout.rows import LIMIT, MANY_FIT, PORTS

WORTH, MISSING = range(2)  # of surrounded areas
OPEN_PORTS, UNFINISHED = 1, 2  # of lasting ones, after their worth


@kernel
def write_rows(t, s, player, rows, row_actions):
    """Write what each legal action changes into `rows`, and its number into `row_actions`, NONE beyond the last.

    There is no row where `player` is not to decide. What stands in both must be of such a call or of `NONE`s.
    """
    count = 0
    if s.phase != OVER and s.player == player:
        actions = new_scratch(t.tile_holds, ACTIONS_A_TILE)
        before, after, left = new_scratch(t.row_limit), new_scratch(t.row_limit), new_scratch(t.deck_tiles)
        count = list_actions(t, s, actions)
        _sum_up(t, s, player, before)
        if t.edge_tiles.shape[1] > MANY_FIT:
            find_left(s, player, left)
        cell = NONE
        for number in range(count):
            before_cell, cell = cell, _find_cell(t, s, int(actions[as_index(number)]))
            if cell != before_cell:
                sum_up_cells(t, s, player, left, cell, before)
            then = copy_aside(s)
            _act(t, then, int(actions[as_index(number)]))
            _sum_up(t, then, player, after)
            if s.phase <= SEND:
                _sum_up_free(t, then, after)
            if cell != NONE:
                sum_up_cells(t, then, player, left, cell, after)
            for column in range(rows.shape[1]):
                limit = int(t.row_limit[column])
                rows[number, column] = min(max(int(after[column]) - int(before[column]), -limit), limit)
            row_actions[number] = actions[as_index(number)]
            if s.hand.size > 0 and s.phase == CHOOSE:
                _write_tile(t, s, s.hand[player, actions[as_index(number)] - t.choose_base], rows[number])
    while count < row_actions.size and row_actions[count] > NONE:
        rows[count].fill(0)
        row_actions[count] = NONE
        count += 1


@kernel
def _write_tile(t, s, tile, row):
    """Write what a `tile` of the hand shows, and in how many ways it can be laid now (rule H2)."""
    first, features = as_index(t.row_tile), t.feature_points.size
    for segment in range(t.tile_node.shape[1]):
        node = t.tile_node[as_index(tile), segment]
        if node > NONE:
            row[as_index(first + t.node_feature[node])] += 1
            row[as_index(first + features)] += t.node_marks[node]
    row[as_index(first + features + 1)] = min(count_placements(t, s, tile), LIMIT)


@kernel
def _act(t, s, action):
    """Carry out a legal action, and nothing that follows from it."""
    if s.phase == PLACE:
        tile = int(s.deck[as_index(s.drawn - 1)])
        lay_tile(t, s, find_cell(t, s, action // NUM_ROTATIONS), tile * NUM_ROTATIONS + action % NUM_ROTATIONS)
    elif s.phase == SEND:
        send_follower(t, s, action - t.send_base)
    elif s.phase == SCORE:
        choice = action - t.score_base
        pay_area(t, s, choice // TOKEN_CHOICES, choice % TOKEN_CHOICES == 1)
    elif s.phase == EXTRA:
        s.tokens[s.player, t.extra_turn_token] -= action - t.extra_base


@kernel
def _sum_up(t, s, player, sums):
    """Write what the columns of both players say of a position into `sums`, and 0 in the others."""
    sums.fill(0)
    for owner in range(s.score.size):
        holder = find_seat(s, player, owner)
        sums[as_index(t.row_points[owner])] = s.score[holder]
        _sum_up_holdings(t, s, holder, owner, sums)
        for piece in range(s.follower_area.shape[1]):
            area = s.follower_area[holder, piece]
            if area <= NONE:
                _count_piece(t, s, owner, piece, sums)
                continue
            is_completed = is_due(t, s, area)
            if is_completed:
                _count_piece(t, s, owner, piece, sums)
            if is_first_in_area(s, holder, piece) and is_paid(t, s, area, holder):
                if is_completed:
                    _sum_up_due(t, s, area, holder, owner, sums)
                else:
                    _sum_up_area(t, s, area, find_factor(t, s, area, holder), owner, sums)


@kernel
def _count_piece(t, s, owner, piece, sums):
    """Count a piece as in supply."""
    special = piece - count_plain(t, s)
    if special < 0:
        sums[as_index(t.row_supply[owner])] += 1
    else:
        sums[as_index(t.row_special[owner] + special)] += 1


@kernel
def _sum_up_holdings(t, s, holder, owner, sums):
    """Count what a player has beside points, pieces and areas."""
    for kind in range(1, s.tokens.shape[1]):
        sums[as_index(t.row_tokens[owner])] += int(s.tokens[holder, kind]) + int(s.fresh_tokens[holder, kind])
    if s.family_house.size > 0:
        sums[as_index(t.row_house[owner])] = s.family_house[holder]
    if s.nests.size > 0:
        sums[as_index(t.row_nests[owner])] = s.nests[holder]


@kernel
def _sum_up_due(t, s, area, holder, owner, sums):
    """Count a completed area as scored by `holder`."""
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


@kernel
def _sum_up_area(t, s, area, factor, holder, sums):
    """Count an area that is not completed for a `holder`: what it pays counts times `factor`."""
    feature, ports = as_index(t.node_feature[area]), int(s.open_ports[area])
    if not t.feature_completes[feature]:
        first = as_index(t.row_lasting[holder])
        sums[first] += count_end_points(t, s, area) * factor
        sums[first + OPEN_PORTS] += ports
        if s.area_touched.size > 0:
            sums[first + UNFINISHED] += count_touched(s, area, False)
        return
    worth = find_size_points(t, s, area, count_tiles(s, area)) * factor
    if t.feature_surrounded[feature]:
        first = as_index(t.row_surrounded[holder])
        sums[first + WORTH] += worth
        sums[first + MISSING] += ports
    else:
        sums[as_index(t.row_worth[holder] + min(ports, len(PORTS)) - 1)] += worth


@kernel
def _find_cell(t, s, action):
    """Return the cell of this turn's tile, as it is or by a placement; NONE where no column tells of cells."""
    if t.edge_tiles.shape[1] <= MANY_FIT:
        return NONE
    if s.phase == PLACE:
        return int(find_cell(t, s, action // NUM_ROTATIONS))
    return int(s.cell) if s.phase == SEND else NONE


@kernel
def _sum_up_free(t, s, sums):
    """Count the areas of this turn's tile in which nobody stands, and pieces may."""
    tile = as_index(s.deck[as_index(s.drawn - 1)])
    for segment in range(t.tile_node.shape[1]):
        node = t.tile_node[tile, segment]
        if node <= NONE:
            break
        area = as_index(s.area[node])
        may_hold = (int(t.tile_holds[tile]) >> segment) & 1
        if not may_hold or has_followers(s, area) or not _is_first_segment(t, s, tile, segment):
            continue
        if is_due(t, s, area):
            points = find_size_points(t, s, area, count_tiles(s, area))
            sums[as_index(t.row_free_points)] += points
            if t.field_tower.size > 0:
                sums[as_index(t.row_free_ahead)] += finds_token(t, s, s.player, points)
        else:
            _sum_up_area(t, s, area, 1, s.score.size, sums)


@kernel
def _is_first_segment(t, s, tile, segment):
    """Return whether no earlier segment of the tile is in the same area."""
    area = s.area[t.tile_node[tile, segment]]
    for earlier in range(segment):
        if s.area[t.tile_node[tile, earlier]] == area:
            return False
    return True
