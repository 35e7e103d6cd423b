"""The learned evaluation: points ahead, and what learned weights add for every area, piece and token.

Counts kept in bytes are made `np.int64` before they are subtracted or mixed with others: compiled, `int` would leave
them unsigned.
"""

import numpy as np

from zamek_agents.value.areas import write_area, write_free, write_joins
from zamek_agents.value.feature_groups import (
    COUNTS,
    DISTANCES,
    DONE,
    HOUSE,
    LEAD,
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
    find_stage,
    find_start,
    write,
)
from zamek_agents.value.survey import NOBODY, SAME, count_left, find_mover, note_owners, survey
from zamek_env.core.areas import is_due
from zamek_env.core.bits import as_index
from zamek_env.core.ending import count_house_size
from zamek_env.core.jit import kernel
from zamek_env.core.pieces import count_plain, count_supply, find_free_piece
from zamek_env.core.tables import NONE, NUM_PLAYERS
from zamek_env.layout.actions import OVER


@kernel
def evaluate_learned(t, s, player, evaluator):
    """Return the points that `player` is expected to win by, as the weights have it; nothing hidden is read.

    Writes the scratch space of `evaluator`.
    """
    if s.phase == OVER:
        return float(int(s.score[player]) - int(s.score[1 - player]))
    survey(t, s, evaluator)
    value = evaluate_surveyed(t, s, evaluator)
    return value if player == 0 else -value


@kernel
def evaluate_surveyed(t, s, evaluator):
    """Return the value to player 0 of a position that has been surveyed. Writes the features of `evaluator`."""
    write_features(t, s, evaluator)
    return sum_features(evaluator)


@kernel
def sum_features(evaluator):
    """Return the value to player 0 of the features in `evaluator`."""
    value = 0.0
    for number in range(evaluator.num_features):
        value += evaluator.weights[as_index(evaluator.numbers[number])] * evaluator.amounts[number]
    return value


@kernel
def estimate_send(t, s, evaluator, player, piece, area):
    """Return what it adds to the value to player 0 that `player` sends `piece` to a free `area`.

    `s` is the position at the end of the turn without it, just evaluated by `evaluator`, whose features are
    overwritten. That the piece is a risk to the opponent's areas near it is left out.
    """
    sign, stage = 1 if player == 0 else -1, find_stage(count_left(s))
    begin_features(t, evaluator, 0)
    if evaluator.cells[area] > 0:
        write_free(t, s, evaluator, area, sign, stage)  # it was there for the opponent, who moves next: no longer
    s.follower_area[player, piece] = area
    s.area_followers[area, player] += 1
    ready = evaluator.ready[player]
    write_area(t, s, evaluator, player, area, stage)
    write_joins(t, s, evaluator, area, stage)
    if evaluator.ready[player] != ready:
        _write_ready(t, evaluator, ready, stage, -sign)
        _write_ready(t, evaluator, evaluator.ready[player], stage, sign)
        evaluator.ready[player] = ready
    s.follower_area[player, piece] = NONE
    s.area_followers[area, player] -= 1
    if piece < count_plain(t, s):
        supply = count_supply(t, s, player)
        _write_supply(t, evaluator, supply, stage, -sign)
        _write_supply(t, evaluator, supply - 1, stage, sign)
    else:
        kind = piece - count_plain(t, s) + 1
        write(evaluator, find_start(t, SPECIAL) + kind * STAGES + stage, -sign)
    return sum_features(evaluator)


@kernel
def begin_features(t, evaluator, lead):
    """Forget the features in `evaluator`, and write by how many points player 0 leads."""
    evaluator.num_features = 0
    write(evaluator, find_start(t, LEAD), lead)


@kernel
def write_features(t, s, evaluator):
    """Write all features of a position that has been surveyed into `evaluator`."""
    begin_features(t, evaluator, int(s.score[0]) - int(s.score[1]))
    write_board(t, s, evaluator)
    write_holdings(t, s, evaluator)


@kernel
def write_board(t, s, evaluator):
    """Write the features of the areas on the board, and of who moves, after that of the points ahead."""
    evaluator.mover = find_mover(s)
    note_owners(s, evaluator)
    write_turn(t, evaluator, count_left(s))
    write_areas(t, s, evaluator, find_stage(count_left(s)), False)


@kernel
def write_turn(t, evaluator, left):
    """Write the features of who moves with so many tiles `left`."""
    sign = 1 if evaluator.mover == 0 else -1
    write(evaluator, find_start(t, MOVE) + find_stage(left), sign)
    write(evaluator, find_start(t, TURNS) + min(left, TURNS_LEFT - 1), sign)


@kernel
def write_areas(t, s, evaluator, stage, only_changed):
    """Write the features of the areas on the board, whose owners have been noted.

    With `only_changed` only of those of which something may have changed. Joins and `ready` are written all the same.
    """
    sign = 1 if evaluator.mover == 0 else -1
    for number in range(evaluator.num_seen):
        area = as_index(evaluator.seen[as_index(number)])
        if evaluator.owner[area] == NOBODY and not (only_changed and evaluator.change[area] == SAME):
            write_free(t, s, evaluator, area, sign, stage)
    write_joins(t, s, evaluator, NONE, stage)
    for player in range(NUM_PLAYERS):
        if not only_changed:
            evaluator.ready[player] = 0
        for piece in range(s.follower_area.shape[1]):
            area = s.follower_area[player, piece]
            is_held = area > NONE and evaluator.owner[area] == player
            if is_held and not (only_changed and evaluator.change[area] == SAME):
                evaluator.owner[area] = DONE
                write_area(t, s, evaluator, player, area, stage)
        _write_ready(t, evaluator, evaluator.ready[player], stage, 1 if player == 0 else -1)


@kernel
def write_holdings(t, s, evaluator):
    """Write the features of what players have beside areas and points."""
    stage = find_stage(count_left(s))
    for player in range(NUM_PLAYERS):
        _write_held_by(t, s, evaluator, player, stage)
    if s.family_house.size > 0:
        _write_lead(evaluator, find_start(t, HOUSE) + stage, count_house_size(t, s, 0) - count_house_size(t, s, 1))
    if s.nests.size > 0:
        _write_lead(evaluator, find_start(t, NESTS) + stage, np.int64(s.nests[0]) - np.int64(s.nests[1]))


@kernel
def _write_held_by(t, s, evaluator, player, stage):
    """Write the features of what `player` has beside areas."""
    sign = 1 if player == 0 else -1
    supply = 0
    for piece in range(count_plain(t, s)):
        area = s.follower_area[player, piece]
        supply += area <= NONE or is_due(t, s, area)
    _write_supply(t, evaluator, supply, stage, sign)
    for kind in range(1, t.kind_factor.size):
        if find_free_piece(t, s, player, kind) > NONE:
            write(evaluator, find_start(t, SPECIAL) + kind * STAGES + stage, sign)
    for kind in range(1, t.token_use.size):
        tokens = np.int64(s.tokens[player, kind]) + np.int64(s.fresh_tokens[player, kind])
        if tokens > 0:
            write(evaluator, find_start(t, TOKENS) + kind * STAGES + stage, sign * tokens)
    if t.field_tower.size > 0:
        write(evaluator, find_start(t, TOWER) + _find_tower(t, s, player) * STAGES + stage, sign)


@kernel
def _write_supply(t, evaluator, supply, stage, sign):
    write(evaluator, find_start(t, SUPPLY) + min(supply, COUNTS - 1) * STAGES + stage, sign)


@kernel
def _write_ready(t, evaluator, ready, stage, sign):
    write(evaluator, find_start(t, READY) + min(ready, COUNTS - 1) * STAGES + stage, sign)


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
    """Write by how much one player leads, in a group that begins, for this stage, at `start`."""
    if lead != 0:
        write(evaluator, start + min(abs(lead), COUNTS - 1) * STAGES, 1 if lead > 0 else -1)
