"""What a step brought, for each of many games: a small record, so that a field of all games is read from few lines."""

import numpy as np

from zamek_env.core.jit import kernel
from zamek_env.core.tables import record_dtype

EVERY_SEAT = -1  # in place of the learner's seat: the learner decides for all

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


@kernel
def clear_outcome(outcome):
    """Forget what the last step brought. Writes `ended`, `is_illegal`, `reward`."""
    outcome.ended = 0
    outcome.is_illegal = 0
    outcome.reward = 0.0
