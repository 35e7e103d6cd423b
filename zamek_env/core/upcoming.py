"""The next episodes of many games; several are drawn ahead for each game."""

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
def put_next_episode(upcoming, episodes, games, used_up):
    """Write the deal and seat of the next episode of each of `games`. Returns as `note_deals` does."""
    count = 0
    for number in range(games.size):
        game = as_index(games[number])
        count += _take(upcoming[game], episodes[game], game, used_up, count)
    return count


@kernel
def note_deals(upcoming, episodes, outcomes, deals, used_up):
    """Write the deals of games that were just dealt to `deals`, and what their next episodes begin with.

    Returns how many games have now used up the episodes drawn for them, and writes their numbers to `used_up`. Also
    writes `was_dealt`.
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
    """Write what the next episode of a game begins with; return whether it was the last one drawn ahead.

    If drawing more of them was interrupted, the last one is taken again.
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
