"""Which cities fields touch (rule C8), on the board and if a tile lay on a square, from the planes of an observation.

Field and city stand for any area that touches others and any that is touched. A city touched in several places counts
once, so each has a number, and what a field touches is kept as a set of bits.

FIELD DESCRIPTION
    `FARM_COLUMNS` describe an area, scaled by `FARM_SCALE`:

    finished, unfinished          cities that a field touches, completed ones and others
    led_finished, led_unfinished  of a field: the same, negative where the opponent leads in it, 0 where nobody does;
                                  of a city: the fields that touch it in which I lead, less those in which they do
"""

import numpy as np

from zamek_agents.ppo.surroundings import FOLLOWERS, OPEN_PORTS, find_leader, find_root
from zamek_env.components.bitset import num_words
from zamek_env.core.bits import as_index, count_word, has_bit, set_bit
from zamek_env.core.jit import kernel
from zamek_env.core.tables import NONE, record_dtype

FARM_COLUMNS = ("finished", "unfinished", "led_finished", "led_unfinished")
FINISHED, UNFINISHED, LED_FINISHED, LED_UNFINISHED = range(len(FARM_COLUMNS))
FARM_SCALE = 0.25


def new_farms(board_map: np.record) -> np.record:
    """Return room for the fields and cities of a board, and how they would be if a tile lay on a square.

    Groups are those of `new_touch`; what is known of one stands at the segment that names it.
    """
    sites, segments = board_map.beside.shape[0], board_map.feature.shape[1]
    nodes, words = sites * segments, num_words(board_map.most_cities)
    fields = [
        ("held", np.int64, nodes),  # roots of fields with followers
        ("counts", np.int64, 2),  # how many (cities, fields with followers) there are
        ("touched", np.uint32, (nodes, words)),  # the cities of each field, at its root
        ("finished", np.uint32, words),  # the cities that are complete
        ("joined", np.uint32, (segments, words)),  # by group: the cities that the tile would join to one
        ("touched_after", np.uint32, (segments, words)),  # by group: the cities that a field would touch
        ("finished_after", np.uint32, words),  # the cities that would be complete
        ("number", np.int16, nodes),  # of each city at its root, NONE for others
        ("number_after", np.int16, segments),  # by group: the number of that city then
    ]
    return np.zeros(1, record_dtype(fields))[0]


@kernel
def read_farms(board_map: np.record, board: np.record, farms: np.record) -> None:
    """Find what the fields of a `board` touch, once its areas are known. Writes the `farms` as they are now."""
    farms.finished.fill(0)
    farms.counts.fill(0)
    segments = board_map.feature.shape[1]
    for site in range(board.face.size):
        for segment in range(segments if board.face[site] > NONE else 0):
            _list_area(board_map, board, site, segment, farms)
    for site in range(board.face.size):
        for segment in range(segments if board.face[site] > NONE else 0):
            _find_touched(board_map, board, site, segment, farms)


@kernel
def _list_area(board_map, board, site, segment, farms):
    """Number the area that a segment names if it is a city, and list it if it is a field with followers."""
    segments = board_map.feature.shape[1]
    node = site * segments + segment
    farms.touched[node].fill(0)
    farms.number[node] = NONE
    feature = board_map.feature[as_index(board.face[site]), segment]
    if feature <= NONE or board.parent[node] != node:
        return
    if board_map.is_city[feature] and farms.counts[0] < board_map.most_cities - segments:
        farms.number[node] = farms.counts[0]
        if board.areas[node, OPEN_PORTS] == 0:
            set_bit(farms.finished, farms.counts[0])
        farms.counts[0] += 1
    elif board.areas[node, FOLLOWERS] + board.areas[node, FOLLOWERS + 1] > 0:
        farms.held[farms.counts[1]] = node
        farms.counts[1] += 1


@kernel
def _find_touched(board_map, board, site, segment, farms):
    """Find which cities the field of a segment touches on its tile. Writes `touched`."""
    segments = board_map.feature.shape[1]
    for other in range(segments):
        if not board_map.touches[as_index(board.face[site]), segment, other]:
            continue
        number = farms.number[find_root(board.parent, site * segments + other)]
        if number > NONE:
            set_bit(farms.touched[find_root(board.parent, site * segments + segment)], number)


@kernel
def foresee_farms(board_map: np.record, shown: int, touch: np.record, farms: np.record) -> None:
    """Find what fields would touch if a tile lay as `touch` has it. Writes the rest of `farms`."""
    _foresee_cities(board_map, shown, touch, farms)
    farms.touched_after.fill(0)
    for segment in range(touch.group.size):
        to = as_index(touch.group[segment])
        for other in range(touch.group.size):
            if board_map.touches[shown, segment, other]:
                set_bit(farms.touched_after[to], farms.number_after[as_index(touch.group[other])])
    for port in range(touch.joins.size):
        if touch.joins[port]:
            to = as_index(touch.group[as_index(board_map.segment[shown, port])])
            for word in range(farms.finished.size):
                farms.touched_after[to, word] |= farms.touched[touch.root[port], word]
    for city in range(touch.group.size):
        if farms.number_after[city] > NONE:
            for field in range(touch.group.size):
                _join_cities(farms.touched_after[field], farms.joined[city], farms.number_after[city])


@kernel
def _foresee_cities(board_map, shown, touch, farms):
    """Write `joined`, `number_after`, `finished_after`: a city of the tile is the first that it joins, or a new one."""
    farms.joined.fill(0)
    farms.number_after.fill(NONE)
    farms.finished_after[:] = farms.finished
    for segment in range(touch.group.size):
        feature = board_map.feature[shown, segment]
        if feature > NONE and board_map.is_city[feature] and touch.group[segment] == segment:
            farms.number_after[segment] = farms.counts[0] + segment
    for port in range(touch.joins.size):
        number = farms.number[touch.root[port]] if touch.joins[port] else NONE
        if number > NONE:
            to = as_index(touch.group[as_index(board_map.segment[shown, port])])
            set_bit(farms.joined[to], number)
            farms.number_after[to] = min(farms.number_after[to], number)
    for segment in range(touch.group.size):
        if farms.number_after[segment] > NONE and touch.after[segment, OPEN_PORTS] == 0:
            set_bit(farms.finished_after, farms.number_after[segment])


@kernel
def _join_cities(cities, joined, number):
    """Count those of the `cities` which are `joined` as one, of that `number`; writes `cities`."""
    has_any = 0
    for word in range(cities.size):
        has_any |= int(cities[word] & joined[word])
        cities[word] &= ~joined[word]
    if has_any != 0:
        set_bit(cities, number)


@kernel
def write_farms(board_map, board, farms, feature, root, columns, row):
    """Write the `FARM_COLUMNS` of the area of a `feature` at a `root` of the board, with its `columns`, to `row`.

    Without farms there are no such columns, and nothing is written.
    """
    if board_map.touches.size == 0:
        return
    row.fill(0)
    if farms.number[root] > NONE:
        kind = LED_FINISHED if columns[OPEN_PORTS] == 0 else LED_UNFINISHED
        for number in range(farms.counts[1]):
            field = farms.held[number]
            if has_bit(farms.touched[field], farms.number[root]):
                row[kind] += FARM_SCALE * find_leader(board.areas[field])
    elif board_map.is_field[feature]:
        _write_field(farms.touched[root], farms.finished, columns, row)


@kernel
def write_farms_after(board_map, board, touch, farms, feature, segment, row):
    """Write the `FARM_COLUMNS` of the area of the group named by a `segment` of the tile, as `write_farms` does."""
    if board_map.touches.size == 0:
        return
    row.fill(0)
    if farms.number_after[segment] > NONE:
        kind = LED_FINISHED if touch.after[segment, OPEN_PORTS] == 0 else LED_UNFINISHED
        for number in range(farms.counts[1]):
            field = farms.held[number]
            if _has_common(farms.touched[field], farms.joined[segment]) and not _is_joined(touch, field):
                row[kind] += FARM_SCALE * find_leader(board.areas[field])
        for field in range(touch.group.size):
            if has_bit(farms.touched_after[field], farms.number_after[segment]):
                row[kind] += FARM_SCALE * find_leader(touch.after[field])
    elif board_map.is_field[feature]:
        _write_field(farms.touched_after[segment], farms.finished_after, touch.after[segment], row)


@kernel
def _write_field(touched, finished, columns, row):
    for word in range(touched.size):
        row[FINISHED] += FARM_SCALE * count_word(np.int64(touched[word] & finished[word]))
        row[UNFINISHED] += FARM_SCALE * count_word(np.int64(touched[word] & ~finished[word]))
    row[LED_FINISHED] = find_leader(columns) * row[FINISHED]
    row[LED_UNFINISHED] = find_leader(columns) * row[UNFINISHED]


@kernel
def _has_common(first, second):
    """Return whether two sets have something in common."""
    for word in range(first.size):
        if first[word] & second[word] != 0:
            return True
    return False


@kernel
def _is_joined(touch, root):
    """Return whether the tile would continue the area at a `root`."""
    for port in range(touch.joins.size):
        if touch.joins[port] and touch.root[port] == root:
            return True
    return False
