"""Evaluates many ends of one turn, which have much in common.

Two ends of a turn hardly differ by more than one tile. So the board before the actions that are tried is surveyed and
valued, and of an end only the changes since. Where the tile lies on the same cell in two ends, all areas open to the
same cells. Where the same pieces are in the open areas, too, these are worth the same: what was scored on the way were
other areas.

    begin_ends(t, s, …)              `s` is the game before the actions that are tried
        begin_action(…, cell)        one of them: a tile placed on a cell, or none
            evaluate_end(t, s, …)    an end to which it leads
            forget_pieces(…)         from here on, other pieces are in the open areas

The base is the board from which ways to finish a turn are tried. Its tile may be placed or not. An end of the turn
differs from it by that tile, by pieces sent to it, and by what it completes. So this may have changed of an area:

    OPENINGS    where it opens to: it is one of those of the tile, or was, or opens to a cell next to it
    WORTH       what it is worth alone: another area of its feature is among those, and opens to the same cell
    SAME        nothing

Besides those, the worth of these may change: areas that are completed on the base, because they are scored; areas of a
surrounded feature, because they depend on what lies around their middle; and areas that touch others, because they
depend on which of these are completed.
"""

from zamek_agents.value import features, survey
from zamek_env.base.records import NONE
from zamek_env.base.rewards import find_lead_in_kernel
from zamek_env.compiler.bits import as_index
from zamek_env.compiler.jit import kernel
from zamek_env.components.model import NUM_SIDES
from zamek_env.core.areas import is_due
from zamek_env.core.state import find_seat, find_tile
from zamek_env.layout.actions import CHOOSE, OVER


@kernel
def begin_ends(t, s, evaluator):
    """Note what all ends of the turn in progress in `s` have in common.

    Before a tile is taken out of a hand there is nothing to note: perhaps no tile has been drawn yet.
    """
    if s.hand.size > 0 and s.phase == CHOOSE:
        return
    survey.note_cells(t, s, evaluator, s.deck.size - int(s.drawn))
    survey_base(t, s, evaluator)
    value_base(t, s, evaluator)
    evaluator.placed = NONE
    evaluator.surveyed_left = NONE
    forget_pieces(evaluator)


@kernel
def begin_action(evaluator, cell):
    """Prepare for ends with this turn's tile on `cell`, or where it was if that is NONE."""
    if cell > NONE or evaluator.placed > NONE:  # else the board is the same
        evaluator.surveyed_left = NONE
    evaluator.placed = cell
    forget_pieces(evaluator)


@kernel
def forget_pieces(evaluator):
    """Prepare for ends with other pieces in the open areas than in the last one."""
    evaluator.valued_for = NONE


@kernel
def evaluate_end(t, s, player, evaluator):
    """Return the result of `evaluate_learned` for an end of the turn: the same sum, in another order."""
    if s.phase == OVER:
        return float(find_lead_in_kernel(s.score, player))
    left = survey.count_left(s)
    if evaluator.surveyed_left != left:
        _survey(t, s, evaluator, left)
        evaluator.surveyed_left = left
        forget_pieces(evaluator)
    if evaluator.valued_for != s.player:
        _find_worth(t, s, evaluator, left)
        evaluator.valued_for = s.player
    features.begin_features(t, s, evaluator)
    features.write_holdings(t, s, evaluator)
    features.sum_features(evaluator)
    for view in range(evaluator.sums.size):
        evaluator.totals[view] = evaluator.worth[view] + evaluator.sums[view]
    return features.find_value(evaluator.totals, player, left)


@kernel
def _survey(t, s, evaluator, left):
    """Survey an end of the turn with `left` tiles left: after a tile that fits nowhere, there is no base."""
    if evaluator.noted_left == left:
        survey_end(t, s, evaluator, evaluator.placed)
    else:
        survey.survey(t, s, evaluator)
        evaluator.noted_left = NONE


@kernel
def _find_worth(t, s, evaluator, left):
    """Find the worth of areas and of the move at an end of the turn that has been surveyed. Writes `worth`."""
    if evaluator.noted_left == left and evaluator.base_mover == s.player:
        value_end(t, s, evaluator)
        return
    features.begin_without_points(t, evaluator)
    features.write_board(t, s, evaluator)
    features.sum_features(evaluator)
    for view in range(evaluator.sums.size):
        evaluator.worth[view] = evaluator.sums[view]


# --- where areas open to ---


@kernel
def survey_base(t, s, evaluator):
    """Survey the board of `s`, in the midst of a turn, as the base; its cells have been noted already."""
    survey.forget_changes(evaluator)
    survey.survey_areas(t, s, evaluator)
    for node in range(s.area.size):
        evaluator.base_area[node] = s.area[node]
    evaluator.base_tile = s.deck[as_index(s.drawn - 1)]


@kernel
def survey_end(t, s, evaluator, cell):
    """Survey the board of `s`, an end of the turn, whose tile was placed on `cell`; NONE: it lay there before.

    Writes what `survey_areas` writes, and of the cells next to the tile what `note_cell` writes.
    """
    survey.forget_changes(evaluator)
    _restore_cells(evaluator)
    for side in range(NUM_SIDES if cell > NONE else 0):
        neighbor = t.neighbor[as_index(cell), side]
        if neighbor > NONE and find_tile(s, neighbor) <= NONE:
            _keep_cell(evaluator, neighbor)
            survey.note_cell(t, s, evaluator, neighbor)
            _change_entries(s, evaluator, neighbor)
    if cell > NONE:
        _change_entries(s, evaluator, cell)
    for segment in range(t.tile_node.shape[1]):
        node = t.tile_node[as_index(evaluator.base_tile), segment]
        if node > NONE:
            _change_node(s, evaluator, as_index(node))
    survey.survey_areas(t, s, evaluator)


@kernel
def _change_entries(s, evaluator, cell):
    """Note that areas that come in at `cell`, as it was noted last, may open elsewhere."""
    for number in range(evaluator.first_entry[as_index(cell)], evaluator.end_entry[as_index(cell)]):
        _change_node(s, evaluator, as_index(evaluator.entries[as_index(number), 2]))


@kernel
def _change_node(s, evaluator, node):
    """Note that the area of `node`, and the one that it was of on the base, may open elsewhere."""
    survey.mark(evaluator, as_index(s.area[node]), survey.OPENINGS)
    if evaluator.base_area[node] > NONE:
        survey.mark(evaluator, as_index(evaluator.base_area[node]), survey.OPENINGS)


# --- the cells next to the tile ---


@kernel
def _keep_cell(evaluator, cell):
    """Remember what is noted of `cell`, to restore it."""
    kept, cell_index = evaluator.kept[as_index(evaluator.num_kept)], as_index(cell)
    kept[0] = cell
    kept[1] = evaluator.first_entry[cell_index]
    kept[2] = evaluator.end_entry[cell_index]
    kept[3] = evaluator.pattern[cell_index]
    kept[4] = evaluator.closed[cell_index]
    kept[5] = evaluator.cell_fits[cell_index]
    evaluator.num_kept += 1


@kernel
def _restore_cells(evaluator):
    """Restore the notes on the cells kept, and drop the entries noted for them since."""
    for number in range(evaluator.num_kept):
        kept = evaluator.kept[as_index(number)]
        cell = as_index(kept[0])
        if number == 0:
            evaluator.num_entries = evaluator.first_entry[cell]
        evaluator.first_entry[cell] = kept[1]
        evaluator.end_entry[cell] = kept[2]
        evaluator.pattern[cell] = kept[3]
        evaluator.closed[cell] = kept[4]
        evaluator.cell_fits[cell] = kept[5]
    evaluator.num_kept = 0


# --- what areas are worth ---


@kernel
def value_base(t, s, evaluator):
    """Note the worth of each area of the base at the end of a turn after which the next player moves.

    `s` is the base, which has been surveyed.
    """
    left = evaluator.noted_left
    evaluator.mover = find_seat(s, int(s.player), 1)
    evaluator.base_mover = evaluator.mover
    evaluator.area_worth.fill(0)
    evaluator.ready_for.fill(0)
    evaluator.num_watched = 0
    if s.area_touched.size > 0:
        for number in range(s.closed.size):
            evaluator.base_closed[number] = s.closed[number]
    features.begin_without_points(t, evaluator)
    features.write_turn(t, s, evaluator, left)
    features.sum_features(evaluator)
    for view in range(evaluator.sums.size):
        evaluator.base_worth[view] = evaluator.sums[view]
    survey.note_owners(s, evaluator)
    _value_free(t, s, evaluator, features.find_stage(s, left))
    for player in range(s.score.size):
        _value_held(t, s, evaluator, player, features.find_stage(s, left))


@kernel
def _value_free(t, s, evaluator, stage):
    """Note the worth of each free open area of the base."""
    for number in range(evaluator.num_seen):
        area = as_index(evaluator.seen[as_index(number)])
        if evaluator.owner[area] == survey.NOBODY:
            features.begin_without_points(t, evaluator)
            features.write_free(t, s, evaluator, area, 1, stage)
            _note_worth(evaluator, area)


@kernel
def _value_held(t, s, evaluator, player, stage):
    """Note the worth of each area of the base in which `player` leads, and which of these to watch."""
    evaluator.ready[player] = 0
    for piece in range(s.follower_area.shape[1]):
        area = s.follower_area[player, piece]
        if area > NONE and survey.leads(s, evaluator, area, player, piece):
            survey.note_done(evaluator, area)
            ready = evaluator.ready[player]
            features.begin_without_points(t, evaluator)
            features.write_area(t, s, evaluator, player, area, stage)
            _note_worth(evaluator, area)
            if evaluator.ready[player] > ready:
                evaluator.ready_for[area] |= 1 << player
            feature = as_index(t.node_feature[area])
            if is_due(t, s, area) or t.feature_surrounded[feature] or t.feature_touch_points[feature] != 0:
                evaluator.watched[as_index(evaluator.num_watched)] = area
                evaluator.num_watched += 1
    evaluator.base_ready[player] = evaluator.ready[player]


@kernel
def _note_worth(evaluator, area):
    """Note the worth of `area` by its features, for the players to whom they belong."""
    features.sum_features(evaluator)
    for view in range(evaluator.sums.size):
        evaluator.area_worth[area, view] += evaluator.sums[view]
        evaluator.base_worth[view] += evaluator.sums[view]


@kernel
def value_end(t, s, evaluator):
    """Find the worth of the areas, and of the next player's move, in `s`, an end of the turn.

    `survey_end` has surveyed `s`, and who comes after the player who began the turn moves. Writes `worth`.
    """
    evaluator.mover = evaluator.base_mover
    survey.note_owners(s, evaluator)
    _mark_watched(t, s, evaluator)
    worth = evaluator.worth
    for view in range(worth.size):
        worth[view] = evaluator.base_worth[view]
    for player in range(s.score.size):
        evaluator.ready[player] = evaluator.base_ready[player]
    for number in range(evaluator.num_changed):
        area = as_index(evaluator.changed[as_index(number)])
        for view in range(worth.size):
            worth[view] -= evaluator.area_worth[area, view]
        for player in range(s.score.size):
            evaluator.ready[player] -= (int(evaluator.ready_for[area]) >> player) & 1
    features.begin_without_points(t, evaluator)
    features.write_areas(t, s, evaluator, features.find_stage(s, evaluator.noted_left), True)
    features.sum_features(evaluator)
    for view in range(worth.size):
        worth[view] += evaluator.sums[view]


@kernel
def _mark_watched(t, s, evaluator):
    """Mark those watched areas whose worth may have changed, wherever they lie."""
    for number in range(evaluator.num_watched):
        survey.mark(evaluator, as_index(evaluator.watched[as_index(number)]), survey.WORTH)
    if s.area_touched.size == 0:
        return
    is_closed_more = False
    for word in range(s.closed.size):
        is_closed_more |= s.closed[word] != evaluator.base_closed[word]
    for number in range(evaluator.num_seen if is_closed_more else 0):
        area = as_index(evaluator.seen[as_index(number)])
        if t.feature_touch_points[as_index(t.node_feature[area])] != 0:
            survey.mark(evaluator, area, survey.WORTH)
