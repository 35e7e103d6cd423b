"""The episodes of a batch of games, the outcomes of their last steps, and the deals of their next ones.

Outcomes are small records, so that a field of all games lies on few cache lines.
"""

import numpy as np

from zamek_env.base.records import record_dtype
from zamek_env.compiler.bits import as_index
from zamek_env.compiler.jit import kernel

EVERY_SEAT = -1  # in place of the learner's seat: the learner decides for all
AHEAD = 16  # episodes drawn at once, which takes little longer than drawing one

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
OUTCOME = record_dtype(
    [
        ("reward", np.float64),  # of the last step, for who acted
        ("player", np.int8),  # the player to decide, NONE where the game is over
        ("ended", np.uint8),  # the episode ended with this step
        ("is_illegal", np.uint8),  # by an illegal action
        ("is_waiting", np.uint8),  # it ended, or was cut off, and has not been reset
        ("is_over", np.uint8),  # it ended and has not been reset: the mask is all ones
        ("was_dealt", np.uint8),  # and its deal has not been noted yet (`note_deals`)
    ]
)
UPCOMING = record_dtype(
    [
        ("deals", np.int64, AHEAD),
        ("taken", np.int32),  # how many of them have been
        ("learners", np.int8, AHEAD),  # the learner's seat in each, or EVERY_SEAT
    ]
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


@kernel
def clear_outcome(outcome):
    """Clear the outcome of the last step. Writes `ended`, `is_illegal`, `reward`."""
    outcome.ended = 0
    outcome.is_illegal = 0
    outcome.reward = 0.0


@kernel
def tell(outcomes, told, first, end):
    """Write the outcome of the last step in games `first` … `end - 1`; return in how many an episode ended or began.

    `told` are arrays of the rewards, of which games terminated, and of the players to decide now.
    """
    rewards, terminated, players = told
    count = 0
    for game in range(first, end):
        outcome = outcomes[game]
        rewards[game] = outcome.reward
        terminated[game] = outcome.ended
        players[game] = outcome.player
        count += outcome.ended | outcome.was_dealt
    return count


@kernel
def sum_up(episodes, results, ended, total_rewards, lengths, seats, last_results):
    """Write the total reward, the length and the learner's seat of each episode that `ended`.

    Its row of `results`, with what else is known of its end, is copied to its row of `last_results`.
    """
    for game in range(episodes.size):
        if ended[game]:
            episode = episodes[game]
            total_rewards[game] = episode.last_gain
            lengths[game] = episode.last_length
            seats[game] = episode.last_learner
            for column in range(last_results.shape[1]):
                last_results[game, column] = results[game, column]


# --- the next episodes ---


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
