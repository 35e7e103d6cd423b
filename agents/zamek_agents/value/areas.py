"""What the learned evaluation sees of a single area, in features of `feature_groups.py`."""

import numpy as np

from zamek_agents.value.completing import count_ending, count_joining
from zamek_agents.value.feature_groups import (
    BASIC,
    CLOSE,
    COMPLETE,
    COUNTS,
    ENDS,
    FIT,
    FREE,
    FREE_ENDS,
    GAINS,
    GROWTH,
    JOIN,
    LEADS,
    MARKS,
    MOST_JOINS,
    OPEN,
    PORTS,
    PROMISE,
    RISKS,
    SHAPE,
    SPECIALS,
    STAGES,
    TOUCHED,
    add_lead,
    find_end_range,
    find_fit_range,
    find_start,
    write,
)
from zamek_agents.value.survey import EVEN, MANY, count_fits_on, find_leader
from zamek_env.components.model import NUM_AROUND
from zamek_env.core.areas import count_followers, count_rivals, count_tiles, count_touched, is_due
from zamek_env.core.bits import as_index
from zamek_env.core.ending import count_end_points
from zamek_env.core.jit import kernel
from zamek_env.core.nests import count_due_nests
from zamek_env.core.pieces import find_factor, has_special
from zamek_env.core.placement import find_around
from zamek_env.core.scoring import find_size_points
from zamek_env.core.state import find_tile
from zamek_env.core.tables import NONE


@kernel
def write_free(t, s, evaluator, area, amount, stage):
    """Write that `area` is open and nobody is in it, for the player to move: `amount` is 1, or -1 to take it back."""
    feature = int(t.node_feature[area])
    cells, size = min(int(evaluator.cells[area]), OPEN - 1), min(find_size(t, s, area), GROWTH - 1)
    if cells == 1 and t.feature_completes[as_index(feature)]:
        ends = count_ending(t, s, evaluator, area, evaluator.last[area])
        number = find_start(t, FREE_ENDS) + ((feature * ENDS + find_end_range(ends)) * GROWTH + size) * STAGES
    else:
        number = find_start(t, FREE) + ((feature * OPEN + cells) * GROWTH + size) * STAGES
    write(evaluator, number + stage, evaluator.mover, amount)


@kernel
def find_size(t, s, area):
    """Return the size of `area`: its tiles, or where it is never completed its marks, or what it is paid to touch."""
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
    fits, middle = MANY, s.tile_location[as_index(t.node_tile[area])]
    for number in range(NUM_AROUND):
        cell = find_around(t, middle, number)
        if t.has_edge.size > 0 and cell <= NONE:
            continue
        if find_tile(s, cell) <= NONE:
            fits = min(fits, count_fits_on(t, s, evaluator, cell))
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
    """Return how `player`, who is one of those who have most pieces in `area`, leads there (`LEADS`)."""
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
    ends, before = count_ending(t, s, evaluator, area, evaluator.last[area]), evaluator.before[area]
    return ends if before <= NONE else min(ends, count_ending(t, s, evaluator, area, before))


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
            one, other = find_leader(s, first), find_leader(s, second)
            if one != other and max(one, other) < EVEN:
                _write_join(t, s, evaluator, link, first, second, one, other, stage)


@kernel
def _write_join(t, s, evaluator, link, first, second, one, other, stage):
    """Write what is gained by joining area `first`, in which player `one` leads, with `second` of player `other`."""
    joining = count_joining(t, evaluator, link)
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
