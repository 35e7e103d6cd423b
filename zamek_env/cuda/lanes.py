"""What one thread of a GPU does for the game of its number: the kernels of `core`, for a single game of a batch."""

import numpy as np

from zamek_env.core.batch import step_range
from zamek_env.core.jit import kernel
from zamek_env.core.playout import draw_action
from zamek_env.core.tables import record_dtype
from zamek_env.core.upcoming import take
from zamek_env.layout.actions import OVER

GENERATOR = record_dtype([("word", np.uint64, 1)])  # of random actions, one a game


@kernel
def step_lane(tables, logs, trials, batch, seen, upcoming, deals, options, lane):
    """Do what `step_range` does in one game; if it was dealt, note the deal, and what its next episode begins with.

    Writes `upcoming` and `deals`, too.
    """
    step_range(tables, logs, trials, batch, seen, options, lane, lane + 1)
    outcome, episode = batch.outcomes[lane], batch.episodes[lane]
    if outcome.was_dealt:
        outcome.was_dealt = 0
        deals[lane] = episode.next_deal
        take(upcoming[lane], episode)


@kernel
def draw_lane(tables, batch, generators, drawn, lane):
    """Draw a random legal action of one game into `drawn`, 0 where it is over. Writes `generators`."""
    s = batch.states[lane]
    drawn[lane] = 0 if s.phase == OVER else draw_action(tables[0], s, generators[lane].word)
