"""The areas that legal actions would change, as rows of numbers: as they are, and as they would be.

AREA DESCRIPTION
    Areas are unordered, so that similar actions have similar areas, whatever the cell and the rotation. A placement
    shows the areas that it would change; a piece to send or an area to score shows that one area.

    `ROLES`         one-hot     was: as it is, where a placement would change it
                                own: as it would be, with a segment of this turn's tile in it
                                other: as it would be, without one
                                chosen: as it is, where the piece goes, or what is scored
    the feature     one-hot
    `COLUMNS`       scaled:
                    tiles, marks, nests, ports (open ones), cells (empty ones to which it opens)
                    fits        log2(1 + how many of the tiles left fit on the hardest of these cells)
                    ends        log2(1 + how many end it there, on the harder of one or two cells)
                    mine, theirs                pieces there
                    near_mine, near_theirs      whether one tile may join it with an area in which that player leads
                    done, undone                areas that a field touches, completed or not
                    complete, points            as it is
                    to_me, to_them              points, if it paid as it is
                    token       of a completed area: whether the marker would find a token there (rule Z22), -1 for
                                the opponent's; where nobody stands, for the player to decide
    special pieces  of each kind, whether mine is there, and whether theirs is

    Nothing hidden is read: of the tiles left which they are, and not in which order they come.
"""

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from zamek_agents.value.evaluator import new_evaluators
from zamek_agents.value.features import count_features, find_ends, find_openness
from zamek_agents.value.incremental import survey_base, survey_end
from zamek_agents.value.survey import note_cells, note_owners
from zamek_env.base.records import NONE, record_dtype
from zamek_env.compiler.bits import as_index
from zamek_env.compiler.jit import kernel
from zamek_env.components.model import NUM_ROTATIONS, HouseRules
from zamek_env.core.areas import count_followers, count_tiles, count_touched, has_followers, is_due, is_paid
from zamek_env.core.end_scoring import count_end_points
from zamek_env.core.pieces import find_factor, has_special
from zamek_env.core.placement import find_cell, lay_tile
from zamek_env.core.rules import parse_send
from zamek_env.core.scoring import find_size_points
from zamek_env.core.state import copy_state, find_seat
from zamek_env.core.track import finds_token
from zamek_env.layout.actions import NOBODY, PLACE, SCORE, SEND, TOKEN_CHOICES
from zamek_env.ruleset import Ruleset

PLAYERS = 2  # of the games that are described
ROLES = ("was", "own", "other", "chosen")
WAS, OWN, OTHER, CHOSEN = range(len(ROLES))
COLUMNS = (
    "tiles", "marks", "nests", "ports", "cells", "fits", "ends", "mine", "theirs", "near_mine", "near_theirs", "done",
    "undone", "complete", "points", "to_me", "to_them", "token",
)  # fmt: skip
(
    TILES, MARKS, NESTS, PORTS, CELLS, FITS, ENDS, MINE, THEIRS, NEAR_MINE, NEAR_THEIRS, DONE,
    UNDONE, COMPLETE, POINTS, TO_ME, TO_THEM, TOKEN,
) = range(len(COLUMNS))  # fmt: skip
SCALES = (0.1, 0.5, 0.5, 0.25, 0.25, 0.2, 0.2, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 1.0, 0.1, 0.1, 0.1, 1.0)
AREAS_A_ROW = 12  # for which there is room at first

Areas: TypeAlias = tuple[npt.NDArray[np.float32], npt.NDArray[np.int64]]


def describes(ruleset: Ruleset) -> bool:
    """Return whether areas of its games can be described: those for two players without house rules."""
    return ruleset.players == PLAYERS and ruleset.components.house == HouseRules()


class AreaDescriber:
    """Describes the areas that legal actions of games of a `Ruleset` would change.

    Raises `ValueError` where it is not for two players, or has house rules.
    """

    def __init__(self, ruleset: Ruleset) -> None:
        if not describes(ruleset):
            raise ValueError(f"areas of {ruleset.name} are described for two players without house rules only")
        said = ruleset.sizes.features + len(COLUMNS) + 2 * ruleset.sizes.special_pieces
        self._ruleset, self.columns = ruleset, len(ROLES) + said
        self._evaluators = new_evaluators(ruleset, np.zeros(count_features(ruleset)))
        nodes = ruleset.sizes.nodes
        self._scene = record_dtype(
            [
                ("decision", np.int64, nodes),  # by area: the last decision before which there was such an area
                ("action", np.int64, nodes),  # by area: the last action after which there would be
                ("before", np.float32, (nodes, said)),  # by area: how it is described, but for its role
                ("then", np.float32, said),  # the same of one as it would be
                ("base_areas", np.int32, nodes),
                ("areas", np.int32, nodes),
            ]
        )

    def describe(self, states: npt.NDArray[np.record], row_actions: npt.NDArray[np.int16]) -> Areas:
        """Return (the areas of the legal actions, float32 `(k, columns)`, the number of the action of each, `(k,)`).

        `states`, `(n,)`, are games, and `row_actions`, int16 `(n, rows)`, their legal actions, as observations have
        them. Actions are numbered through all games, from 0.
        """
        most = AREAS_A_ROW * int((row_actions > NONE).sum())
        while True:
            areas, owners = np.zeros((most, self.columns), np.float32), np.empty(most, np.int64)
            scratch = self._ruleset.new_states(2), self._evaluators.copy(), np.zeros(1, self._scene)
            count = _describe(self._ruleset.tables, states, row_actions, *scratch, areas, owners)
            if count <= most:
                return areas[:count], owners[:count]
            most = count


@kernel
def _describe(tables, states, row_actions, trials, evaluators, scenes, areas, owners):
    """Write the areas, as far as there is room, and return how many there are."""
    t, evaluator, scene = tables[0], evaluators[0], scenes[0]
    row, written = 0, 0
    for game in range(states.size):
        if row_actions[game, 0] <= NONE:
            continue
        copy_state(states, game, trials, 0)
        s = trials[0]
        note_cells(t, s, evaluator, s.deck.size - int(s.drawn))
        survey_base(t, s, evaluator)
        note_owners(s, evaluator)
        if s.phase == PLACE:
            _describe_base(t, s, evaluator, scene, game)
        for action in row_actions[game]:
            if action <= NONE:
                break
            first = written
            if s.phase == PLACE:
                written = _describe_placement(t, trials, evaluator, scene, game, row, int(action), areas, written)
            else:
                written = _describe_chosen(t, s, evaluator, scene, int(action), areas, written)
            owners[first:written] = row
            row += 1
    return written


@kernel
def _describe_base(t, s, evaluator, scene, decision):
    """Note how each area is described before a placement."""
    count = _list_areas(t, s, evaluator, NONE, scene.base_areas)
    scene.base_areas[count:] = NONE
    for area in scene.base_areas[:count]:
        scene.decision[area] = 1 + decision
        _write_area(t, s, evaluator, as_index(area), scene.before[area])


@kernel
def _list_areas(t, s, evaluator, tile, names):
    """List the areas that open to a cell, that have pieces, or that are of a `tile`, if any; return how many."""
    count = int(evaluator.num_seen)
    for number in range(count):
        names[as_index(number)] = evaluator.seen[as_index(number)]
    for player in range(s.score.size):
        for piece in range(s.follower_area.shape[1]):
            count = _list_closed(evaluator, s.follower_area[player, piece], names, count)
    for segment in range(t.tile_node.shape[1] if tile > NONE else 0):
        node = t.tile_node[as_index(tile), segment]
        if node > NONE:
            count = _list_closed(evaluator, s.area[node], names, count)
    return count


@kernel
def _list_closed(evaluator, area, names, count):
    """Append `area` to the `count` in `names` if it opens to no cell and is not there; return the new count."""
    if area <= NONE or evaluator.cells[as_index(area)] > 0:
        return count
    for number in range(evaluator.num_seen, count):
        if names[as_index(number)] == area:
            return count
    names[as_index(count)] = area
    return count + 1


@kernel
def _describe_placement(t, trials, evaluator, scene, decision, row, action, areas, first):
    """Describe the areas that a placement would change after the `first` ones; return how many are written now."""
    copy_state(trials, 0, trials, 1)
    s = trials[1]
    cell, tile = find_cell(t, s, action // NUM_ROTATIONS), int(s.deck[as_index(s.drawn - 1)])
    lay_tile(t, s, cell, tile * NUM_ROTATIONS + action % NUM_ROTATIONS)
    survey_end(t, s, evaluator, cell)
    note_owners(s, evaluator)
    written, count = first, _list_areas(t, s, evaluator, tile, scene.areas)
    for area in scene.areas[:count]:
        scene.action[area] = 1 + row
        _write_area(t, s, evaluator, as_index(area), scene.then)
        was_there = scene.decision[area] == 1 + decision
        if was_there and not _differ(scene.before[area], scene.then):
            continue
        written = _append(OWN if _is_of_tile(t, s, tile, area) else OTHER, scene.then, areas, written)
        if was_there:
            written = _append(WAS, scene.before[area], areas, written)
    for area in scene.base_areas:
        if area <= NONE:
            break
        if scene.action[area] != 1 + row:
            written = _append(WAS, scene.before[area], areas, written)
    return written


@kernel
def _differ(said, other):
    for column in range(said.size):
        if said[as_index(column)] != other[as_index(column)]:
            return True
    return False


@kernel
def _is_of_tile(t, s, tile, area):
    for segment in range(t.tile_node.shape[1]):
        node = t.tile_node[as_index(tile), segment]
        if node > NONE and s.area[node] == area:
            return True
    return False


@kernel
def _append(role, said, areas, written):
    """Append the description of an area, if there is room; return the new count."""
    if written < areas.shape[0]:
        row = areas[as_index(written)]
        row[role] = 1
        for column in range(said.size):
            row[len(ROLES) + column] = said[as_index(column)]
    return written + 1


@kernel
def _describe_chosen(t, s, evaluator, scene, action, areas, written):
    """Describe the area to which a piece is sent, or that is scored; return how many are `written` now."""
    area = NONE
    if s.phase == SEND and action != t.send_base + NOBODY:
        _, segment = parse_send(t, action - int(t.send_base))
        area = int(s.area[t.tile_node[as_index(s.deck[as_index(s.drawn - 1)]), as_index(segment)]])
    elif s.phase == SCORE:
        area = int(s.to_score[s.scorer, as_index((action - int(t.score_base)) // TOKEN_CHOICES)])
    if area <= NONE:
        return written
    _write_area(t, s, evaluator, as_index(area), scene.then)
    return _append(CHOSEN, scene.then, areas, written)


@kernel
def _write_area(t, s, evaluator, area, said):
    """Write the description of an `area` for the player to decide, except its role."""
    me, feature, features = int(s.player), as_index(t.node_feature[area]), t.feature_points.size
    opponent, completes, is_complete = find_seat(s, me, 1), t.feature_completes[feature] != 0, is_due(t, s, area)
    said.fill(0)
    said[feature] = 1
    columns = said[features : features + len(SCALES)]
    tiles = count_tiles(s, area) if completes else 0
    columns[TILES] = tiles
    columns[POINTS] = find_size_points(t, s, area, tiles) if completes else count_end_points(t, s, area)
    columns[MARKS] = s.area_marks[area]
    if s.area_nests.size > 0:
        columns[NESTS] = s.area_nests[area]
    if s.area_touched.size > 0 and t.feature_touch_points[feature] != 0:
        columns[DONE] = count_touched(s, area, True)
        columns[UNDONE] = count_touched(s, area, False)
    _write_openness(t, s, evaluator, area, completes, columns)
    columns[MINE] = count_followers(s, area, me)
    columns[THEIRS] = count_followers(s, area, opponent)
    columns[NEAR_MINE] = (int(evaluator.risk[area]) >> me) & 1
    columns[NEAR_THEIRS] = (int(evaluator.risk[area]) >> opponent) & 1
    columns[COMPLETE] = is_complete
    _write_paid(t, s, area, me, opponent, is_complete, columns)
    for column in range(columns.size):
        columns[column] *= SCALES[column]
    for kind in range(1, t.kind_factor.size):
        special = features + len(SCALES) + 2 * kind - 2
        said[special] = has_special(t, s, area, me, kind)
        said[special + 1] = has_special(t, s, area, opponent, kind)


@kernel
def _write_openness(t, s, evaluator, area, completes, columns):
    """Write where an area is open, and what fits there."""
    cells, fits = find_openness(t, s, evaluator, area)
    columns[PORTS] = s.open_ports[area]
    columns[CELLS] = cells
    if cells > 0:
        columns[FITS] = np.log2(1.0 + fits)
    if 0 < cells <= 2 and completes:
        columns[ENDS] = np.log2(1.0 + find_ends(t, s, evaluator, area, fits))


@kernel
def _write_paid(t, s, area, me, opponent, is_complete, columns):
    """Write what an area pays to each player, and whether that brings a token."""
    points, taker = int(columns[POINTS]), me
    if has_followers(s, area):
        taker = NONE
        if is_paid(t, s, area, opponent):
            taker = opponent
            columns[TO_THEM] = points * find_factor(t, s, area, opponent)
        if is_paid(t, s, area, me):
            taker = me
            columns[TO_ME] = points * find_factor(t, s, area, me)
    if is_complete and taker > NONE and t.field_tower.size > 0:
        paid = int(max(columns[TO_ME], columns[TO_THEM], points))
        columns[TOKEN] = (1 if taker == me else -1) * int(finds_token(t, s, taker, paid))
