"""The episodes of a batch of games: the data kept of each, and how they begin and end."""

import numpy as np

from zamek_env.core.jit import kernel

# fields shared by the records `EPISODE` of all games, which add others
EPISODE_NUMBERS = (
    ("next_deal", np.int64),  # of the next episode
    ("generator", np.uint64, 1),  # the opponents'
    ("gain", np.float64),  # player 0's, or the learner's, rewards so far
    ("last_gain", np.float64),  # the same of the episode that ended last
    ("length", np.int32),  # the learner's decisions so far
    ("last_length", np.int32),
)
EPISODE_SEATS = (
    ("learner", np.int8),  # the learner's seat, or EVERY_SEAT
    ("next_learner", np.int8),  # in the next episode
    ("last_learner", np.int8),  # in the one that ended last
)


@kernel
def begin_episode(episode, outcome):
    """Note that a game was reset. Writes `learner`, `length`, `gain`, `was_dealt`, `is_waiting`, `is_over`."""
    episode.learner = episode.next_learner
    episode.length = 0
    episode.gain = 0.0
    outcome.was_dealt = 1
    outcome.is_waiting = 0
    outcome.is_over = 0


@kernel
def end_episode(episode, outcome):
    """Note that an episode has ended, which makes it the last one. Writes `last_…`, `is_waiting`, `is_over`."""
    outcome.is_waiting = 1
    outcome.is_over = 1
    episode.last_gain = episode.gain
    episode.last_length = episode.length
    episode.last_learner = episode.learner
