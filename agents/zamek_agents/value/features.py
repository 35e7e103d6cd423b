"""The learned evaluation: points, and what learned weights add for every area, piece and token.

Counts kept in bytes are made `np.int64` before they are subtracted or mixed with others: compiled, `int` would leave
them unsigned.
"""

import numpy as np

from zamek_agents.value.areas import write_area, write_free, write_joins
from zamek_agents.value.feature_groups import (
    COUNTS,
    DISTANCES,
    HOUSE,
    MOVE,
    NESTS,
    READY,
    SPECIAL,
    STAGES,
    SUPPLY,
    TOKENS,
    TOWER,
    TURNS,
    TURNS_LEFT,
    begin_features,
    begin_without_points,
    find_left_of_two,
    find_stage,
    find_start,
    find_value,
    sum_features,
    write,
)
from zamek_agents.value.survey import NOBODY, SAME, count_left, find_mover, leads, note_done, note_owners, survey
from zamek_env.core.areas import is_due
from zamek_env.core.bits import as_index
from zamek_env.core.ending import count_house_size
from zamek_env.core.jit import kernel
from zamek_env.core.pieces import count_plain, count_supply, find_free_piece
from zamek_env.core.rewards import find_lead_in_kernel
from zamek_env.core.tables import NONE
from zamek_env.layout.actions import OVER


@kernel
def evaluate_learned(t, s, player, evaluator):
    """Return the points that `player` is expected to win by, as the weights have it; nothing hidden is read.

    Writes the scratch space of `evaluator`.
    """
    if s.phase == OVER:
        return float(find_lead_in_kernel(s.score, player))
    survey(t, s, evaluator)
    evaluate_surveyed(t, s, evaluator)
    return find_value(evaluator.totals, player, count_left(s))


@kernel
def evaluate_surveyed(t, s, evaluator):
    """Find what a position that has been surveyed is worth. Writes `totals`, and the features of `evaluator`."""
    write_features(t, s, evaluator)
    sum_features(evaluator)
    for view in range(evaluator.sums.size):
        evaluator.totals[view] = evaluator.sums[view]


@kernel
def estimate_send(t, s, evaluator, player, piece, area):
    """Return what a position is worth to `player` who sends `piece` to a free `area` there.

    `s` is the position at the end of the turn without it, just evaluated by `evaluator`, whose features are
    overwritten. That the piece is a risk to the others' areas near it is left out.
    """
    left = count_left(s)
    stage = find_stage(s, left)
    begin_without_points(t, evaluator)
    if evaluator.cells[area] > 0:
        write_free(t, s, evaluator, area, -1, stage)  # it was there for who moves next: no longer
    s.follower_area[player, piece] = area
    s.area_followers[area, player] += 1
    ready = evaluator.ready[player]
    write_area(t, s, evaluator, player, area, stage)
    write_joins(t, s, evaluator, area, stage)
    if evaluator.ready[player] != ready:
        _write_ready(t, evaluator, player, ready, stage, -1)
        _write_ready(t, evaluator, player, evaluator.ready[player], stage, 1)
        evaluator.ready[player] = ready
    s.follower_area[player, piece] = NONE
    s.area_followers[area, player] -= 1
    if piece < count_plain(t, s):
        supply = count_supply(t, s, player)
        _write_supply(t, evaluator, player, supply, stage, -1)
        _write_supply(t, evaluator, player, supply - 1, stage, 1)
    else:
        kind = piece - count_plain(t, s) + 1
        write(evaluator, find_start(t, SPECIAL) + kind * STAGES + stage, player, -1)
    sum_features(evaluator)
    for view in range(evaluator.sums.size):
        evaluator.sums[view] += evaluator.totals[view]
    return find_value(evaluator.sums, player, left)


@kernel
def write_features(t, s, evaluator):
    """Write all features of a position that has been surveyed into `evaluator`."""
    begin_features(t, s, evaluator)
    write_board(t, s, evaluator)
    write_holdings(t, s, evaluator)


@kernel
def write_board(t, s, evaluator):
    """Write the features of the areas on the board, and of who moves, after that of the points ahead."""
    evaluator.mover = find_mover(s)
    note_owners(s, evaluator)
    write_turn(t, s, evaluator, count_left(s))
    write_areas(t, s, evaluator, find_stage(s, count_left(s)), False)


@kernel
def write_turn(t, s, evaluator, left):
    """Write the features of who moves with so many tiles `left`."""
    write(evaluator, find_start(t, MOVE) + find_stage(s, left), evaluator.mover, 1)
    write(evaluator, find_start(t, TURNS) + min(find_left_of_two(s, left), TURNS_LEFT - 1), evaluator.mover, 1)


@kernel
def write_areas(t, s, evaluator, stage, only_changed):
    """Write the features of the areas on the board, whose owners have been noted.

    With `only_changed` only of those of which something may have changed. Joins and `ready` are written all the same.
    """
    for number in range(evaluator.num_seen):
        area = as_index(evaluator.seen[as_index(number)])
        if evaluator.owner[area] == NOBODY and not (only_changed and evaluator.change[area] == SAME):
            write_free(t, s, evaluator, area, 1, stage)
    write_joins(t, s, evaluator, NONE, stage)
    for player in range(s.score.size):
        if not only_changed:
            evaluator.ready[player] = 0
        for piece in range(s.follower_area.shape[1]):
            area = s.follower_area[player, piece]
            is_held = area > NONE and leads(s, evaluator, area, player, piece)
            if is_held and not (only_changed and evaluator.change[area] == SAME):
                note_done(evaluator, area)
                write_area(t, s, evaluator, player, area, stage)
        _write_ready(t, evaluator, player, evaluator.ready[player], stage, 1)


@kernel
def write_holdings(t, s, evaluator):
    """Write the features of what players have beside areas and points."""
    stage = find_stage(s, count_left(s))
    for player in range(s.score.size):
        _write_held_by(t, s, evaluator, player, stage)
    if s.family_house.size > 0:
        _write_lead(evaluator, find_start(t, HOUSE) + stage, count_house_size(t, s, 0) - count_house_size(t, s, 1))
    if s.nests.size > 0:
        _write_lead(evaluator, find_start(t, NESTS) + stage, np.int64(s.nests[0]) - np.int64(s.nests[1]))


@kernel
def _write_held_by(t, s, evaluator, player, stage):
    """Write the features of what `player` has beside areas."""
    supply = 0
    for piece in range(count_plain(t, s)):
        area = s.follower_area[player, piece]
        supply += area <= NONE or is_due(t, s, area)
    _write_supply(t, evaluator, player, supply, stage, 1)
    for kind in range(1, t.kind_factor.size):
        if find_free_piece(t, s, player, kind) > NONE:
            write(evaluator, find_start(t, SPECIAL) + kind * STAGES + stage, player, 1)
    for kind in range(1, t.token_use.size):
        tokens = np.int64(s.tokens[player, kind]) + np.int64(s.fresh_tokens[player, kind])
        if tokens > 0:
            write(evaluator, find_start(t, TOKENS) + kind * STAGES + stage, player, tokens)
    if t.field_tower.size > 0:
        write(evaluator, find_start(t, TOWER) + _find_tower(t, s, player) * STAGES + stage, player, 1)


@kernel
def _write_supply(t, evaluator, player, supply, stage, amount):
    write(evaluator, find_start(t, SUPPLY) + min(supply, COUNTS - 1) * STAGES + stage, player, amount)


@kernel
def _write_ready(t, evaluator, player, ready, stage, amount):
    write(evaluator, find_start(t, READY) + min(ready, COUNTS - 1) * STAGES + stage, player, amount)


@kernel
def _find_tower(t, s, player):
    """Return how many points bring `player` to the next field of a tower with a token, 0 where none is near."""
    for points in range(1, DISTANCES):
        tower = t.field_tower[(s.score[player] + points) % t.field_tower.size]
        if tower > NONE and not s.tower_taken[tower]:
            return points
    return 0


@kernel
def _write_lead(evaluator, start, lead):
    """Write by how much one of two players leads, in a group that begins, for this stage, at `start`."""
    if lead != 0:
        write(evaluator, start + min(abs(lead), COUNTS - 1) * STAGES, 0 if lead > 0 else 1, 1)
