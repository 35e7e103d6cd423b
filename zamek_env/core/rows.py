"""The rows of an observation: what each legal action changes (see `layout/rows.py`)."""

from zamek_env.base.records import NONE
from zamek_env.compiler.bits import as_index
from zamek_env.compiler.jit import inlined_kernel, kernel
from zamek_env.compiler.memory import copy_aside, new_scratch
from zamek_env.components.model import NUM_ROTATIONS
from zamek_env.core.areas import add_areas
from zamek_env.core.legality import ACTIONS_A_TILE, list_actions
from zamek_env.core.pieces import find_free_piece
from zamek_env.core.placement import count_placements, find_cell, lay_tile
from zamek_env.core.row_cells import NEAR, find_left, look_around, sum_up_cells
from zamek_env.core.row_sums import count_piece, sum_up, sum_up_free, sum_up_holdings, sum_up_pieces
from zamek_env.core.row_trials import (
    AROUND,
    enter_cell,
    leave_cell,
    list_own_ports,
    sum_up_around,
    sum_up_held,
    take_back,
    try_face,
)
from zamek_env.core.rules import parse_send
from zamek_env.core.scoring import pay_area
from zamek_env.core.state import EMPTY
from zamek_env.layout.actions import CHOOSE, EXTRA, NOBODY, OVER, PLACE, SCORE, SEND, TOKEN_CHOICES
from zamek_env.layout.rows import LIMIT


@kernel
def write_rows(t, s, player, rows, row_actions):
    """Write what each legal action changes into `rows`, and its number into `row_actions`, NONE beyond the last.

    There are no rows where it is not `player` who decides. Both must come from an earlier call or hold `NONE`s.
    """
    count = 0
    if s.phase != OVER and s.player == player:
        actions = new_scratch(t.tile_holds, ACTIONS_A_TILE)
        count = list_actions(t, s, actions)
        if s.phase == PLACE:
            _write_placements(t, s, player, actions, count, rows)
        elif s.phase == SEND:
            _write_sendings(t, s, player, actions, count, rows)
        else:
            _write_others(t, s, player, actions, count, rows)
        for number in range(count):
            row_actions[number] = actions[as_index(number)]
    while count < row_actions.size and row_actions[count] > NONE:
        rows[count].fill(0)
        row_actions[count] = NONE
        count += 1


@kernel
def _write_placements(t, s, player, actions, count, rows):
    """Write the rows of `count` placements."""
    before, there, after = new_scratch(t.row_limit), new_scratch(t.row_limit), new_scratch(t.row_limit)
    left, near = new_scratch(t.deck_tiles), new_scratch(t.surroundings, NEAR)
    around = new_scratch(t.row_points, AROUND)
    tile, then = int(s.deck[as_index(s.drawn - 1)]), copy_aside(s)
    add_areas(t, then, tile)
    list_own_ports(t, tile, around)
    sum_up_holdings(t, s, player, before)
    if t.fitting.size > 0:
        find_left(s, player, left)
    cell, faced, changing, closed, held = NONE, 0, 0, 0, 0
    for number in range(count):
        action = int(actions[as_index(number)])
        before_cell, cell = cell, int(find_cell(t, s, action // NUM_ROTATIONS))
        if cell != before_cell:
            leave_cell(s, then, around, faced, changing)
            faced, changing, closed = enter_cell(t, then, cell, tile, around)
            if t.fitting.size > 0:
                look_around(t, s, cell, near)
                sum_up_cells(t, s, player, left, near, EMPTY, before)
            _copy(before, there)
            held = sum_up_around(t, s, then, player, around, faced, changing, there)
        face = tile * NUM_ROTATIONS + action % NUM_ROTATIONS
        if try_face(t, then, face, around, faced, closed):
            _write_far(t, s, player, left, near, cell, face, rows[number])
        else:
            _copy(there, after)
            sum_up_held(t, then, player, around, held, after)
            sum_up_free(t, then, tile, after)
            if t.fitting.size > 0:
                sum_up_cells(t, then, player, left, near, face, after)
            _write_row(t, before, after, rows[number])
        take_back(s, then, around, faced)


@kernel
def _write_far(t, s, player, left, near, cell, face, row):
    """Write the row of a placement that changes what distant areas touch, by laying the tile."""
    before, after = new_scratch(t.row_limit), new_scratch(t.row_limit)
    then = copy_aside(s)
    lay_tile(t, then, cell, face)
    sum_up(t, s, player, before)
    sum_up(t, then, player, after)
    sum_up_free(t, then, face // NUM_ROTATIONS, after)
    if t.fitting.size > 0:
        sum_up_cells(t, s, player, left, near, EMPTY, before)
        sum_up_cells(t, then, player, left, near, face, after)
    _write_row(t, before, after, row)


@kernel
def _write_sendings(t, s, player, actions, count, rows):
    """Write the rows of `count` ways to send a piece, or nobody."""
    before, after, left = new_scratch(t.row_limit), new_scratch(t.row_limit), new_scratch(t.deck_tiles)
    near = new_scratch(t.surroundings, NEAR)
    tile, then = as_index(s.deck[as_index(s.drawn - 1)]), copy_aside(s)
    if s.family_house.size > 0 and s.completed[0] > NONE:  # of several houses the largest counts
        sum_up(t, s, player, before)
    else:
        sum_up_holdings(t, s, player, before)
    if t.fitting.size > 0:
        find_left(s, player, left)
        look_around(t, s, int(s.cell), near)
        sum_up_cells(t, s, player, left, near, EMPTY, before)
    for number in range(count):
        choice = int(actions[as_index(number)]) - int(t.send_base)
        _copy(before, after)
        if choice == NOBODY:
            _write_sending(t, then, player, left, near, before, after, rows[number])
            continue
        kind, segment = parse_send(t, choice)
        piece, area = find_free_piece(t, s, player, kind), as_index(s.area[t.tile_node[tile, as_index(segment)]])
        then.follower_area[player, piece] = area
        then.area_followers[area, player] += 1
        count_piece(t, s, 0, piece, -1, after)
        sum_up_pieces(t, then, area, player, 1, after)
        _write_sending(t, then, player, left, near, before, after, rows[number])
        then.follower_area[player, piece] = NONE
        then.area_followers[area, player] -= 1


@kernel
def _write_sending(t, then, player, left, near, before, after, row):
    """Write the row of a piece that was placed in `then`, or of nobody. Writes `after`, too."""
    sum_up_free(t, then, int(then.deck[as_index(then.drawn - 1)]), after)
    if t.fitting.size > 0:
        sum_up_cells(t, then, player, left, near, EMPTY, after)
    _write_row(t, before, after, row)


@kernel
def _write_others(t, s, player, actions, count, rows):
    """Write the rows of `count` actions by which no area changes but those that are scored."""
    before, after = new_scratch(t.row_limit), new_scratch(t.row_limit)
    sum_up(t, s, player, before)
    for number in range(count):
        action = int(actions[as_index(number)])
        then = copy_aside(s)
        if s.phase == SCORE:
            choice = action - t.score_base
            pay_area(t, then, choice // TOKEN_CHOICES, choice % TOKEN_CHOICES == 1)
        elif s.phase == EXTRA:
            then.tokens[player, t.extra_turn_token] -= action - t.extra_base
        sum_up(t, then, player, after)
        _write_row(t, before, after, rows[number])
        if s.hand.size > 0 and s.phase == CHOOSE:
            _write_tile(t, s, s.hand[player, action - t.choose_base], rows[number])


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


@inlined_kernel
def _copy(sums, copy):
    for column in range(sums.size):
        copy[as_index(column)] = sums[as_index(column)]


@inlined_kernel
def _write_row(t, before, after, row):
    """Write the changes of sums."""
    for column in range(row.size):
        limit = int(t.row_limit[as_index(column)])
        change = int(after[as_index(column)]) - int(before[as_index(column)])
        row[as_index(column)] = min(max(change, -limit), limit)
