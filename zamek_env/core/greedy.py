"""The greedy player: the action that changes the score difference best, counting what open areas promise.

It looks one decision ahead: every legal action is tried on a copy whose hidden part has been put in order and then
reshuffled, so that the choice follows from what both players see, and from the generator. The table below lists what it
counts besides the score.
"""

import numpy as np

from zamek_env.base.chance import draw_below
from zamek_env.base.records import NONE
from zamek_env.compiler.bits import as_index, lowest_bit
from zamek_env.compiler.jit import kernel
from zamek_env.compiler.memory import new_scratch
from zamek_env.core.areas import count_tiles, count_touched, is_paid
from zamek_env.core.dealing import forget_hidden, redeal
from zamek_env.core.end_scoring import count_end_points
from zamek_env.core.legality import ACTIONS_A_TILE, find_free_segments, list_actions
from zamek_env.core.nests import count_due_nests, find_more_nests
from zamek_env.core.pieces import count_supply, find_factor, find_free_piece, is_first_in_area
from zamek_env.core.rules import step
from zamek_env.core.scoring import find_size_points
from zamek_env.core.state import copy_state
from zamek_env.layout.actions import CHOOSE, OVER, SEND

# Points, tuned by play of variations against it.
CHANCES = np.array([1.0, 0.75, 0.6, 0.55, 0.45, 0.35, 0.27, 0.15])  # of completing an area, by its open ports
GROWTH = 1  # tiles that a claimed open area is expected to gain
MEADOW_HOPE = 0.04  # marks that a meadow is expected to gain with each open port
TOUCH_HOPE = 0.21  # that an open area which a field touches is completed
FIELD_HOPE = 0.03  # completed areas that a field is expected to touch more with each open port
FOLLOWER = (0.9, 1.8)  # a follower in supply, for each that is out; where fields keep followers for good, more …
LAST_FOLLOWER = (0.9, 3.8)  # … and once more for having any at all
TOKEN = 3.0  # a token in hand, whichever it is
HOUSE_LEAD = 1.9  # having the larger family house
SPECIAL = 1.0  # a special piece in supply
NEST = 2.0  # a nest, in hand or to be expected
NEST_LEAD = 1.0  # having more nests


@kernel
def choose_greedily(t, states, game, trials, log, generator):
    """Return the legal action of `states[game]` that evaluates best for the mover; ties are broken at random.

    Where all values are NaN, it is the first one. Writes `trials` (two games of scratch space), `log` (overwritten) and
    `generator`.
    """
    player = states[game].player
    copy_state(states, game, trials, 0)
    forget_hidden(trials[0], player)
    redeal(trials[0], generator, player)
    best, best_value, ties = NONE, -np.inf, 0
    actions = new_scratch(t.tile_holds, ACTIONS_A_TILE)
    for number in range(list_actions(t, trials[0], actions)):
        action = int(actions[number])
        value = evaluate_action(t, trials, log, action)
        best = action if best <= NONE else best
        if value > best_value:
            best, best_value, ties = action, value, 1
        elif value == best_value:
            ties += 1
            if draw_below(generator, ties) == 0:
                best = action
    return best


@kernel
def evaluate_action(t, trials, log, action):
    """Return what `action` is worth to the player to decide in `trials[0]`.

    That is the worth of the position after it; for a tile taken out of a hand (rule H2), after its best placement.
    Writes `trials[1]`, `log`.
    """
    player = trials[0].player
    copy_state(trials, 0, trials, 1)
    step(t, trials[1], log, action)
    if trials[0].hand.size == 0 or trials[0].phase != CHOOSE:
        return evaluate(t, trials[1], player)
    best = -np.inf
    placements = new_scratch(t.tile_holds, ACTIONS_A_TILE)
    for number in range(list_actions(t, trials[1], placements)):
        copy_state(trials, 0, trials, 1)
        step(t, trials[1], log, action)
        step(t, trials[1], log, int(placements[number]))
        best = max(best, evaluate(t, trials[1], player))
    return best


@kernel
def evaluate(t, s, player):
    """Return what the position is worth to `player`, in points ahead of the best other."""
    value = evaluate_player(t, s, player) - _evaluate_others(t, s, player)
    if s.phase == OVER:
        return value
    if s.family_house.size > 0 and s.family_house[player] != s.family_house[1 - player]:
        value += HOUSE_LEAD if s.family_house[player] > s.family_house[1 - player] else -HOUSE_LEAD
    ahead = find_more_nests(s)
    if ahead != NONE:
        value += NEST_LEAD if ahead == player else -NEST_LEAD
    if s.phase == SEND:
        value += _evaluate_send(t, s) if s.player == player else -_evaluate_send(t, s)
    return value


@kernel
def _evaluate_others(t, s, player):
    """Return the most points that another player has and may count on; 0 where there is none."""
    if s.score.size == 1:
        return 0.0
    if s.score.size == 2:
        return evaluate_player(t, s, 1 - player)
    best = -np.inf
    for other in range(s.score.size):
        if other != player:
            best = max(best, evaluate_player(t, s, other))
    return best


@kernel
def evaluate_player(t, s, player):
    """Return the points that `player` has and may count on."""
    value = float(s.score[player])
    if s.phase == OVER:
        return value
    for follower in range(s.follower_node.shape[1]):
        node = s.follower_node[player, follower]
        if node > NONE and is_first_in_area(s, player, follower) and is_paid(t, s, s.area[node], player):
            value += evaluate_area(t, s, s.area[node]) * find_factor(t, s, s.area[node], player)
            value += _evaluate_nests(t, s, s.area[node], count_due_nests(t, s, s.area[node], player))
    for kind in range(1, s.tokens.shape[1]):
        value += TOKEN * (int(s.tokens[player, kind]) + int(s.fresh_tokens[player, kind]))
    if s.nests.size > 0:
        value += NEST * s.nests[player]
    for kind in range(1, t.kind_factor.size):
        if find_free_piece(t, s, player, kind) != NONE:
            value += SPECIAL
    return value + _evaluate_supply(s, count_supply(t, s, player))


@kernel
def evaluate_area(t, s, area):
    """Return the points that a player who controls `area` may expect from it."""
    feature = t.node_feature[area]
    open_ports = int(s.open_ports[area])
    if not t.feature_completes[feature]:
        return _evaluate_lasting(t, s, area, open_ports)
    chance = CHANCES[min(open_ports, CHANCES.size - 1)]
    growth = open_ports if t.feature_surrounded[feature] else GROWTH
    size = count_tiles(s, area) + (growth if open_ports > 0 else 0)
    return find_size_points(t, s, area, size) * chance + count_end_points(t, s, area) * (1.0 - chance)


@kernel
def _evaluate_lasting(t, s, area, open_ports):
    """Return the points that a player who controls an `area` that is never completed may expect from it."""
    feature = t.node_feature[area]
    value = (s.area_marks[area] + MEADOW_HOPE * open_ports) * t.feature_mark_points[feature]
    if s.area_touched.size > 0:
        touched = count_touched(s, area, True) + TOUCH_HOPE * count_touched(s, area, False)
        value += (touched + FIELD_HOPE * open_ports) * t.feature_touch_points[feature]
    return value


@kernel
def _evaluate_nests(t, s, area, nests):
    """Return what `nests` nests on `area` are worth to a player who controls it."""
    if nests == 0 or not t.feature_completes[t.node_feature[area]]:
        return 0.0
    return NEST * nests * CHANCES[min(int(s.open_ports[area]), CHANCES.size - 1)]


@kernel
def _evaluate_supply(s, supply):
    has_fields = 1 if s.area_touched.size > 0 else 0
    return supply * FOLLOWER[has_fields] + (LAST_FOLLOWER[has_fields] if supply > 0 else 0.0)


@kernel
def _evaluate_send(t, s):
    """Return what the best piece that may be sent now adds for the player to send it."""
    best = 0.0
    for kind in range(t.kind_factor.size):
        if find_free_piece(t, s, s.player, kind) != NONE:
            best = max(best, _evaluate_send_of(t, s, kind))
    return best


@kernel
def _evaluate_send_of(t, s, kind):
    """Return what a piece of `kind` adds on the best segment of the tile just placed."""
    supply = count_supply(t, s, s.player)
    cost = _evaluate_supply(s, supply) - _evaluate_supply(s, supply - 1) if kind == 0 else SPECIAL
    best = 0.0
    tile = as_index(s.deck[as_index(s.drawn - 1)])
    segments = find_free_segments(t, s, kind)
    while segments != 0:
        node = as_index(t.tile_node[tile, as_index(lowest_bit(segments))])
        area = as_index(s.area[node])
        back = cost if s.open_ports[area] == 0 and t.feature_completes[t.node_feature[area]] else 0.0
        nests = t.kind_nests[kind] + (s.area_nests[area] if s.area_nests.size > 0 else 0)
        worth = evaluate_area(t, s, area) * t.kind_factor[kind] + _evaluate_nests(t, s, area, nests)
        best = max(best, worth - cost + back)
        segments &= segments - 1
    return best
