"""The outcome of a step in each of many games: small records, so that a field of all games lies on few cache lines."""

import numpy as np

from zamek_env.core.jit import kernel
from zamek_env.core.tables import record_dtype

EVERY_SEAT = -1  # in place of the learner's seat: the learner decides for all

OUTCOME = record_dtype(
    [
        ("reward", np.float64),  # of the last step, for who acted
        ("player", np.int8),  # the player to decide, NONE where the game is over
        ("ended", np.uint8),  # the episode ended with this step
        ("is_illegal", np.uint8),  # by an illegal action
        ("is_waiting", np.uint8),  # it ended, or was cut off, and has not been reset
        ("is_over", np.uint8),  # it ended and has not been reset: the mask is all ones
        ("was_dealt", np.uint8),  # and its deal has not been noted yet (`upcoming.note_deals`)
    ]
)


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
