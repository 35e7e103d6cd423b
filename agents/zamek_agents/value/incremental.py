"""Evaluating many ends of one turn, which have much in common.

Between two ends of a turn hardly more than one tile differs. So the board before the actions that are tried is surveyed
and valued, and of an end only what has changed since (`incremental_survey.py`, `incremental_worth.py`). Where the tile
lies on the same cell in two ends, all areas open to the same cells. Where the same pieces stand in the open areas, too,
these are worth the same: what was scored on the way were other areas.

    begin_ends(t, s, …)              `s` is the game before the actions that are tried
        begin_action(…, cell)        one of them: a tile placed on a cell, or none
            evaluate_end(t, s, …)    an end to which it leads
            forget_pieces(…)         from here on, other pieces stand in the open areas
"""

from zamek_agents.value.feature_groups import begin_features, begin_without_points, find_value, sum_features
from zamek_agents.value.features import write_board, write_holdings
from zamek_agents.value.incremental_survey import survey_base, survey_end
from zamek_agents.value.incremental_worth import value_base, value_end
from zamek_agents.value.survey import count_left, note_cells, survey
from zamek_env.core.jit import kernel
from zamek_env.core.rewards import find_lead_in_kernel
from zamek_env.core.tables import NONE
from zamek_env.layout.actions import CHOOSE, OVER


@kernel
def begin_ends(t, s, evaluator):
    """Note of the board of `s`, in the midst of a turn, what all its ends have in common.

    Before a tile is taken out of a hand there is nothing to note: perhaps no tile has been drawn yet.
    """
    if s.hand.size > 0 and s.phase == CHOOSE:
        return
    note_cells(t, s, evaluator, s.deck.size - int(s.drawn))
    survey_base(t, s, evaluator)
    value_base(t, s, evaluator)
    evaluator.placed = NONE
    evaluator.surveyed_left = NONE
    forget_pieces(evaluator)


@kernel
def begin_action(evaluator, cell):
    """Let the ends evaluated from here on be those with this turn's tile on `cell`, or where it was if that is NONE."""
    if cell > NONE or evaluator.placed > NONE:  # else the board is the same
        evaluator.surveyed_left = NONE
    evaluator.placed = cell
    forget_pieces(evaluator)


@kernel
def forget_pieces(evaluator):
    """Prepare for ends in whose open areas other pieces stand than in the last one."""
    evaluator.valued_for = NONE


@kernel
def evaluate_end(t, s, player, evaluator):
    """Return what `evaluate_learned` does, of an end of the turn: the same sum, in another order."""
    if s.phase == OVER:
        return float(find_lead_in_kernel(s.score, player))
    left = count_left(s)
    if evaluator.surveyed_left != left:
        _survey(t, s, evaluator, left)
        evaluator.surveyed_left = left
        forget_pieces(evaluator)
    if evaluator.valued_for != s.player:
        _find_worth(t, s, evaluator, left)
        evaluator.valued_for = s.player
    begin_features(t, s, evaluator)
    write_holdings(t, s, evaluator)
    sum_features(evaluator)
    for view in range(evaluator.sums.size):
        evaluator.totals[view] = evaluator.worth[view] + evaluator.sums[view]
    return find_value(evaluator.totals, player, left)


@kernel
def _survey(t, s, evaluator, left):
    """Survey an end of the turn with so many tiles `left`: after a tile that fits nowhere, there is no base."""
    if evaluator.noted_left == left:
        survey_end(t, s, evaluator, evaluator.placed)
    else:
        survey(t, s, evaluator)
        evaluator.noted_left = NONE


@kernel
def _find_worth(t, s, evaluator, left):
    """Find what areas and the move are worth at an end of the turn that has been surveyed. Writes `worth`."""
    if evaluator.noted_left == left and evaluator.base_mover == s.player:
        value_end(t, s, evaluator)
        return
    begin_without_points(t, evaluator)
    write_board(t, s, evaluator)
    sum_features(evaluator)
    for view in range(evaluator.sums.size):
        evaluator.worth[view] = evaluator.sums[view]
