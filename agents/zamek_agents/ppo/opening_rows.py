"""Where an area is open, as numbers of its row.

OPENING DESCRIPTION
    `OPENING_COLUMNS` describe an area:

    squares   how many squares it is open to, scaled
    fitting   log2(1 + how many of the tiles left fit) on the square where fewest do, scaled; 0 where it is closed
    stuck     1 if no tile fits on one of them
    my_near, their_near   how often one tile might join it with an area of its feature in which I lead, or they: areas
              that are open to a square with it, scaled
"""

import math

from zamek_agents.ppo.foreseen_openings import find_crowded_place
from zamek_agents.ppo.limits import PLAYERS
from zamek_agents.ppo.openings import MANY, find_pattern
from zamek_agents.ppo.surroundings import is_free
from zamek_env.core.jit import kernel

OPENING_COLUMNS = ("squares", "fitting", "stuck", "my_near", "their_near")
SQUARES, FITTING, STUCK, NEAR, _ = range(len(OPENING_COLUMNS))
SQUARES_SCALE, FITTING_SCALE, NEAR_SCALE = 0.25, 0.2, 0.5


@kernel
def write_openings(openings, root, row):
    """Write the `OPENING_COLUMNS` of the area at a `root` of the board, to `row`."""
    _write_squares(openings.open_to[root], openings.fewest[root], row)
    _write_near(openings.near[root], row)


@kernel
def write_openings_after(openings, place, row):
    """Write the `OPENING_COLUMNS` that the area at a `place` would have, to `row`."""
    _write_squares(openings.open_to_after[place], openings.fewest_after[place], row)
    _write_near(openings.near_after[place], row)


@kernel
def write_surrounded_openings(board_map, board, openings, square, middle, row):
    """Write the `OPENING_COLUMNS` of the surrounded area of the tile on the square `middle`, to `row`."""
    squares, fewest = 0, MANY
    for number in range(board_map.around.shape[1]):
        around = board_map.around[middle, number]
        if around != square and is_free(board, around):
            squares += 1
            fewest = min(fewest, int(openings.fits[find_pattern(board_map, openings, square, around)]))
    _write_squares(squares, fewest, row)


@kernel
def is_crowded(openings, number):
    """Return whether the tile would change the `OPENING_COLUMNS` of the crowded area of that number."""
    place, root = find_crowded_place(openings, number), openings.crowded[number]
    changes = openings.fewest_after[place] != openings.fewest[root]
    for player in range(PLAYERS):
        changes = changes or openings.near_after[place, player] != openings.near[root, player]
    return changes


@kernel
def write_crowded_openings(openings, number, row):
    """Write the `OPENING_COLUMNS` that a crowded area would have to `row`; return its present `fitting`."""
    write_openings_after(openings, find_crowded_place(openings, number), row)
    return _scale_fits(openings.fewest[openings.crowded[number]])


@kernel
def _scale_fits(fits):
    return math.log2(1.0 + fits) * FITTING_SCALE


@kernel
def _write_squares(squares, fewest, row):
    row[SQUARES] = squares * SQUARES_SCALE
    row[FITTING] = _scale_fits(fewest) if squares > 0 else 0.0
    row[STUCK] = squares > 0 and fewest == 0


@kernel
def _write_near(near, row):
    for player in range(PLAYERS):
        row[NEAR + player] = near[player] * NEAR_SCALE
