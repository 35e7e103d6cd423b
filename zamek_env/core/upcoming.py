"""The episodes that come next in each of many games, of which some are drawn ahead."""

import numpy as np

from zamek_env.core.bits import as_index
from zamek_env.core.jit import kernel
from zamek_env.core.tables import record_dtype

AHEAD = 16  # episodes drawn at once, which takes little longer than drawing one

UPCOMING = record_dtype(
    [
        ("deals", np.int64, AHEAD),
        ("taken", np.int32),  # how many of them have been
        ("learners", np.int8, AHEAD),  # the learner's seat in each, or EVERY_SEAT
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
    """Write what the next episode of a game begins with. Returns whether all that were drawn for it are taken now.

    Where more should have been drawn, and somebody interrupted that, the last one is taken again.
    """
    last = ahead.deals.size - 1
    number = as_index(min(int(ahead.taken), last))
    episode.next_deal = ahead.deals[number]
    episode.next_learner = ahead.learners[number]
    is_last = ahead.taken >= last
    ahead.taken += 1
    if is_last:
        used_up[count] = game
    return is_last
