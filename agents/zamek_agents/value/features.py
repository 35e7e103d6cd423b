"""The learned evaluation: points, and what learned weights add for every area, piece and token.

FEATURES DESCRIPTION
    A position is described at the end of a turn by a few dozen features of many thousands. Each belongs to a player.
    The sum of a player's features is what the player may count on; the value of a position to one is that less what the
    others may count on (`find_value`). For two players one number is enough: what belongs to player 0 counts with its
    sign there, what belongs to player 1 with the opposite one, so the value to one is minus that to the other, whatever
    the weights.

    group      indexed by                                                    value
    LEAD       –                                                             points; its weight is always 1
    PROMISE    feature, lead, risk, open cells, fits, stage                  points the area would pay
    BASIC      feature, whether its leader moves, open cells, stage          points the area would pay
    SHAPE      feature, open cells, size, stage                              1
    PORTS      feature, lead, risk, open ports, stage                        1
    SPECIALS   feature, special pieces of its leader there, open cells, stage   1, where there is a special piece
    MARKS      feature, marks or nests on it, open cells, stage              1, where there are any
    TOUCHED    completed and unfinished areas that a field touches, stage    1
    FREE       feature, size, open cells, stage                              1, for the player to move: nobody is in it
    SUPPLY     followers in supply, stage                                    1
    SPECIAL    kind of special piece in supply, stage                        1
    TOKENS     kind of token, stage                                          how many
    HOUSE      by how many tiles the larger family house leads, stage        1
    NESTS      by how many nests the richer one leads, stage                 1
    TOWER      points to the next tower with a token, stage                  1
    MOVE       stage                                                         1, for the player to move
    COMPLETE   feature, lead, whether its leader moves, 1 or 2 open cells, tiles left that end it on the harder one,
               stage                                                         points the area would pay
    FREE_ENDS  feature, tiles left that complete it on its only open cell, size, stage
                                                                             1, in place of that of FREE
    READY      areas that one tile may complete, stage                       1
    JOIN       feature, who gains, tiles left that join an area of each player, stage
                                                                             points gained by it
    TURNS      tiles left                                                    1, for the player to move

    Weights may end before COMPLETE, if they were learned before the groups from there on were added (`widen`).
    An area counts for the player who leads in it; without one, for nobody. With more than two players it counts for
    each who leads in it, alone or with others. Stages are ranges of tiles left, of those that two players would have
    left for as many turns each.

Counts kept in bytes are made `np.int64` before they are subtracted or mixed with others: compiled, `int` would leave
them unsigned.
"""

import numpy as np
import numpy.typing as npt

from zamek_agents.value import survey
from zamek_env.base.records import NONE
from zamek_env.base.rewards import find_lead_in_kernel
from zamek_env.compiler.bits import as_index
from zamek_env.compiler.jit import kernel
from zamek_env.components.model import NUM_AROUND
from zamek_env.core.areas import count_followers, count_rivals, count_tiles, count_touched, is_due
from zamek_env.core.end_scoring import count_end_points, count_house_size
from zamek_env.core.nests import count_due_nests
from zamek_env.core.pieces import count_plain, count_supply, find_factor, find_free_piece, has_special
from zamek_env.core.placement import find_around
from zamek_env.core.scoring import find_size_points
from zamek_env.core.state import find_tile
from zamek_env.layout.actions import OVER
from zamek_env.ruleset import Ruleset

STAGES = 8  # up to 1, 3, 6, 11, 18, 28, 42 tiles left, and more
OPEN = 8  # open cells or ports, the last for all higher numbers
FIT = 6  # ranges of tiles that fit: none, 1, 2–3, 4–7, 8–15, more
LEADS = 3  # the leader is alone, leads by one, leads by more; among more than two: is alone, leads, shares the lead
RISKS = 2  # one tile may join the area with one of the opponent's, or not
GROWTH = 12  # sizes of areas, the last for all larger ones
COUNTS = 10
DISTANCES = 13  # points to a tower, the last for all farther ones
CLOSE = 2  # most open cells of areas that are close to completion
ENDS = 8  # ranges of tiles that end an area: none, 1, 2, 3, 4–5, 6–8, 9–13, more
GAINS = 3  # by joining: one who moves, one who does not, or neither leads in what is joined
MOST_JOINS = 64  # features of that group in a position; any further ones are left out
SPREAD = 1.0  # points, times the root of the tiles left: how uncertain it is what a player will have more than another
TURNS_LEFT = 32  # tiles left, the last for all higher numbers
(
    LEAD, PROMISE, BASIC, SHAPE, PORTS, SPECIALS, MARKS, TOUCHED, FREE,
    SUPPLY, SPECIAL, TOKENS, HOUSE, NESTS, TOWER, MOVE,
    COMPLETE, FREE_ENDS, READY, JOIN, TURNS, GROUPS,
) = range(22)  # fmt: skip
FIRST_GROUPS = COMPLETE  # how many the first version had; some weights know no others


@kernel
def find_start(t, group):
    """Return the number of the first feature of a group; for `GROUPS`, how many features there are."""
    features, kinds = t.feature_points.size, t.kind_factor.size
    sizes = (
        1,
        features * LEADS * RISKS * OPEN * FIT * STAGES,
        features * 2 * OPEN * STAGES,
        features * OPEN * GROWTH * STAGES,
        features * LEADS * RISKS * OPEN * STAGES,
        features * (1 << (kinds - 1)) * OPEN * STAGES,
        features * COUNTS * OPEN * STAGES,
        COUNTS * COUNTS * STAGES,
        features * GROWTH * OPEN * STAGES,
        COUNTS * STAGES,
        kinds * STAGES,
        t.token_use.size * STAGES,
        COUNTS * STAGES,
        COUNTS * STAGES,
        DISTANCES * STAGES,
        STAGES,
        features * LEADS * 2 * CLOSE * ENDS * STAGES,
        features * ENDS * GROWTH * STAGES,
        COUNTS * STAGES,
        features * GAINS * FIT * STAGES,
        TURNS_LEFT,
    )
    start = 0
    for number in range(group):
        start += sizes[number]
    return start


def count_features(ruleset: Ruleset, groups: int = GROUPS) -> int:
    """Return how many features positions of a `Ruleset` have in the first `groups`."""
    return int(find_start(ruleset.tables[0], groups))


def widen(ruleset: Ruleset, weights: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Return weights of all groups that are equivalent to `weights` of the `FIRST_GROUPS`."""
    tables = ruleset.tables[0]
    wide = np.zeros(count_features(ruleset), np.float32)
    wide[: weights.size] = weights
    free = weights[find_start(tables, FREE) : find_start(tables, FREE + 1)].reshape(-1, OPEN, GROWTH, STAGES)
    wide[find_start(tables, FREE_ENDS) : find_start(tables, FREE_ENDS + 1)] = np.repeat(free[:, 1:2], ENDS, 1).ravel()
    return wide


@kernel
def find_stage(s, left):
    """Return the stage of the game with `left` tiles left."""
    of_two = find_left_of_two(s, left)
    if of_two <= 6:
        return 0 if of_two <= 1 else 1 if of_two <= 3 else 2
    if of_two <= 18:
        return 3 if of_two <= 11 else 4
    return 5 if of_two <= 28 else 6 if of_two <= 42 else 7


@kernel
def find_left_of_two(s, left):
    """Return how many tiles two players would have left for as many turns each as `left` tiles give these players."""
    return int(left) if s.score.size == 2 else int(left) * 2 // s.score.size


@kernel
def find_fit_range(fits):
    """Return the range in which a number of fitting tiles lies."""
    if fits < 4:
        return 0 if fits == 0 else 1 if fits == 1 else 2
    return 3 if fits < 8 else 4 if fits < 16 else 5


@kernel
def find_end_range(tiles):
    """Return the range in which a number of tiles lies that end an area."""
    if tiles < 4:
        return int(tiles)
    if tiles < 9:
        return 4 if tiles < 6 else 5
    return 6 if tiles < 14 else 7


@kernel
def write(evaluator, number, player, amount):
    """Write one more feature of `player`, its number and value, into `evaluator`."""
    count = as_index(evaluator.num_features)
    evaluator.numbers[count] = number
    if evaluator.sums.size > 1:  # known to the compiler
        evaluator.amounts[count] = amount
        evaluator.owners[count] = player
    else:
        evaluator.amounts[count] = amount if player == 0 else -amount
    evaluator.num_features += 1


@kernel
def begin_features(t, s, evaluator):
    """Clear the features in `evaluator`, and write the points of all players."""
    begin_without_points(t, evaluator)
    for player in range(s.score.size):
        add_lead(evaluator, player, int(s.score[player]))


@kernel
def begin_without_points(t, evaluator):
    """Clear the features in `evaluator`, and write 0 points for all players."""
    evaluator.num_features = 0
    for player in range(evaluator.sums.size):
        write(evaluator, find_start(t, LEAD), player, 0)


@kernel
def add_lead(evaluator, player, points):
    """Add `points` of `player` to those that were written first."""
    if evaluator.sums.size > 1:
        evaluator.amounts[as_index(player)] += points
    else:
        evaluator.amounts[0] += points if player == 0 else -points


@kernel
def sum_features(evaluator):
    """Add up what the features in `evaluator` are worth. Writes `sums`."""
    sums = evaluator.sums
    if sums.size > 1:
        sums.fill(0)
        for number in range(evaluator.num_features):
            worth = evaluator.weights[as_index(evaluator.numbers[number])] * evaluator.amounts[number]
            sums[as_index(evaluator.owners[number])] += worth
        return
    value = 0.0
    for number in range(evaluator.num_features):
        value += evaluator.weights[as_index(evaluator.numbers[number])] * evaluator.amounts[number]
    sums[0] = value


@kernel
def find_value(worths, player, left):
    """Return by how much `player` is ahead, by what all have, as in `evaluator.sums`, with `left` tiles left.

    With more than two players this is the lead over the best other. While many tiles are left it is uncertain who that
    will be; then all others count.
    """
    if worths.size == 1:
        return float(worths[0]) if player == 0 else -float(worths[0])
    best, shares, spread = -np.inf, 0.0, SPREAD * np.sqrt(max(1.0, float(left)))
    for other in range(worths.size):
        if other != player:
            best = max(best, float(worths[other]))
    for other in range(worths.size):
        if other != player:
            shares += np.exp((float(worths[other]) - best) / spread) / (worths.size - 1)
    return float(worths[player]) - best - spread * np.log(shares)


@kernel
def write_free(t, s, evaluator, area, amount, stage):
    """Write that `area` is open and nobody is in it, for the player to move: `amount` is 1, or -1 to take it back."""
    feature = int(t.node_feature[area])
    cells, size = min(int(evaluator.cells[area]), OPEN - 1), min(find_size(t, s, area), GROWTH - 1)
    if cells == 1 and t.feature_completes[as_index(feature)]:
        ends = survey.count_ending(t, s, evaluator, area, evaluator.last[area])
        number = find_start(t, FREE_ENDS) + ((feature * ENDS + find_end_range(ends)) * GROWTH + size) * STAGES
    else:
        number = find_start(t, FREE) + ((feature * OPEN + cells) * GROWTH + size) * STAGES
    write(evaluator, number + stage, evaluator.mover, amount)


@kernel
def find_size(t, s, area):
    """Return the size of `area`: its tiles or, if it is never completed, its marks, or completed areas it touches."""
    if area < s.area_tiles.shape[0]:
        return count_tiles(s, area)
    if s.area_touched.size > 0 and t.feature_touch_points[as_index(t.node_feature[area])] != 0:
        return count_touched(s, area, True)
    return np.int64(s.area_marks[area])


@kernel
def find_promise(t, s, area, player):
    """Return the points that `area` pays `player` when it is completed, by one tile if it is open, or at the end."""
    factor = find_factor(t, s, area, player)
    feature = as_index(t.node_feature[area])
    if not t.feature_completes[feature]:
        return np.int64(count_end_points(t, s, area)) * factor
    growth = int(s.open_ports[area]) if t.feature_surrounded[feature] else int(s.open_ports[area] > 0)
    return np.int64(find_size_points(t, s, area, count_tiles(s, area) + growth)) * factor


@kernel
def find_openness(t, s, evaluator, area):
    """Return (open cells, tiles that fit on the hardest of them) of `area`."""
    if not t.feature_surrounded[as_index(t.node_feature[area])]:
        return evaluator.cells[area], evaluator.fits[area]
    fits, middle = survey.MANY, s.tile_location[as_index(t.node_tile[area])]
    for number in range(NUM_AROUND):
        cell = find_around(t, middle, number)
        if t.has_edge.size > 0 and cell <= NONE:
            continue
        if find_tile(s, cell) <= NONE:
            fits = min(fits, survey.count_fits_on(t, s, evaluator, cell))
    return int(s.open_ports[area]), fits


@kernel
def write_area(t, s, evaluator, player, area, stage):
    """Write the features of `area`, in which `player` leads, after those in `evaluator`."""
    points = find_promise(t, s, area, player)
    if is_due(t, s, area):
        add_lead(evaluator, player, points)
        return
    feature = int(t.node_feature[area])
    cells, fits = find_openness(t, s, evaluator, area)
    opened, ports = min(int(cells), OPEN - 1), min(int(s.open_ports[area]), OPEN - 1)
    lead = _find_lead(s, area, player)
    who = (feature * LEADS + lead) * RISKS + (int(evaluator.risk[area]) & ~(1 << player) != 0)
    moves = feature * 2 + (evaluator.mover == player)
    size = (feature * OPEN + opened) * GROWTH + min(find_size(t, s, area), GROWTH - 1)
    promise = (who * OPEN + opened) * FIT + find_fit_range(fits)
    write(evaluator, find_start(t, PROMISE) + promise * STAGES + stage, player, points)
    write(evaluator, find_start(t, BASIC) + (moves * OPEN + opened) * STAGES + stage, player, points)
    write(evaluator, find_start(t, SHAPE) + size * STAGES + stage, player, 1)
    write(evaluator, find_start(t, PORTS) + (who * OPEN + ports) * STAGES + stage, player, 1)
    if 0 < opened <= CLOSE and t.feature_completes[as_index(feature)]:
        evaluator.ready[player] += opened == 1
        close = ((feature * LEADS + lead) * 2 + (evaluator.mover == player)) * CLOSE + opened - 1
        ends = find_end_range(find_ends(t, s, evaluator, area, fits))
        write(evaluator, find_start(t, COMPLETE) + (close * ENDS + ends) * STAGES + stage, player, points)
    _write_extras(t, s, evaluator, player, area, opened * STAGES + stage)


@kernel
def _find_lead(s, area, player):
    """Return how `player`, one of those with most pieces in `area`, leads there (`LEADS`)."""
    own, others = count_followers(s, area, player), count_rivals(s, area, player)
    if others == 0:
        return 0
    if s.score.size > 2:
        return 1 if own > others else LEADS - 1
    return 1 if own - others == 1 else LEADS - 1


@kernel
def find_ends(t, s, evaluator, area, fits):
    """Return how many of the tiles left end `area` on the harder of its one or two open cells; `fits` fit there."""
    if t.feature_surrounded[as_index(t.node_feature[area])]:
        return fits
    ends, before = survey.count_ending(t, s, evaluator, area, evaluator.last[area]), evaluator.before[area]
    return ends if before <= NONE else min(ends, survey.count_ending(t, s, evaluator, area, before))


@kernel
def write_joins(t, s, evaluator, only, stage):
    """Write for every two areas that one tile may join, each led by another player, what is gained by it.

    With `only` an area, those two alone of which it is one. Beyond `MOST_JOINS` there is no room.
    """
    if only > NONE and not evaluator.is_linked[only]:
        return
    most = evaluator.num_features + MOST_JOINS
    for link in range(evaluator.num_links):
        first, second = as_index(evaluator.links[link, 0]), as_index(evaluator.links[link, 1])
        is_asked = only <= NONE or only in (first, second)
        if is_asked and evaluator.num_features < most:
            one, other = survey.find_leader(s, first), survey.find_leader(s, second)
            if one != other and max(one, other) < survey.EVEN:
                _write_join(t, s, evaluator, link, first, second, one, other, stage)


@kernel
def _write_join(t, s, evaluator, link, first, second, one, other, stage):
    """Write what is gained by joining area `first`, in which player `one` leads, with `second` of player `other`."""
    joining = survey.count_joining(t, evaluator, link)
    if joining == 0:
        return
    ahead = count_followers(s, first, one) + count_followers(s, second, one)
    ahead -= count_followers(s, first, other) + count_followers(s, second, other)
    gained, lost = find_promise(t, s, second, other), find_promise(t, s, first, one)
    who = 2 if ahead == 0 else np.int64((evaluator.mover == one) if ahead > 0 else (evaluator.mover == other))
    number = (np.int64(t.node_feature[first]) * GAINS + who) * FIT + find_fit_range(joining)
    number = find_start(t, JOIN) + number * STAGES + stage
    if ahead == 0 and evaluator.sums.size == 1:
        write(evaluator, number, one, gained - lost)
        return
    if ahead >= 0:
        write(evaluator, number, one, gained)
    if ahead <= 0:
        write(evaluator, number, other, lost)


@kernel
def _write_extras(t, s, evaluator, player, area, state):
    """Write the features of what only some areas have; `state` numbers their open cells and the stage."""
    feature = int(t.node_feature[area])
    specials = 0
    for kind in range(1, t.kind_factor.size):
        specials |= has_special(t, s, area, player, kind) << (kind - 1)
    if specials > 0:
        number = (feature << (t.kind_factor.size - 1)) + specials
        write(evaluator, find_start(t, SPECIALS) + number * OPEN * STAGES + state, player, 1)
    marks = min(np.int64(s.area_marks[area]) + np.int64(count_due_nests(t, s, area, player)), COUNTS - 1)
    if marks > 0:
        write(evaluator, find_start(t, MARKS) + (feature * COUNTS + marks) * OPEN * STAGES + state, player, 1)
    if s.area_touched.size > 0 and t.feature_touch_points[feature] != 0:
        completed = min(count_touched(s, area, True), COUNTS - 1)
        touched = completed * COUNTS + min(count_touched(s, area, False), COUNTS - 1)
        write(evaluator, find_start(t, TOUCHED) + touched * STAGES + state % STAGES, player, 1)


@kernel
def evaluate_learned(t, s, player, evaluator):
    """Return the expected margin of `player` by the weights; nothing hidden is read.

    Writes the scratch space of `evaluator`.
    """
    if s.phase == OVER:
        return float(find_lead_in_kernel(s.score, player))
    survey.survey(t, s, evaluator)
    evaluate_surveyed(t, s, evaluator)
    return find_value(evaluator.totals, player, survey.count_left(s))


@kernel
def evaluate_surveyed(t, s, evaluator):
    """Find the worth of a position that has been surveyed. Writes `totals`, and the features of `evaluator`."""
    write_features(t, s, evaluator)
    sum_features(evaluator)
    for view in range(evaluator.sums.size):
        evaluator.totals[view] = evaluator.sums[view]


@kernel
def estimate_send(t, s, evaluator, player, piece, area):
    """Return the worth of a position to `player` after sending `piece` to a free `area` there.

    `s` is the position at the end of the turn without it, just evaluated by `evaluator`, whose features are
    overwritten. The risk of the piece to the others' areas near it is left out.
    """
    left = survey.count_left(s)
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
    evaluator.mover = survey.find_mover(s)
    survey.note_owners(s, evaluator)
    write_turn(t, s, evaluator, survey.count_left(s))
    write_areas(t, s, evaluator, find_stage(s, survey.count_left(s)), False)


@kernel
def write_turn(t, s, evaluator, left):
    """Write the features of who moves with `left` tiles left."""
    write(evaluator, find_start(t, MOVE) + find_stage(s, left), evaluator.mover, 1)
    write(evaluator, find_start(t, TURNS) + min(find_left_of_two(s, left), TURNS_LEFT - 1), evaluator.mover, 1)


@kernel
def write_areas(t, s, evaluator, stage, only_changed):
    """Write the features of the areas on the board, whose owners have been noted.

    With `only_changed` only of those that may have changed. Joins and `ready` are always written.
    """
    for number in range(evaluator.num_seen):
        area = as_index(evaluator.seen[as_index(number)])
        if evaluator.owner[area] == survey.NOBODY and not (only_changed and evaluator.change[area] == survey.SAME):
            write_free(t, s, evaluator, area, 1, stage)
    write_joins(t, s, evaluator, NONE, stage)
    for player in range(s.score.size):
        if not only_changed:
            evaluator.ready[player] = 0
        for piece in range(s.follower_area.shape[1]):
            area = s.follower_area[player, piece]
            is_held = area > NONE and survey.leads(s, evaluator, area, player, piece)
            if is_held and not (only_changed and evaluator.change[area] == survey.SAME):
                survey.note_done(evaluator, area)
                write_area(t, s, evaluator, player, area, stage)
        _write_ready(t, evaluator, player, evaluator.ready[player], stage, 1)


@kernel
def write_holdings(t, s, evaluator):
    """Write the features of what players have besides areas and points."""
    stage = find_stage(s, survey.count_left(s))
    for player in range(s.score.size):
        _write_held_by(t, s, evaluator, player, stage)
    if s.family_house.size > 0:
        _write_lead(evaluator, find_start(t, HOUSE) + stage, count_house_size(t, s, 0) - count_house_size(t, s, 1))
    if s.nests.size > 0:
        _write_lead(evaluator, find_start(t, NESTS) + stage, np.int64(s.nests[0]) - np.int64(s.nests[1]))


@kernel
def _write_held_by(t, s, evaluator, player, stage):
    """Write the features of what `player` has besides areas."""
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
    """Write the lead of one of two players, in a group that begins, for this stage, at `start`."""
    if lead != 0:
        write(evaluator, start + min(abs(lead), COUNTS - 1) * STAGES, 0 if lead > 0 else 1, 1)
