"""What the areas are worth at the end of a turn: the same as on the base, except for those that may have changed.

Beside those that `incremental_survey.py` names, these may change: areas that are completed on the base, because they
are scored; areas of a surrounded feature, because they depend on what lies around their middle; and areas that touch
others, because they depend on which of these are completed.
"""

from zamek_agents.value.areas import write_area, write_free
from zamek_agents.value.feature_groups import begin_without_points, find_stage, sum_features
from zamek_agents.value.features import write_areas, write_turn
from zamek_agents.value.survey import NOBODY, WORTH, leads, mark, note_done, note_owners
from zamek_env.core.areas import is_due
from zamek_env.core.bits import as_index
from zamek_env.core.jit import kernel
from zamek_env.core.state import find_seat
from zamek_env.core.tables import NONE


@kernel
def value_base(t, s, evaluator):
    """Note what each area of the base is worth at the end of a turn after which the next player moves.

    `s` is the base, which has been surveyed.
    """
    left = evaluator.noted_left
    evaluator.mover = find_seat(s, int(s.player), 1)
    evaluator.base_mover = evaluator.mover
    evaluator.area_worth.fill(0)
    evaluator.ready_for.fill(0)
    evaluator.num_watched = 0
    if s.area_touched.size > 0:
        evaluator.base_closed[:] = s.closed
    begin_without_points(t, evaluator)
    write_turn(t, s, evaluator, left)
    sum_features(evaluator)
    for view in range(evaluator.sums.size):
        evaluator.base_worth[view] = evaluator.sums[view]
    note_owners(s, evaluator)
    _value_free(t, s, evaluator, find_stage(s, left))
    for player in range(s.score.size):
        _value_held(t, s, evaluator, player, find_stage(s, left))


@kernel
def _value_free(t, s, evaluator, stage):
    """Note what each open area of the base is worth in which nobody is."""
    for number in range(evaluator.num_seen):
        area = as_index(evaluator.seen[as_index(number)])
        if evaluator.owner[area] == NOBODY:
            begin_without_points(t, evaluator)
            write_free(t, s, evaluator, area, 1, stage)
            _note_worth(evaluator, area)


@kernel
def _value_held(t, s, evaluator, player, stage):
    """Note what each area of the base is worth in which `player` leads, and which of these are to be watched."""
    evaluator.ready[player] = 0
    for piece in range(s.follower_area.shape[1]):
        area = s.follower_area[player, piece]
        if area > NONE and leads(s, evaluator, area, player, piece):
            note_done(evaluator, area)
            ready = evaluator.ready[player]
            begin_without_points(t, evaluator)
            write_area(t, s, evaluator, player, area, stage)
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
    """Note that `area` is worth what the features say, to whom they belong."""
    sum_features(evaluator)
    for view in range(evaluator.sums.size):
        evaluator.area_worth[area, view] += evaluator.sums[view]
        evaluator.base_worth[view] += evaluator.sums[view]


@kernel
def value_end(t, s, evaluator):
    """Find what the areas, and the next player's being to move, are worth in `s`, an end of the turn.

    `survey_end` has surveyed `s`, and who comes after the player who began the turn moves. Writes `worth`.
    """
    evaluator.mover = evaluator.base_mover
    note_owners(s, evaluator)
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
    begin_without_points(t, evaluator)
    write_areas(t, s, evaluator, find_stage(s, evaluator.noted_left), True)
    sum_features(evaluator)
    for view in range(worth.size):
        worth[view] += evaluator.sums[view]


@kernel
def _mark_watched(t, s, evaluator):
    """Mark those watched areas whose worth may have changed, wherever they lie."""
    for number in range(evaluator.num_watched):
        mark(evaluator, as_index(evaluator.watched[as_index(number)]), WORTH)
    if s.area_touched.size == 0:
        return
    is_closed_more = False
    for word in range(s.closed.size):
        is_closed_more |= s.closed[word] != evaluator.base_closed[word]
    for number in range(evaluator.num_seen if is_closed_more else 0):
        area = as_index(evaluator.seen[as_index(number)])
        if t.feature_touch_points[as_index(t.node_feature[area])] != 0:
            mark(evaluator, area, WORTH)
