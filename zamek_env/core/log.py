"""The log of one step: tiles discarded, areas scored, points at the end. Written by the engine, never read.

LOG DESCRIPTION
    One row an event, in the order they happened, with the columns `LOGGED_…`; the meaning of the subject depends on the
    event:

    DISCARDED     tile      drawn, fits nowhere, out of the game (Z11)
    PUT_BACK      tile      drawn, fits nowhere, back in the bag (H3)
    SCORED        node      on a placed tile of the area; also its tiles and points, the token used on it, the score
                            after it, the token that the marker took (Z18–Z22), and nests taken (S9)
    AREAS_PAID    feature   points for areas of it that are not completed, at the end (Z27, C6, C8)
    HOUSE_PAID    0         points for the larger family house (Z28)
    NESTS_PAID    0         points for more nests (S11)
    TOKEN_PAID    kind      additional points by a token at the end (Z23)
"""

import numpy as np

from zamek_env.base.records import record_dtype
from zamek_env.compiler.jit import kernel
from zamek_env.layout.sizes import Sizes

DISCARDED, SCORED, AREAS_PAID, HOUSE_PAID, TOKEN_PAID, NESTS_PAID, PUT_BACK = range(7)
(
    LOGGED_EVENT, LOGGED_PLAYER, LOGGED_SUBJECT, LOGGED_TILES, LOGGED_POINTS, LOGGED_TOKEN, LOGGED_SCORE, LOGGED_TOOK,
    LOGGED_NESTS,
) = range(9)  # fmt: skip
NUM_COLUMNS = 9


def log_dtype(sizes: Sizes) -> np.dtype[np.record]:
    """Return the dtype of a log that holds the events of any one step."""
    payments = sizes.players * (sizes.features + sizes.kinds) + 2  # the family house and the nests pay one player
    rows = sizes.tiles + sizes.players * sizes.pieces + payments
    return record_dtype([("count", np.int16), ("rows", np.int16, (rows, NUM_COLUMNS))])


@kernel
def write_event(log, event, player, subject, points):
    """Append an event and return its row, for columns that only some events have."""
    row = log.rows[log.count]
    log.count += 1
    row.fill(0)
    row[LOGGED_EVENT] = event
    row[LOGGED_PLAYER] = player
    row[LOGGED_SUBJECT] = subject
    row[LOGGED_POINTS] = points
    return row
