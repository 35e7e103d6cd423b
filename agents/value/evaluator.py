"""The learned evaluation as one record: what it has learned, and what it notes of the position that it looks at.

EVALUATOR DESCRIPTION
    An area is named as in a state: by its smallest node. Fields by area hold a value at that index; lists hold numbers,
    as many as their counter says.
    Which tiles fit on a cell follows from what its neighbours show: its pattern, a number with one digit a side, 0 for
    nothing there and 1 + edge else.
    `weights` and `fitting` last as long as the record. All else is scratch space: a survey (`survey.py`) and the
    features after it (`features.py`) overwrite what the last position left.
"""

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from zamek_agents.value.feature_groups import count_features
from zamek_env.components.model import NUM_PORTS, NUM_ROTATIONS, NUM_SIDES
from zamek_env.components.words import num_words
from zamek_env.core.bits import set_bit
from zamek_env.core.jit import kernel
from zamek_env.core.tables import record_dtype
from zamek_env.layout.sizes import Sizes

if TYPE_CHECKING:
    from zamek_env.ruleset import Ruleset

SPARE = 256  # entries beyond one for each node, for the features of a position and the links between areas


def evaluator_dtype(ruleset: "Ruleset") -> np.dtype[np.record]:
    """Return the dtype of an evaluator of positions of a `Ruleset`."""
    sizes, room = ruleset.sizes, count_room(ruleset.sizes)
    patterns, words = (1 + sizes.edges) ** NUM_SIDES, num_words(sizes.tiles)
    return record_dtype(
        [
            ("weights", np.float32, count_features(ruleset)),  # points, one for each feature
            ("fitting", np.uint32, (patterns, words)),  # bit set of the tiles of the deck that fit each pattern
            ("left", np.uint32, words),  # bit set of the tiles left
            # by area
            ("cells", np.int32, sizes.nodes),  # how many different empty cells it opens to
            ("fits", np.int32, sizes.nodes),  # how many of the tiles left fit on the hardest of them
            ("last_cell", np.int32, sizes.nodes),  # the last of them, while they are being counted
            ("owner", np.int32, sizes.nodes),  # who leads in it, or one of the constants of `survey.py`
            ("risk", np.int32, sizes.nodes),  # bit `player` set where one tile may join it with an area he leads in
            # lists
            ("seen", np.int32, sizes.nodes),  # the areas that open to any cell
            ("near", np.int32, NUM_PORTS),  # the areas that open to one cell, while they are being found
            ("links", np.int32, (room, 2)),  # two areas of one feature open to one cell: one tile can join them
            ("numbers", np.int32, room),  # of the features that are not 0
            ("amounts", np.int32, room),  # their values
            ("num_seen", np.int32),
            ("num_links", np.int32),
            ("num_features", np.int32),
        ]
    )


def count_room(sizes: Sizes) -> int:
    """Return how many features or links an evaluator can note, for a ruleset of these `Sizes`."""
    return sizes.nodes + SPARE


def new_evaluators(ruleset: "Ruleset", weights: npt.ArrayLike) -> npt.NDArray[np.record]:
    """Return an evaluator with these `weights`, float32 `(features,)`, as an array of shape `(1,)`."""
    evaluators = np.zeros(1, evaluator_dtype(ruleset))
    evaluators["weights"] = weights
    _write_fitting(ruleset.tables[0], ruleset.sizes.edges, evaluators["fitting"][0])
    return evaluators


@kernel
def _write_fitting(t, edges, out):
    """Write the set of tiles that fit each pattern in some rotation into `out`, of the shape of `fitting`."""
    tiles = t.tile_node.shape[0] - t.start_cell.size
    for pattern in range(out.shape[0]):
        for face in range(tiles * NUM_ROTATIONS):
            shown, fits = pattern, True
            for side in range(NUM_SIDES):
                fits = fits and shown % (1 + edges) in (0, 1 + t.face_edge[face, side])
                shown //= 1 + edges
            if fits:
                set_bit(out[pattern], face // NUM_ROTATIONS)
