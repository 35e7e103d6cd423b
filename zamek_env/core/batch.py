"""Many games in one call: `states` of shape `(n,)`, and for each game a record or a row of every other array.

Games do not touch each other, so a batch may be split among threads at will; the result does not depend on how. Every
thread needs its own log, and, for a compiled opponent, two games of scratch space.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from zamek_env.base import chance
from zamek_env.base.episode import (
    EPISODE_NUMBERS,
    EPISODE_SEATS,
    EVERY_SEAT,
    begin_episode,
    clear_outcome,
    end_episode,
    tell,
)
from zamek_env.base.records import NONE, record_dtype
from zamek_env.base.rewards import (
    ILLEGAL_REWARD,
    REWARD_WIN,
    find_lead_in_kernel,
    find_result_in_kernel,
    find_reward_in_kernel,
)
from zamek_env.compiler.bound_kernel import unbind, write_answers
from zamek_env.compiler.jit import kernel
from zamek_env.compiler.prefetch import LINE, fetch, fetch_entry
from zamek_env.core import greedy, legality, rules
from zamek_env.core.observation import begin_view, update_view
from zamek_env.core.planes import View, fetch_open_cells
from zamek_env.core.playout import draw_action
from zamek_env.layout.actions import OVER

GROUP = 8  # games played before their views are written, so that the memory of these can be fetched meanwhile
AT_HAND = 3 * 2**20  # bytes of states that stay in the CPU's cache from step to step, with their observations
FIRST_ROWS = 32  # are fetched early; seldom are there more
RANDOM, GREEDY, OUTSIDE = range(3)  # who answers for the other seat; OUTSIDE is the caller of the kernels, or nobody


def episode_dtype(players: int) -> np.dtype[np.record]:
    """Return the dtype of what a batch keeps of the episode of a game of `players` players."""
    return record_dtype(
        [
            *EPISODE_NUMBERS,
            ("number", np.int32),  # of the episode, from 1 on; a view of another one is rewritten from scratch
            ("rewarded", np.int16, (players,)),  # points, as far as rewarded
            ("last_scores", np.int16, (players,)),
            *EPISODE_SEATS,
        ]
    )


class Batch(NamedTuple):
    """The arrays of a batch of n games, each of shape (n,)."""

    states: npt.NDArray[np.record]  # of `state_dtype`
    episodes: npt.NDArray[np.record]  # of `episode_dtype`
    outcomes: npt.NDArray[np.record]  # of `OUTCOME`
    actions: npt.NDArray[np.int64]  # in
    chosen: npt.NDArray[np.bool_]  # in: the games to play on; the others stay as they are
    last_planes: npt.NDArray[np.record]  # out: the last view of games that ended and were reset, as in `ObsArrays`
    last_masks: npt.NDArray[np.record]
    last_vectors: npt.NDArray[np.record]  # with `VECTORS`


class ObsArrays(NamedTuple):
    """The arrays that views of games are written to, each of shape (n,). Canvases record what the others show so far.

    One array may serve as several of them: flat rows hold all but the masks.
    """

    canvases: npt.NDArray[np.record]  # of `canvas_dtype`
    planes: npt.NDArray[np.record]  # with `squares`, of `fields_dtype` or `flat_dtype`
    codes: npt.NDArray[np.record]  # with `codes`
    masks: npt.NDArray[np.record]  # with `mask`
    vectors: npt.NDArray[np.record]  # with `vector`
    row_actions: npt.NDArray[np.record]  # with `row_actions`
    rows: npt.NDArray[np.record]  # with `rows`


VECTORS = ("vector", "row_actions", "rows")  # fields of a frame that may stand together
BOARD_FIELDS = {"codes": "codes", "planes": "squares"}  # parts of an observation, and their fields, that do too


def fields_dtype(frame_dtype: np.dtype[np.record], *names: str) -> np.dtype[np.record]:
    """Return the dtype of some fields of a frame by themselves."""
    return record_dtype([(name, frame_dtype[name].base, frame_dtype[name].shape) for name in names])


def flat_dtype(frame_dtype: np.dtype[np.record]) -> np.dtype[np.record]:
    """Return the dtype of observations as one row of numbers, in the order of `gymnasium.spaces.flatten`."""
    names = (*BOARD_FIELDS.values(), "row_actions", "rows", "vector")
    return record_dtype([(name, np.float32, frame_dtype[name].shape) for name in names])


class Options(NamedTuple):
    """The settings of a batch."""

    opponent: int  # RANDOM or GREEDY, compiled, or OUTSIDE
    reward: int  # one of `zamek_env.base.rewards`
    same_step: bool  # games that end are reset at once, not by the next step
    fetches: bool  # the games do not fit the cache, so what is needed next is fetched
    refresh: bool  # views of games that are not chosen are written too


@kernel
def find_illegal(tables, batch):
    """Return the first chosen game that goes on and in which the action is illegal, or -1."""
    for game in range(batch.states.size):
        goes_on = batch.chosen[game] and not batch.outcomes[game].is_waiting and batch.states[game].phase != OVER
        if goes_on and not legality.is_legal(tables[0], batch.states[game], batch.actions[game]):
            return game
    return NONE


@kernel
def step_range(tables, logs, trials, batch, seen, options, first, end):
    """Play an action, and the opponent's answers, in each chosen game of `first` … `end - 1`; write what is seen.

    A chosen game that waits is reset instead. In games that are not chosen nothing happens: no reward, no end. `logs`
    and `trials` are overwritten. Where the opponent is OUTSIDE, `start_range`, `finish_range` and `show_range` do the
    same in three parts. `trials` is None where no opponent is compiled: the code for opponents is then left out.
    """
    t, log = tables[0], logs[0]
    states, episodes, outcomes = batch.states, batch.episodes, batch.outcomes
    for start in range(first, end, GROUP):
        after = min(start + GROUP, end)
        for game in range(start, after):
            s, episode, outcome = states[game], episodes[game], outcomes[game]
            following = min(game + 1, end - 1)
            if options.fetches:
                fetch(states, following)
                fetch(seen.canvases, following)
                fetch(seen.vectors, following)
            clear_outcome(outcome)
            if batch.chosen[game] and outcome.is_waiting:
                _begin(t, log, trials, batch, options, game)
            elif batch.chosen[game]:
                mover = _find_mover(s, episode)
                _play_action(t, s, log, episode, outcome, batch.actions[game])
                if episode.learner != EVERY_SEAT and not outcome.is_illegal:
                    _let_opponent_play(t, log, trials, states, episode, options, game)
                _note_end(s, episode, outcome, options.reward, mover)
            if outcome.ended and options.same_step:
                _show_last(t, batch, seen, game)
                _begin(t, log, trials, batch, options, game)
            if options.fetches:
                squares, codes = seen.planes[game].squares, seen.codes[game].codes
                fetch_open_cells(t, s, seen.canvases[game], squares, codes, seen.masks[game].mask)
                _fetch_rows(seen.rows[game].rows, seen.row_actions[game].row_actions)
        for game in range(start, after):
            if batch.chosen[game] or options.refresh:
                _show(t, batch, seen, game)


@kernel
def _fetch_rows(rows, row_actions):
    """Prefetch the first rows, and the numbers of their actions."""
    for place in range(0, min(FIRST_ROWS * rows.shape[1], rows.size), LINE):
        fetch_entry(rows, place)
    if row_actions.size > 0:
        fetch_entry(row_actions, 0)


@kernel
def bind(answers, arguments):
    """Write the arguments for a call of `play_range`, and return their address."""
    return write_answers(answers, arguments)


@kernel
def play_range(bound, options, first, end):
    """Do what `step_range` does, and then what `tell` does, in one call from Python."""
    tables, logs, trials, batch, seen, told = unbind(bound)
    step_range(tables, logs, trials, batch, seen, options, first, end)
    return tell(batch.outcomes, told, first, end)


@kernel
def start_range(tables, logs, trials, batch, seen, options, first, end):
    """Deal the chosen games of `first` … `end - 1` that wait for it, and play the learner's action in the others."""
    for game in range(first, end):
        outcome = batch.outcomes[game]
        clear_outcome(outcome)
        if batch.chosen[game] and outcome.is_waiting:
            _begin(tables[0], logs[0], trials, batch, options, game)
        elif batch.chosen[game]:
            _play_action(tables[0], batch.states[game], logs[0], batch.episodes[game], outcome, batch.actions[game])


@kernel
def finish_range(tables, logs, trials, batch, seen, options, first, end):
    """Reward the learner in each chosen game of `first` … `end - 1`, once the opponent has answered.

    The last view of a game that ended is written; under `same_step` the game is then reset.
    """
    for game in range(first, end):
        if batch.chosen[game]:
            episode, outcome = batch.episodes[game], batch.outcomes[game]
            _note_end(batch.states[game], episode, outcome, options.reward, int(episode.learner))
            if outcome.ended and options.same_step:
                _show_last(tables[0], batch, seen, game)
                _begin(tables[0], logs[0], trials, batch, options, game)


@kernel
def show_range(tables, logs, trials, batch, seen, options, first, end):
    """Write the observations of the chosen games of `first` … `end - 1`."""
    for game in range(first, end):
        if batch.chosen[game] or options.refresh:
            _show(tables[0], batch, seen, game)


@kernel
def _begin(t, log, trials, batch, options, game):
    """Deal a game, and let the opponent play if it begins."""
    episode, outcome = batch.episodes[game], batch.outcomes[game]
    chance.seed_generator(episode.generator, episode.next_deal)
    rules.reset(t, batch.states[game], log, episode.generator)
    begin_episode(episode, outcome)
    episode.number += 1
    episode.rewarded.fill(0)
    if episode.learner != EVERY_SEAT:
        _let_opponent_play(t, log, trials, batch.states, episode, options, game)


@kernel
def _play_action(t, s, log, episode, outcome, action):
    """Play the learner's action if it is legal. Writes `s`, `length`, `is_illegal`.

    If the game was over before the learner could decide, the action is ignored.
    """
    episode.length += 1
    if s.phase == OVER:
        return
    outcome.is_illegal = not legality.is_legal(t, s, action)
    if not outcome.is_illegal:
        rules.step(t, s, log, action)


@kernel
def _let_opponent_play(t, log, trials, states, episode, options, game):
    """Play a compiled opponent, if there is one, until the learner must decide or the game is over."""
    if trials is None:
        return
    s = states[game]
    while s.phase != OVER and s.player != episode.learner:
        if options.opponent == RANDOM:
            action = draw_action(t, s, episode.generator)
        else:
            action = greedy.choose_greedily(t, states, game, trials, log, episode.generator)
        rules.step(t, s, log, action)


@kernel
def _note_end(s, episode, outcome, kind, mover):
    """Reward `mover`, who acted, and sum up an episode that ended.

    Writes `ended`, `reward`, `gain`, `last_scores`, and what `end_episode` writes.
    """
    outcome.ended = outcome.is_illegal or s.phase == OVER
    outcome.reward = ILLEGAL_REWARD if outcome.is_illegal else find_reward(s, episode.rewarded, kind, mover)
    if mover == 0 or episode.learner != EVERY_SEAT:
        episode.gain += outcome.reward
    elif not outcome.is_illegal:  # an illegal action of another player brings player 0 nothing
        episode.gain += find_reward(s, episode.rewarded, kind, 0)
    for player in range(s.score.size):
        episode.rewarded[player] = s.score[player]
    if outcome.ended:
        end_episode(episode, outcome)
        for player in range(s.score.size):
            episode.last_scores[player] = s.score[player]


@kernel
def find_reward(s, rewarded, kind, player):
    """Return the reward of `player` for the last step, where points up to `rewarded` have been rewarded already."""
    return find_reward_since(s.score, find_lead_in_kernel(rewarded, player), s.phase == OVER, kind, player)


@kernel
def find_reward_since(scores, last_lead, is_over, kind, player):
    """Return the reward of `player` for the last step, which led to `scores`, after being `last_lead` points ahead."""
    if kind == REWARD_WIN and scores.size != 2:
        return find_result_in_kernel(scores, player) if is_over else 0.0
    return find_reward_in_kernel(kind, find_lead_in_kernel(scores, player), last_lead, is_over)


@kernel
def _show(t, batch, seen, game):
    """Write what the learner, or the player to decide, sees and may do. Writes `player`, `seen`."""
    s, episode, outcome = batch.states[game], batch.episodes[game], batch.outcomes[game]
    view = View(
        seen.canvases[game], seen.planes[game], seen.codes[game], seen.masks[game], seen.vectors[game],
        seen.row_actions[game], seen.rows[game],
    )  # fmt: skip
    is_over = outcome.is_over or s.phase == OVER
    outcome.player = NONE if is_over else s.player
    if view.canvas.episode != episode.number:
        begin_view(t, s, view)
        view.canvas.episode = episode.number
    update_view(t, s, _find_observer(s, episode), view)
    if is_over:
        view.mask.mask.fill(1)
    else:
        legality.write_rest_of_mask(t, s, view.mask.mask)


@kernel
def _show_last(t, batch, seen, game):
    """Write the last view of a game that has ended, before it is reset.

    Writes `seen` and the `last_…`. Where these have no entries, nobody asks for it.
    """
    if batch.last_masks.size == 0:
        return
    _show(t, batch, seen, game)
    batch.last_planes[game] = seen.planes[game]
    batch.last_masks[game] = seen.masks[game]
    batch.last_vectors[game] = seen.vectors[game]


@kernel
def _find_observer(s, episode):
    """Return the observer: the learner, or the player to decide."""
    return int(s.player) if episode.learner == EVERY_SEAT else int(episode.learner)


@kernel
def _find_mover(s, episode):
    """Return whose reward the next step reports: the learner or, if it plays both seats, the player to decide.

    If the game was over as it began, that is player 0.
    """
    if episode.learner != EVERY_SEAT:
        return int(episode.learner)
    return 0 if s.phase == OVER else int(s.player)
