"""The work of one GPU thread for the game of its number: the kernels of `core`, for a single game of a batch."""

import numpy as np

from zamek_env.base.chance import MAX_DEAL, seed_generator
from zamek_env.base.episode import EVERY_SEAT
from zamek_env.base.records import record_dtype
from zamek_env.compiler.jit import kernel
from zamek_env.core.batch import step_range
from zamek_env.core.playout import draw_action
from zamek_env.cuda import pcg64
from zamek_env.layout.actions import OVER

PLAYERS = 2  # who play on a GPU
ANY_SEAT = PLAYERS  # the learner's seat is drawn; else it is that seat, or EVERY_SEAT
ACTOR = record_dtype([("generator", np.uint64, 1)])  # who draws random actions


@kernel
def seed_lane(generators, seeds, actors, batch, seat, lane):
    """Seed the generators of a game that is chosen, and draw the deal and seat of its first episode.

    Writes `generators`, `actors`, `next_deal`, `next_learner`.
    """
    if batch.chosen[lane]:
        words = seeds[lane].words
        pcg64.seed(generators[lane], words)
        _draw_episode(generators[lane], batch.episodes[lane], seat)
        seed_generator(actors[lane].generator, (int(words[0]) | int(words[1]) << 32) & MAX_DEAL)


@kernel
def step_lane(tables, logs, trials, batch, seen, generators, deals, options, seat, lane):
    """Do as `step_range` does in one game; if it was dealt, note the deal, and draw the next deal and seat.

    Writes `generators` and `deals`, too.
    """
    step_range(tables, logs, trials, batch, seen, options, lane, lane + 1)
    outcome, episode = batch.outcomes[lane], batch.episodes[lane]
    if outcome.was_dealt:
        outcome.was_dealt = 0
        deals[lane] = episode.next_deal
        _draw_episode(generators[lane], episode, seat)


@kernel
def draw_lane(tables, batch, actors, drawn, lane):
    """Draw a random legal action of one game into `drawn`, 0 where it is over. Writes `actors`."""
    s = batch.states[lane]
    drawn[lane] = 0 if s.phase == OVER else draw_action(tables[0], s, actors[lane].generator)


@kernel
def _draw_episode(generator, episode, seat):
    """Draw a deal and, where there is an opponent, the learner's seat, as `reset` of a single environment does."""
    episode.next_deal = pcg64.draw_deal(generator)
    episode.next_learner = EVERY_SEAT
    if seat != EVERY_SEAT:
        drawn = pcg64.draw_seat(generator)
        episode.next_learner = drawn if seat == ANY_SEAT else seat
