"""Many games of castle-cards in one call: `states` of shape `(n,)`, and one row or record per game in all other arrays.

Games do not touch each other, so a batch may be split among threads at will; the result does not depend on how.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from zamek_env.base.chance import seed_generator
from zamek_env.base.episode import (
    EPISODE_NUMBERS,
    EPISODE_SEATS,
    EVERY_SEAT,
    OUTCOME,
    begin_episode,
    clear_outcome,
    end_episode,
    tell,
)
from zamek_env.base.records import record_dtype
from zamek_env.base.rewards import ILLEGAL_REWARD
from zamek_env.castle_cards.components.box import MAX_PLAYERS
from zamek_env.castle_cards.core.dealing import deal
from zamek_env.castle_cards.core.log import LOG
from zamek_env.castle_cards.core.observation import write_observation
from zamek_env.castle_cards.core.rows import write_rows
from zamek_env.castle_cards.core.rules import begin_game, draw_action, is_legal, step, write_mask
from zamek_env.castle_cards.core.state import NONE, STATE, new_states
from zamek_env.castle_cards.core.turns import find_return
from zamek_env.castle_cards.layout.actions import NUM_ACTIONS, OVER
from zamek_env.castle_cards.layout.observation import find_layout
from zamek_env.castle_cards.layout.rows import NUM_ROWS, find_row_layout
from zamek_env.compiler.bound_kernel import unbind, write_answers
from zamek_env.compiler.jit import kernel

EPISODE = record_dtype(
    [
        ("last_returns", np.float64, MAX_PLAYERS),
        *EPISODE_NUMBERS,
        *EPISODE_SEATS,
        ("mover", np.int8),  # who decided last
    ]
)


_OPPONENTS = 1 << 62  # by which opponents draw from another stream than the deal, which would tell them hidden cards


class Batch(NamedTuple):
    """The arrays of a batch of n games, each of shape (n,) or (n, …)."""

    blank: npt.NDArray[np.record]  # a game of nothing, shape (1,)
    states: npt.NDArray[np.record]  # of `STATE`
    episodes: npt.NDArray[np.record]  # of `EPISODE`
    outcomes: npt.NDArray[np.record]  # of `OUTCOME`
    actions: npt.NDArray[np.int64]  # in
    chosen: npt.NDArray[np.bool_]  # in: the games to begin or to play on; the others stay as they are
    masks: npt.NDArray[np.int8]  # out: what is legal
    last_vectors: npt.NDArray[np.float32]  # out, as `ObsArrays`: the last view of games that ended and were reset
    last_rows: npt.NDArray[np.int8]
    last_row_actions: npt.NDArray[np.int16]
    last_flat: npt.NDArray[np.float32]
    last_masks: npt.NDArray[np.int8]


class ObsArrays(NamedTuple):
    """The arrays that views of games are written to, one entry per game; empty for parts that are not wanted."""

    vectors: npt.NDArray[np.float32]  # what is seen
    rows: npt.NDArray[np.int8]  # what each legal action does
    row_actions: npt.NDArray[np.int16]
    flat: npt.NDArray[np.float32]  # one row of which all of these are views, float32 too
    masks: npt.NDArray[np.int8]  # copies of the masks of the batch; none where no copy is wanted


class Options(NamedTuple):
    """The settings of a batch."""

    players: int
    same_step: bool  # games that end are reset at once, not by the next step
    is_asked: bool  # the caller of the kernels plays the other seats; otherwise they are played randomly
    refresh: bool  # views of games that are not chosen are written too


def make_batch(count: int, players: int, parts: Sequence[str], flat: bool) -> Batch:
    """Return the arrays of `count` games of `players` players; `parts` and `flat` are as for `make_obs_arrays`."""
    last = make_obs_arrays(count, players, parts, flat, True)
    return Batch(
        new_states(1), np.zeros(count, STATE), np.zeros(count, EPISODE), np.zeros(count, OUTCOME),
        np.zeros(count, np.int64), np.zeros(count, np.bool_), np.zeros((count, NUM_ACTIONS), np.int8), *last,
    )  # fmt: skip


def make_obs_arrays(count: int, players: int, parts: Sequence[str], flat: bool, copies_masks: bool) -> ObsArrays:
    """Return arrays for the observations of `count` games of `players` players: the `parts`, some of `PARTS`.

    With `flat` they are views of one row a game, in the order of their names.
    """
    entries, columns = len(find_layout(players)), len(find_row_layout(players))
    vectors, rows = count * ("vector" in parts), count * ("rows" in parts)
    masks = np.zeros((count * copies_masks, NUM_ACTIONS), np.int8)
    if not flat:
        seen = np.zeros((rows, NUM_ROWS, columns), np.int8), np.full((rows, NUM_ROWS), NONE, np.int16)
        return ObsArrays(np.zeros((vectors, entries), np.float32), *seen, np.zeros((0, 0), np.float32), masks)
    ends = np.cumsum([NUM_ROWS * (rows > 0), NUM_ROWS * columns * (rows > 0), entries * (vectors > 0)])
    row = np.zeros((count, ends[-1]), np.float32)
    row_actions, table, vector = np.split(row, ends[:-1], axis=1)
    row_actions[:] = NONE
    table = table[:rows].reshape(rows, NUM_ROWS, columns)
    return ObsArrays(vector[:vectors], table, row_actions[:rows], row, masks)


@kernel
def step_range(batch, seen, options, first, end):
    """Play an action, and the opponents' answers, in each chosen game of `first` … `end - 1`; write what is seen.

    A chosen game that waits is reset instead. In games that are not chosen nothing happens: no reward, no end. Where
    opponents are asked, `start_range`, `finish_range` and `show_range` do the same in three parts.
    """
    logs = np.zeros(1, LOG)
    for game in range(first, end):
        s, episode, outcome = batch.states[game], batch.episodes[game], batch.outcomes[game]
        clear_outcome(outcome)
        if batch.chosen[game] and outcome.is_waiting:
            _begin(batch, logs, options, game)
        elif batch.chosen[game]:
            _play(s, logs[0], episode, outcome, batch.actions[game])
            if not outcome.is_illegal:
                _let_opponents_play(s, logs[0], episode)
            _note_end(s, episode, outcome)
        if outcome.ended and options.same_step:
            _show_last(batch, logs, game)
            _begin(batch, logs, options, game)
        if batch.chosen[game] or options.refresh:
            _show(batch, logs, seen, game)


@kernel
def bind(answers, arguments):
    """Write the arguments for a call of `play_range`, and return their address."""
    return write_answers(answers, arguments)


@kernel
def play_range(bound, options, first, end):
    """Do what `step_range` does, and then what `tell` does, in one call from Python."""
    batch, seen, told = unbind(bound)
    step_range(batch, seen, options, first, end)
    return tell(batch.outcomes, told, first, end)


@kernel
def start_range(batch, seen, options, first, end):
    """Deal the chosen games of `first` … `end - 1` that wait for it, and play the learner's action in the others."""
    logs = np.zeros(1, LOG)
    for game in range(first, end):
        outcome = batch.outcomes[game]
        clear_outcome(outcome)
        if batch.chosen[game] and outcome.is_waiting:
            _begin(batch, logs, options, game)
        elif batch.chosen[game]:
            _play(batch.states[game], logs[0], batch.episodes[game], outcome, batch.actions[game])


@kernel
def finish_range(batch, seen, options, first, end):
    """Reward the learner in each chosen game of `first` … `end - 1`, once the opponents have answered.

    The last view of a game that ended is written; under `same_step` the game is then reset.
    """
    logs = np.zeros(1, LOG)
    for game in range(first, end):
        if batch.chosen[game]:
            outcome = batch.outcomes[game]
            _note_end(batch.states[game], batch.episodes[game], outcome)
            if outcome.ended and options.same_step:
                _show_last(batch, logs, game)
                _begin(batch, logs, options, game)


@kernel
def show_range(batch, seen, options, first, end):
    """Write the observations of the chosen games of `first` … `end - 1`."""
    logs = np.zeros(1, LOG)
    for game in range(first, end):
        if batch.chosen[game] or options.refresh:
            _show(batch, logs, seen, game)


@kernel
def _begin(batch, logs, options, game):
    """Deal a game, and let opponents that are not asked play until the learner must decide."""
    s, episode, outcome = batch.states[game], batch.episodes[game], batch.outcomes[game]
    deal(batch.blank, batch.states, game, options.players, episode.next_deal)
    begin_game(s, logs[0])
    seed_generator(episode.generator, episode.next_deal ^ _OPPONENTS)
    begin_episode(episode, outcome)
    episode.mover = 0
    if not options.is_asked:
        _let_opponents_play(s, logs[0], episode)


@kernel
def _play(s, log, episode, outcome, action):
    """Play the learner's action if it is legal. Writes `s`, `length`, `mover`, `is_illegal`."""
    episode.length += 1
    episode.mover = s.decider
    outcome.is_illegal = not is_legal(s, action)
    if not outcome.is_illegal:
        step(s, log, action)


@kernel
def _let_opponents_play(s, log, episode):
    """Play randomly for all other seats until the learner must decide or the game is over."""
    if episode.learner != EVERY_SEAT:
        while s.phase != OVER and s.decider != episode.learner:
            step(s, log, draw_action(s, episode.generator))


@kernel
def _note_end(s, episode, outcome):
    """Reward who acted, and sum up an episode that ended.

    Writes `ended`, `reward`, `gain`, `last_returns`, and what `end_episode` writes.
    """
    outcome.ended = outcome.is_illegal or s.phase == OVER
    if not outcome.ended:
        return
    mover = np.int64(episode.mover)
    outcome.reward = ILLEGAL_REWARD if outcome.is_illegal else find_return(s, mover)
    if episode.learner != EVERY_SEAT or mover == 0:
        episode.gain = outcome.reward
    else:
        episode.gain = 0.0 if outcome.is_illegal else find_return(s, 0)
    end_episode(episode, outcome)
    for player in range(np.int64(s.players)):
        episode.last_returns[player] = 0.0 if outcome.is_illegal else find_return(s, player)


@kernel
def _show(batch, logs, seen, game):
    """Write what the learner, or the player to decide, sees and may do. Writes `player`, `masks`, `seen`."""
    s, outcome = batch.states[game], batch.outcomes[game]
    outcome.player = NONE if outcome.is_over else s.decider
    observer = find_observer(s, batch.episodes[game])
    if seen.vectors.shape[0] > 0:
        write_observation(s, observer, seen.vectors[game])
    if seen.rows.shape[0] > 0:
        write_rows(s, logs[0], observer, seen.rows[game], seen.row_actions[game])
    if outcome.is_over:
        batch.masks[game].fill(1)
    else:
        write_mask(s, batch.masks[game])
    if seen.masks.shape[0] > 0:
        for action in range(seen.masks.shape[1]):
            seen.masks[game, action] = batch.masks[game, action]


@kernel
def _show_last(batch, logs, game):
    """Write the last view of a game that has ended, before it is reset. Writes the fields that begin with `last`."""
    s = batch.states[game]
    observer = find_observer(s, batch.episodes[game])
    if batch.last_vectors.shape[0] > 0:
        write_observation(s, observer, batch.last_vectors[game])
    if batch.last_rows.shape[0] > 0:
        write_rows(s, logs[0], observer, batch.last_rows[game], batch.last_row_actions[game])
    batch.last_masks[game].fill(1)


@kernel
def find_observer(s, episode):
    """Return who observes: the learner or, if it plays all seats, the player to decide, at the end the last one."""
    if episode.learner != EVERY_SEAT:
        return np.int64(episode.learner)
    return np.int64(episode.mover) if s.phase == OVER else np.int64(s.decider)
