"""Checks what the players have besides their pieces: tokens, points, family houses, nests. Part of `consistency.py`."""

from collections import Counter
from math import prod

import numpy as np

from tests.support.checking.board import Board
from tests.support.checking.disagreement import require
from zamek_env.components.house_rules import CITY
from zamek_env.components.model import TOKEN_USES
from zamek_env.core.scoring import SMALL
from zamek_env.core.tables import COMPLETED_AREA, EXTRA_TURN, NONE
from zamek_env.layout.actions import EXTRA, OVER, SCORE


def check_tokens(board: Board) -> None:
    """Check that tokens in hand came from towers, and that missing ones can have been used (rules Z22, Z23)."""
    state, table = board.state, board.ruleset.tables[0]
    towers = len(state.tower_taken)
    require(np.isin(state.tower_taken, (0, 1)).all(), "tower_taken", state.tower_taken.tolist(), "each is 0 or 1")
    if state.phase not in (SCORE, EXTRA):
        require(
            not state.fresh_tokens.any(), "fresh_tokens", state.fresh_tokens.tolist(), "no area was scored in this turn"
        )
    taken = Counter(state.token_deal[:towers][state.tower_taken == 1].tolist())
    for kind in range(table.token_use.size):
        tokens, fresh = (int(held[:, kind].sum()) for held in (state.tokens, state.fresh_tokens))
        used = taken[kind] - tokens - fresh
        problem = f"{taken[kind]} of kind {kind} were taken, and with {fresh} fresh_tokens {-used} too many are in hand"
        require(used >= 0, "tokens", state.tokens.tolist(), problem)
        problem = (
            f"{taken[kind]} of kind {kind} were taken, with {fresh} fresh_tokens {used} are missing, and none is used"
        )
        can_be_used = table.token_use[kind] in (EXTRA_TURN, COMPLETED_AREA)
        require(used == 0 or can_be_used, "tokens", state.tokens.tolist(), problem)


def check_players(board: Board) -> None:
    """Check that scores, markers and family houses come from areas that are complete (rules Z18, Z21, Z22)."""
    state, table = board.state, board.ruleset.tables[0]
    houses = {board.count_tiles(area) for area in board.complete if board.feature(area).family_house}
    for player in range(board.ruleset.players):
        score = state.score[player]
        require(score >= 0, f"score[{player}]", score, "nobody loses points")
        for size in state.family_house[player : player + 1]:  # none where there are no family houses
            problem = f"the completed houses have {sorted(houses)} tiles"
            require(size in houses | {0}, f"family_house[{player}]", size, problem)
        if not table.field_tower.size:  # there is no track
            continue
        tower = table.field_tower[score % table.field_tower.size]
        at_gate = _is_at_gate(board, player)
        rests = score > 0 and state.phase != OVER and tower != NONE and not at_gate
        require(
            not rests or state.tower_taken[tower], f"tower_taken[{tower}]", 0, f"player {player}'s marker rests there"
        )
    if state.phase != OVER:
        most = sum(_most_points(board, area) for area in board.complete)
        most *= board.ruleset.players if board.ruleset.components.ties_pay else 1  # (rules C5, C10)
        require(state.score.sum() <= most, "score", state.score.tolist(), f"all that is complete pays {most} at most")


def _most_points(board, area):
    """Return what the completed `area` can have paid at most, with a token or with all pieces that multiply."""
    feature, components, tiles = board.feature(area), board.ruleset.components, board.count_tiles(area)
    tokens = [token for token in components.tokens if token.use == TOKEN_USES[COMPLETED_AREA]]
    with_token = [token.points * tiles for token in tokens if token.feature == feature.name]
    marks = sum(board.segments[node].marks for node in board.members[area])
    plain = max(feature.points, feature.marked_points) * tiles
    if feature.size_points:
        plain = feature.size_points[min(tiles, len(feature.size_points)) - 1]
    plain += feature.completed_mark_points * marks
    if components.house.small_city and feature.name == CITY and tiles == SMALL:
        plain = tiles + marks  # (rule H9)
    return max(prod(piece.factor for piece in components.pieces) * plain, *with_token, 0)


def _is_at_gate(board, player):
    """Return whether `player`'s marker is on a gate, which must then lie after its field (rule S12)."""
    state, table = board.state, board.ruleset.tables[0]
    if not state.at_gate.size:
        return False
    require(np.isin(state.at_gate, (0, 1)).all(), "at_gate", state.at_gate.tolist(), "each is 0 or 1")
    field = state.score[player] % table.field_halts.size
    stands = bool(state.at_gate[player])
    problem = f"no gate lies after field {field}"
    require(not stands or state.phase == OVER or table.field_halts[field], f"at_gate[{player}]", 1, problem)
    return stands


def check_nests(board: Board) -> None:
    """Check that the nests that players hold came from the pool, by areas that are complete (rules S8–S10)."""
    state, components = board.state, board.ruleset.components
    held = int(state.nests.sum())
    require(held <= components.nests, "nests", state.nests.tolist(), f"there are only {components.nests}")
    more = sum(piece.nests for piece in components.special_pieces)
    nests = [board.segments[node].nests for area in board.complete for node in board.members[area]]
    most = more * len(board.complete) + sum(nests)
    require(held <= most, "nests", state.nests.tolist(), f"all that is complete brings {most} at most")
