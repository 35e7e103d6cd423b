"""What a step brought, for each of many games: a small record, so that a field of all games is read from few lines."""

import numpy as np

from zamek_env.core.tables import record_dtype

OUTCOME = record_dtype(
    [
        ("reward", np.float64),  # of the last step, for who acted
        ("player", np.int8),  # who is to decide, NONE where the game is over
        ("ended", np.uint8),  # the episode ended with this step
        ("is_illegal", np.uint8),  # by an illegal action
        ("is_waiting", np.uint8),  # it ended, or was cut off, and has not been dealt anew
        ("is_over", np.uint8),  # it ended and has not been dealt anew: the mask is all ones
    ]
)
