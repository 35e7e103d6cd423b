"""The learned evaluation as one record: its weights, and its notes on the position that it looks at.

EVALUATOR DESCRIPTION
    An area is named as in a state: by its smallest node. Fields by area hold a value at that index; lists hold numbers,
    as many as their counter says.
    The tiles that fit on a cell follow from the edges of its neighbours: its pattern, a number with one digit a side, 0
    for nothing there and 1 + edge else. `weights` and the sets of tiles last as long as the record. All else is scratch
    space: a survey (`survey.py`) and the features after it (`features.py`) overwrite that of the last position.
"""

import numpy as np
import numpy.typing as npt

from zamek_agents.value.features import MOST_JOINS, count_features
from zamek_agents.value.survey import SLOTS, write_ending, write_fitting
from zamek_env.base.records import record_dtype
from zamek_env.components.bitset import num_words
from zamek_env.components.model import NUM_PORTS, NUM_ROTATIONS, NUM_SIDES, PORTS_PER_SIDE
from zamek_env.layout.sizes import Sizes
from zamek_env.ruleset import Ruleset

OF_AN_AREA = 8  # features at most, of one with pieces; of one without there is one
FINENESS = 2.0**40  # weights are multiples of 1 / FINENESS
SPARE = 256  # entries beyond those for areas: for links between areas, and for features of pieces and tokens


def evaluator_dtype(ruleset: Ruleset) -> np.dtype[np.record]:
    """Return the dtype of an evaluator of positions of a `Ruleset`."""
    sizes, views = ruleset.sizes, count_views(ruleset.players)
    return record_dtype(
        [
            # a worth is a number for each player or, for two players, only that for player 0
            ("sums", np.float64, views),  # of the features noted
            ("totals", np.float64, views),  # of the position evaluated last
            ("worth", np.float64, views),  # of the areas of the turn's end evaluated last
            ("base_worth", np.float64, views),  # of the areas of the base (`incremental.py`), and of the move
            ("area_worth", np.float64, (sizes.nodes, views)),  # of the base, for the move of `base_mover`
            ("counted_keys", np.int64, SLOTS),  # of what is remembered (`survey.py`), NONE where nothing is
            ("weights", np.float32, count_features(ruleset)),  # points, one for each feature
            *_set_fields(sizes),
            ("base_closed", np.uint32, sizes.touched_words),  # `closed` of the base
            # by empty cell next to a tile
            ("pattern", np.int32, sizes.cells),
            ("closed", np.int32, sizes.cells),  # bit set of its sides with a wall or a tile
            ("cell_fits", np.int32, sizes.cells),  # how many of the tiles left fit there
            ("first_entry", np.int32, sizes.cells),  # of those in `entries` that are its own, which follow each other
            ("end_entry", np.int32, sizes.cells),
            # by area
            ("cells", np.int32, sizes.nodes),  # how many different empty cells it opens to
            ("fits", np.int32, sizes.nodes),  # how many of the tiles left fit on the hardest of them
            ("last", np.int32, sizes.nodes),  # the last of them << NUM_PORTS, with bits for the ports where it comes in
            ("before", np.int32, sizes.nodes),  # the one before, NONE where there is but one
            ("is_linked", np.int32, sizes.nodes),  # it opens to a cell to which another area of its feature opens
            ("counts", np.int32, SLOTS),  # of tiles that end or join what has its key in `counted_keys`
            *_list_fields(sizes),
            ("ready", np.int32, (sizes.players,)),  # areas in which a player leads, that one tile may complete
            ("base_ready", np.int32, (sizes.players,)),
            ("num_entries", np.int32),
            ("num_kept", np.int32),
            ("noted_left", np.int32),  # tiles left where cells were noted, NONE where nothing is known of them
            ("surveyed_left", np.int32),  # tiles left where areas were surveyed, NONE where that was on another board
            ("valued_for", np.int32),  # the player to move for whom `worth` was found, NONE where it is not known
            ("mover", np.int32),  # who has the next turn in the position that is valued
            ("placed", np.int32),  # cell of the tile placed since the base, NONE where it lay there before
            ("base_tile", np.int32),  # the tile of the turn
            ("base_mover", np.int32),
            ("num_changed", np.int32),
            ("num_watched", np.int32),
            ("num_seen", np.int32),
            ("num_links", np.int32),
            ("num_features", np.int32),
            # by area, again
            ("base_area", np.int16, sizes.nodes),  # by node: the area that it was of on the base, or NONE
            ("owner", np.int8, sizes.nodes),  # who leads in it, or one of the constants of `survey.py`
            ("risk", np.int8, sizes.nodes),  # bit `player` set where one tile may join it with an area of that player's
            ("change", np.int8, sizes.nodes),  # what may have changed since the base (`survey.py`)
            ("ready_for", np.int8, sizes.nodes),  # bit set of those for whom it counts in `base_ready`
            ("owners", np.int8, (count_room(sizes) if views > 1 else 0,)),  # of the features in `numbers`
        ]
    )


def count_views(players: int) -> int:
    """Return how many numbers say what something is worth to `players` players."""
    return players if players > 2 else 1


def _set_fields(sizes):
    """Return the fields that hold sets of tiles."""
    patterns, words = (1 + sizes.edges) ** NUM_SIDES, num_words(sizes.tiles)
    turned = (NUM_ROTATIONS, words)
    return [
        ("fitting", np.uint32, (patterns, words)),  # bit set of the tiles of the deck that fit each pattern
        # the same by rotation; and of those that, by feature, let an area end that comes in at a side's ports of a
        # bit set, when a bit set of sides is closed, and that join what comes in at two ports
        ("fitting_turned", np.uint32, (patterns, *turned)),
        ("closing", np.uint32, (sizes.features, NUM_SIDES, 1 << PORTS_PER_SIDE, 1 << NUM_SIDES, *turned)),
        ("joining", np.uint32, (sizes.features, NUM_PORTS, NUM_PORTS, *turned)),
        ("left", np.uint32, words),  # bit set of the tiles left
    ]


def _list_fields(sizes):
    """Return the fields that hold lists."""
    room = count_room(sizes)
    return [
        # where areas come in: the first of ports of a side that follow, all as a bit set, and the node next to them
        ("entries", np.int32, (count_entries(sizes), 3)),
        ("kept", np.int32, (NUM_SIDES, 6)),  # what is noted of a cell, which comes first, to be restored
        ("seen", np.int32, sizes.nodes),  # the areas that open to any cell
        ("changed", np.int32, sizes.nodes),  # the areas of which something may have changed since the base
        ("watched", np.int32, sizes.nodes),  # those that may be worth something else wherever they are
        ("near", np.int32, (NUM_PORTS, 2)),  # areas that open to one cell, while they are found, and a port of it
        # two areas of one feature that open to one cell, of which somebody is in one; it; its port to each
        ("links", np.int32, (sizes.nodes + SPARE, 5)),
        ("numbers", np.int32, room),  # of the features that are not 0
        ("amounts", np.int32, room),  # their values
    ]


def count_room(sizes: Sizes) -> int:
    """Return how many features an evaluator can note, for a ruleset of these `Sizes`: more than a position has."""
    pieces = sizes.players * (sizes.followers + sizes.special_pieces)
    return sizes.nodes + OF_AN_AREA * pieces + MOST_JOINS + SPARE


def count_entries(sizes: Sizes) -> int:
    """Return how many entries an evaluator can note: one a port of all that may lie there, and some noted again."""
    return NUM_PORTS * (sizes.tiles + sizes.starts + NUM_SIDES)


def new_evaluators(ruleset: Ruleset, weights: npt.ArrayLike) -> npt.NDArray[np.record]:
    """Return an evaluator with these `weights`, float32 `(features,)`, as an array of shape `(1,)`.

    They are rounded so that sums of features are exact, in whatever order.
    """
    evaluators = np.zeros(1, evaluator_dtype(ruleset))
    evaluators["weights"] = np.rint(np.multiply(weights, FINENESS, dtype=np.float64)) / FINENESS
    write_fitting(ruleset.tables[0], ruleset.sizes.edges, evaluators[0])
    write_ending(ruleset.tables[0], evaluators[0])
    return evaluators
