"""End scoring: areas that are not completed, family house, nests, the best use of the tokens for the end.

Rules Z23, Z24, Z27–Z29, S11, C6, C8.
"""

from zamek_env.base.records import NONE
from zamek_env.compiler.bits import as_index
from zamek_env.compiler.jit import kernel
from zamek_env.compiler.memory import new_scratch
from zamek_env.core.areas import count_largest_empty_group, count_tiles, count_touched, is_due, is_paid
from zamek_env.core.log import AREAS_PAID, HOUSE_PAID, NESTS_PAID, TOKEN_PAID, write_event
from zamek_env.core.nests import find_more_nests
from zamek_env.core.pieces import find_factor
from zamek_env.core.scoring import count_points
from zamek_env.core.tables import FAMILY_HOUSE, MARKS, POINTS, UNFINISHED_AREA


@kernel
def score_end(t, s, log):
    """Add everything that counts at the end of the game. Writes `score`, `log`."""
    for player in range(s.score.size):
        for feature in range(t.feature_mark_points.size):
            paid = sum_end_points(t, s, feature, player)
            if paid > 0:
                _pay(s, log, AREAS_PAID, player, feature, paid)
        for kind in range(1, t.token_use.size):
            paid = sum_token_points(t, s, kind, player)
            if paid > 0:
                _pay(s, log, TOKEN_PAID, player, kind, paid)
    larger = find_larger_house(t, s)
    if larger != NONE:
        _pay(s, log, HOUSE_PAID, larger, 0, count_largest_empty_group(t, s))
    richer = find_more_nests(s)
    if richer != NONE:
        _pay(s, log, NESTS_PAID, richer, 0, count_largest_empty_group(t, s))


@kernel
def _pay(s, log, event, player, subject, points):
    s.score[player] += points
    write_event(log, event, player, subject, points)


@kernel
def list_controlled(t, s, feature, player, areas):
    """Write the areas of `feature` that pay `player` into `areas`; return how many there are (rules Z24, C6)."""
    count = 0
    for follower in range(s.follower_node.shape[1]):
        node = s.follower_node[player, follower]
        if node <= NONE or t.node_feature[node] != feature:
            continue
        area = s.area[node]
        known = False
        for number in range(count):
            known = known or areas[number] == area
        if not known and is_paid(t, s, area, player):
            areas[count] = area
            count += 1
    return count


@kernel
def count_end_points(t, s, area):
    """Return what `area` pays at the end if it stays as it is, princes not included (rules Z27, C6, C8)."""
    feature = as_index(t.node_feature[area])
    points = int(s.area_marks[area]) * int(t.feature_mark_points[feature])
    if t.feature_unfinished_points[feature] != 0:
        points += count_tiles(s, area) * int(t.feature_unfinished_points[feature])
    if s.area_touched.size > 0 and t.feature_touch_points[feature] != 0:
        points += count_touched(s, area, True) * int(t.feature_touch_points[feature])
    return points


@kernel
def write_worths(t, s, worths):
    """Write `worths[area, player]` of each area on the board: whether it pays the player, what now and what at the end.

    Now it pays what scoring would, without tokens; an area of a feature that is never complete pays what the end would.
    Both are counted as if it paid the player. A complete area pays nothing at the end.
    """
    worths.fill(NONE)
    for node in range(s.area.size):
        area = s.area[node]
        if area == NONE or worths[area, 0, 0] != NONE:
            continue
        completes = t.feature_completes[as_index(t.node_feature[area])] != 0
        at_end = 0 if is_due(t, s, area) else count_end_points(t, s, area)
        now = count_points(t, s, area, 0) if completes else at_end
        for player in range(s.score.size):
            factor = find_factor(t, s, area, player)
            worths[area, player, 0] = is_paid(t, s, area, player)
            worths[area, player, 1] = now * factor
            worths[area, player, 2] = at_end * factor


@kernel
def sum_end_points(t, s, feature, player):
    """Return what the areas of `feature` that pay `player` at the end pay, tokens not included (rules Z27, S7, C6)."""
    a_mark, a_tile = t.feature_mark_points[feature], t.feature_unfinished_points[feature]
    if a_mark == 0 and a_tile == 0 and t.feature_touch_points[feature] == 0:
        return 0
    areas = new_scratch(s.follower_area)
    total = 0
    for number in range(list_controlled(t, s, feature, player, areas)):
        total += count_end_points(t, s, areas[number]) * find_factor(t, s, areas[number], player)
    return total


@kernel
def sum_token_points(t, s, kind, player):
    """Return the points that `player`'s tokens of `kind` add at the end, each used at its best (rules Z23, Z24)."""
    count = int(s.tokens[player, kind])
    use, points = t.token_use[kind], int(t.token_points[kind])
    if count == 0:
        return 0
    if use == POINTS:
        return count * points
    if use in (MARKS, UNFINISHED_AREA):
        return points * _sum_largest(t, s, t.token_feature[kind], player, count, use == MARKS)
    return 0


@kernel
def _sum_largest(t, s, feature, player, count, by_marks):
    """Return the summed worth (marks or tiles) of the `count` worthiest areas of `feature` that `player` controls.

    The player's prince doubles what a token brings on the area in which it stands (rule S7).
    """
    areas, worths = new_scratch(s.follower_area), new_scratch(s.follower_area)
    controlled = list_controlled(t, s, feature, player, areas)
    for number in range(controlled):
        worth = int(s.area_marks[areas[number]]) if by_marks else count_tiles(s, areas[number])
        worths[number] = worth * find_factor(t, s, areas[number], player)
    total = 0
    for _ in range(min(count, controlled)):
        worthiest = 0
        for number in range(1, controlled):
            if worths[number] > worths[worthiest]:
                worthiest = number
        total += int(worths[worthiest])
        worths[worthiest] = 0
    return total


@kernel
def count_house_size(t, s, player):
    """Return the size of `player`'s family house with tokens for it; 0 without one (rules Z23, Z28)."""
    size = int(s.family_house[player])
    if size > 0:
        for kind in range(1, t.token_use.size):
            if t.token_use[kind] == FAMILY_HOUSE:
                size += int(s.tokens[player, kind]) * int(t.token_points[kind])
    return size


@kernel
def find_larger_house(t, s):
    """Return the player whose family house is larger, or NONE (rule Z28)."""
    if s.family_house.size == 0:
        return NONE
    lead = count_house_size(t, s, 0) - count_house_size(t, s, 1)
    if lead == 0:
        return NONE
    return 0 if lead > 0 else 1
