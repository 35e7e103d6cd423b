"""The episodes that come next in each of many games, of which some are drawn ahead."""

import numpy as np

from zamek_env.core.bits import as_index
from zamek_env.core.jit import kernel
from zamek_env.core.tables import record_dtype

AHEAD = 16  # episodes drawn at once, which takes little longer than drawing one


def upcoming_dtype(ahead: int) -> np.dtype[np.record]:
    """Return the dtype of the episodes that come next in one game, of which so many are drawn `ahead`."""
    return record_dtype(
        [
            ("deals", np.int64, ahead),
            ("taken", np.int32),  # how many of them have been
            ("learners", np.int8, ahead),  # the learner's seat in each, or EVERY_SEAT
        ]
    )


@kernel
def put_next(upcoming, episodes, games, used_up):
    """Write what the next episode of each of `games` begins with. Returns as `note_deals` does."""
    count = 0
    for number in range(games.size):
        game = as_index(games[number])
        count += _take(upcoming[game], episodes[game], game, used_up, count)
    return count


@kernel
def note_deals(upcoming, episodes, outcomes, deals, used_up):
    """Write the deals of games that were just dealt to `deals`, and what their next episodes begin with.

    Returns of how many games all that were drawn are taken now, and writes which to `used_up`. Writes `was_dealt`, too.
    """
    count = 0
    for game in range(outcomes.size):
        outcome = outcomes[game]
        if outcome.was_dealt:
            outcome.was_dealt = 0
            deals[game] = episodes[game].next_deal
            count += _take(upcoming[game], episodes[game], game, used_up, count)
    return count


@kernel
def _take(ahead, episode, game, used_up, count):
    """Write what the next episode of a game begins with. Returns whether all that were drawn for it are taken now."""
    take(ahead, episode)
    is_last = ahead.taken >= ahead.deals.size
    if is_last:
        used_up[count] = game
    return is_last


@kernel
def take(ahead, episode):
    """Write what the next episode of a game begins with. Writes `taken`, `next_deal`, `next_learner`.

    Where more should have been drawn, and somebody interrupted that, the last one is taken again.
    """
    number = as_index(min(int(ahead.taken), ahead.deals.size - 1))
    episode.next_deal = ahead.deals[number]
    episode.next_learner = ahead.learners[number]
    ahead.taken += 1
