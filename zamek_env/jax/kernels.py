"""Many games of tiles at once, as a pure function of arrays: what XLA calls. What Castle shares stands first."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from zamek_env.core import chance, legality
from zamek_env.core.batch import Batch, Options, find_reward, step_range
from zamek_env.core.engine import conceal
from zamek_env.core.jit import kernel
from zamek_env.layout.actions import OVER

BEGIN, STEP, CONCEAL = range(3)  # what to do
WORDS = 3  # of a game, of which its deal and the learner's seat are made
FETCHED = 64  # games from which on they do not fit the cache
_NEXT = 0x5DEECE66D  # so that the next deal follows from another stream than this one


class Results(NamedTuple):
    """What a step brought in each game."""

    rewards: npt.NDArray[np.float32]  # (n, players)
    terminated: npt.NDArray[np.bool_]
    players: npt.NDArray[np.int32]  # who is to decide: the learner, where there is one; after the end who was last


class Settings(NamedTuple):
    """How games are played, as numbers."""

    task: int  # BEGIN, STEP or CONCEAL
    opponent: int  # as in `batch.Options`
    reward: int
    learner: int  # EVERY_SEAT, or 0: the learner's seat is drawn
    auto_reset: int  # 1: a game that ends is dealt anew in the same step
    ignores_illegal: int  # 1: an illegal action changes nothing; 0: it loses the game


def split_given(given: npt.NDArray[Any]) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.int32]]:
    """Return (words, actions) as the kernels take them, where `given` are words, (n, 3), or actions, (n,)."""
    if given.ndim == 1:
        return np.zeros((0, WORDS), np.uint32), given.astype(np.int32)
    return given.astype(np.uint32), np.zeros(0, np.int32)


@kernel
def join_words(words, game):
    """Return the number of a deal that the first two words of a game make."""
    return (int(words[game, 0]) & 0x7FFFFFFF) << 32 | int(words[game, 1])


@kernel
def begin_deal(episode, outcome, settings, words, game, players):
    """Note which deal the words of a game stand for, and let the next step deal it."""
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
    """What there is of n games beside what is seen of them, arrays of shape (n,)."""

    states: npt.NDArray[np.record]
    episodes: npt.NDArray[np.record]
    outcomes: npt.NDArray[np.record]


class ObsCopies(NamedTuple):
    """Copies of what stands together in the records of `ObsArrays.vectors`, each in an array of its own."""

    vector: npt.NDArray[np.float32]
    row_actions: npt.NDArray[np.int16]
    rows: npt.NDArray[np.int8]


@kernel
def play(tables, logs, trials, games, seen, shown, settings, words, actions, results):
    """Do what `settings` ask for in all games.

    BEGIN deals each game by its row of `words`, uint32 (n, 3); all arrays must hold zeros before. STEP plays `actions`,
    int32 (n,); in a game that was over nothing happens, and its rewards are 0. CONCEAL deals anew what nobody has seen,
    by `words` alone: nothing is left of the deal that was there. `trials` is None without a compiled opponent, and
    `shown` where nothing is to be copied there.
    """
    if settings.task == BEGIN:
        _begin(tables, logs, trials, games, seen, settings, words, results)
    elif settings.task == STEP:
        _step(tables, logs, trials, games, seen, settings, actions, results)
    else:
        _conceal(tables, games, words)
    for game in range(games.states.size):
        results.players[game] = _find_player(games, game)
        if shown is not None:
            record = seen.vectors[game]
            _copy(record.vector, shown.vector[game])
            _copy_rows(record, shown.row_actions[game], shown.rows[game])


@kernel
def _copy(source, target):
    """Copy a row of numbers: a plain loop, which is compiled to the widest instructions there are."""
    for number in range(source.size):
        target[number] = source[number]


@kernel
def _copy_rows(record, row_actions, rows):
    """Copy the rows of a record, as far as there are or were any: what comes after them is empty in both."""
    end = 0
    for row in range(row_actions.size):
        if record.row_actions[row] >= 0 or row_actions[row] >= 0:
            end = row + 1
        row_actions[row] = record.row_actions[row]
    source, target = record.rows.ravel(), rows.ravel()  # both are of one piece, so these are views
    for number in range(end * rows.shape[1]):
        target[number] = source[number]


@kernel
def _begin(tables, logs, trials, games, seen, settings, words, results):
    count = games.states.size
    for game in range(count):
        begin_deal(games.episodes[game], games.outcomes[game], settings, words, game, results.rewards.shape[1])
        results.rewards[game] = 0
        results.terminated[game] = False
    _play(tables, logs, trials, games, seen, settings, np.zeros(count, np.int64), np.ones(count, np.bool_), 0, count)
    for game in range(count):
        draw_next(games.episodes[game], settings, results.rewards.shape[1])


@kernel
def _step(tables, logs, trials, games, seen, settings, actions, results):
    count, players = results.rewards.shape
    before = np.empty((count, players), np.int16)
    chosen, wide = np.empty(count, np.bool_), np.empty(count, np.int64)
    for game in range(count):
        s, action = games.states[game], int(actions[game])
        wide[game] = action
        chosen[game] = not games.outcomes[game].is_waiting
        if settings.ignores_illegal != 0 and chosen[game] and s.phase != OVER:
            chosen[game] = legality.is_legal(tables[0], s, action)
        results.players[game] = _find_player(games, game)
        for player in range(players):
            before[game, player] = games.episodes[game].rewarded[player]
    _play(tables, logs, trials, games, seen, settings, wide, chosen, 0, count)
    for game in range(count):
        outcome, mover = games.outcomes[game], int(results.players[game])
        results.rewards[game] = 0
        results.terminated[game] = outcome.is_waiting
        if chosen[game]:
            results.rewards[game, mover] = outcome.reward
            for player in range(players):
                if player != mover and not outcome.is_illegal:
                    reward = find_reward(games.states[game], before[game], settings.reward, player)
                    results.rewards[game, player] = reward
            if outcome.ended and settings.auto_reset != 0:
                _play(tables, logs, trials, games, seen, settings, wide, chosen, game, game + 1)
                draw_next(games.episodes[game], settings, results.rewards.shape[1])


@kernel
def _conceal(tables, games, words):
    for game in range(games.states.size):
        number = join_words(words, game)
        conceal(tables, games.states, game, number, _find_player(games, game))
        chance.seed_generator(games.episodes[game].generator, number ^ _NEXT)
        games.episodes[game].next_deal = number


@kernel
def _play(tables, logs, trials, games, seen, settings, actions, chosen, first, end):
    """Play, or deal, the chosen games of `first` … `end - 1`."""
    none = seen.planes[:0], seen.masks[:0], seen.vectors[:0]
    batch = Batch(games.states, games.episodes, games.outcomes, actions, chosen, none[0], none[1], none[2])
    options = Options(settings.opponent, settings.reward, False, end - first >= FETCHED, False)
    step_range(tables, logs, trials, batch, seen, options, first, end)


@kernel
def _find_player(games, game):
    learner = int(games.episodes[game].learner)
    return int(games.states[game].player) if learner < 0 else learner
