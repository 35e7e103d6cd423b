"""Many games of tiles at once, as a pure function of arrays, which XLA calls. The first part is shared with Castle."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from zamek_env.base import chance
from zamek_env.base.rewards import find_lead_in_kernel
from zamek_env.compiler.jit import kernel
from zamek_env.core import legality
from zamek_env.core.batch import AT_HAND, Batch, Options, find_reward_since, step_range
from zamek_env.core.engine import conceal
from zamek_env.layout.actions import OVER

BEGIN, STEP, CONCEAL = range(3)  # what to do
WORDS = 3  # of a game, of which its deal and the learner's seat are made
CHUNK = 64  # games that are played and then rewarded, while they are in the cache
_NEXT = 0x5DEECE66D  # so that the next deal follows from another stream than this one


class Results(NamedTuple):
    """The results of a step in each game."""

    rewards: npt.NDArray[np.float32]  # (n, players)
    terminated: npt.NDArray[np.bool_]
    players: npt.NDArray[np.int32]  # the player to decide: the learner, where there is one; after the end who was last


class Settings(NamedTuple):
    """The settings of games, as numbers."""

    task: int  # BEGIN, STEP or CONCEAL
    opponent: int  # as in `batch.Options`
    reward: int
    learner: int  # EVERY_SEAT, or 0: the learner's seat is drawn
    auto_reset: int  # 1: a game that ends is reset in the same step
    ignores_illegal: int  # 1: an illegal action changes nothing; 0: it loses the game


def split_given(given: npt.NDArray[Any]) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.int32]]:
    """Return (words, actions) as the kernels take them, where `given` are words, (n, 3), or actions, (n,)."""
    if given.ndim == 1:
        return np.zeros((0, WORDS), np.uint32), given.astype(np.int32)
    return given.astype(np.uint32), np.zeros(0, np.int32)


@kernel
def join_words(words, game):
    """Return the number of a deal from the first two words of a game."""
    return (int(words[game, 0]) & 0x7FFFFFFF) << 32 | int(words[game, 1])


@kernel
def begin_deal(episode, outcome, settings, words, game, players):
    """Note the deal that the words of a game name, and let the next step deal it."""
    episode.next_deal = join_words(words, game)
    episode.next_learner = settings.learner if settings.learner < 0 else int(words[game, 2]) % players
    outcome.is_waiting = 1


@kernel
def draw_next(episode, settings, players):
    """Let the next deal, and the learner's seat in it, follow from this one."""
    generator = np.empty(1, np.uint64)
    chance.seed_generator(generator, episode.next_deal ^ _NEXT)
    episode.next_deal = (chance.draw_random(generator) >> 1) << 32 | chance.draw_random(generator)
    if settings.learner >= 0:
        episode.next_learner = chance.draw_below(generator, players)


# --- tiles ---


class Games(NamedTuple):
    """The data of n games besides their observations, arrays of shape (n,)."""

    states: npt.NDArray[np.record]
    episodes: npt.NDArray[np.record]
    outcomes: npt.NDArray[np.record]


@kernel
def play(tables, logs, trials, games, seen, settings, words, actions, results):
    """Do what `settings` ask for in all games.

    BEGIN deals each game by its row of `words`, uint32 (n, 3); all arrays must hold zeros before. STEP plays `actions`,
    int32 (n,); in a game that was over nothing happens, and its rewards are 0. CONCEAL redeals what nobody has seen, by
    `words` alone: nothing is left of the old deal. `trials` is None without a compiled opponent.
    """
    count, chosen = games.states.size, results.terminated  # which until the end say which games are played
    last = seen.planes[:0], seen.masks[:0], seen.vectors[:0]
    batch = Batch(games.states, games.episodes, games.outcomes, actions, chosen, last[0], last[1], last[2])
    fetches = games.states.nbytes > AT_HAND
    options = Options(settings.opponent, settings.reward, settings.auto_reset != 0, fetches, False)
    for first in range(0, count, CHUNK):
        end = min(first + CHUNK, count)
        for game in range(first, end):
            s, episode, outcome = games.states[game], games.episodes[game], games.outcomes[game]
            results.players[game] = _find_player(s, episode)
            if settings.task == BEGIN:
                begin_deal(episode, outcome, settings, words, game, results.rewards.shape[1])
                chosen[game] = True
            elif settings.task == STEP:
                chosen[game] = not outcome.is_waiting
                if settings.ignores_illegal != 0 and chosen[game] and s.phase != OVER:
                    chosen[game] = legality.is_legal(tables[0], s, int(actions[game]))
                _note_leads(episode, results.rewards[game])
            else:
                _conceal(tables, games, game, join_words(words, game), results.players[game])
        if settings.task != CONCEAL:
            step_range(tables, logs, trials, batch, seen, options, first, end)
        for game in range(first, end):
            episode, outcome, rewards = games.episodes[game], games.outcomes[game], results.rewards[game]
            was_played = settings.task == STEP and chosen[game]
            if was_played:
                _reward(episode, outcome, settings.reward, results.players[game], rewards)
            else:
                rewards[:] = 0
            if settings.task == BEGIN or (was_played and outcome.ended and options.same_step):
                draw_next(episode, settings, rewards.size)
            results.terminated[game] = outcome.is_waiting or outcome.ended
            results.players[game] = _find_player(games.states[game], episode)


@kernel
def _note_leads(episode, rewards):
    """Note by how much each player is ahead, until `_reward` writes what that has changed to."""
    for player in range(rewards.size):
        rewards[player] = find_lead_in_kernel(episode.rewarded, player)


@kernel
def _reward(episode, outcome, kind, mover, rewards):
    """Write each player's reward for a step; an illegal action costs who played it."""
    scores = episode.last_scores if outcome.ended else episode.rewarded
    for player in range(rewards.size):
        last_lead = int(rewards[player])
        rewards[player] = 0
        if player == mover:
            rewards[player] = outcome.reward
        elif not outcome.is_illegal:
            rewards[player] = find_reward_since(scores, last_lead, outcome.ended != 0, kind, player)


@kernel
def _conceal(tables, games, game, number, player):
    conceal(tables, games.states, game, number, player)
    chance.seed_generator(games.episodes[game].generator, number ^ _NEXT)
    games.episodes[game].next_deal = number


@kernel
def _find_player(s, episode):
    return int(s.player) if episode.learner < 0 else int(episode.learner)
