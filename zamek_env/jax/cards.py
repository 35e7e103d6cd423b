"""Castle, the card game, for some number of players: the arrays of its games, and the functions that play them."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import carray

from zamek_env.castle_cards.core import redealing
from zamek_env.castle_cards.core.batch import EPISODE, Batch, ObsArrays, Options, step_range
from zamek_env.castle_cards.core.rules import is_legal
from zamek_env.castle_cards.core.state import STATE, new_states
from zamek_env.castle_cards.layout.actions import NUM_ACTIONS, OVER
from zamek_env.castle_cards.layout.observation import find_layout
from zamek_env.castle_cards.layout.rows import NUM_ROWS, find_row_layout
from zamek_env.core import chance
from zamek_env.core.jit import kernel
from zamek_env.core.outcome import OUTCOME
from zamek_env.jax import ffi
from zamek_env.jax.kernels import BEGIN, STEP, WORDS, Results, Settings, begin_deal, draw_next, join_words, split_given

RULESET = "castle-cards"
BUFFERS = 7  # states, episodes, outcomes, mask, vector, rows and their actions
REWARDS, ENDED, PLAYERS = range(BUFFERS, BUFFERS + 3)  # the results after them
NUM_NUMBERS = 2 + len(Settings._fields)  # in the attribute: the address of an empty game, players, the settings


@kernel
def play(blank, players, states, episodes, outcomes, seen, masks, settings, words, actions, results):
    """Do what `kernels.play` does. CONCEAL redeals what the player to decide cannot know."""
    count = states.size
    chosen, wide = np.ones(count, np.bool_), np.zeros(count, np.int64)
    for game in range(count):
        if settings.task == BEGIN:
            begin_deal(episodes[game], outcomes[game], settings, words, game, players)
            results.rewards[game] = 0
            results.terminated[game] = False
        elif settings.task == STEP:
            wide[game] = actions[game]
            chosen[game] = not outcomes[game].is_waiting
            if settings.ignores_illegal != 0 and chosen[game]:
                chosen[game] = is_legal(states[game], wide[game])
        else:
            _conceal(states[game], episodes[game], words, game)
    if settings.task == BEGIN:
        _step(blank, players, states, episodes, outcomes, seen, masks, wide, chosen, 0, count)
        for game in range(count):
            draw_next(episodes[game], settings, players)
    elif settings.task == STEP:
        _step(blank, players, states, episodes, outcomes, seen, masks, wide, chosen, 0, count)
        for game in range(count):
            episode, outcome = episodes[game], outcomes[game]
            results.rewards[game] = 0
            results.terminated[game] = outcome.is_waiting
            if chosen[game] and outcome.ended:
                _reward(episode, outcome, players, results.rewards[game])
                if settings.auto_reset != 0:
                    _step(blank, players, states, episodes, outcomes, seen, masks, wide, chosen, game, game + 1)
                    draw_next(episode, settings, players)
    for game in range(count):
        results.players[game] = _find_player(states[game], episodes[game])


@kernel
def _step(blank, players, states, episodes, outcomes, seen, masks, actions, chosen, first, end):
    """Play, or deal, the chosen games of `first` … `end - 1`."""
    last = seen.vectors[:0], seen.rows[:0], seen.row_actions[:0], seen.flat[:0], masks[:0]
    batch = Batch(
        blank, states, episodes, outcomes, actions, chosen, masks, last[0], last[1], last[2], last[3], last[4]
    )
    step_range(batch, seen, Options(players, False, False, False), first, end)


@kernel
def _reward(episode, outcome, players, rewards):
    """Write what each player gets for a game that has ended; an illegal action costs who played it."""
    if outcome.is_illegal:
        rewards[int(episode.mover)] = outcome.reward
    else:
        for player in range(players):
            rewards[player] = episode.last_returns[player]


@kernel
def _find_player(s, episode):
    """Return the observer: the learner, or in a game without one the player who decides or decided last."""
    if episode.learner >= 0:
        return int(episode.learner)
    return int(episode.mover) if s.phase == OVER else int(s.decider)


@kernel
def _conceal(s, episode, words, game):
    number = join_words(words, game)
    chance.seed_generator(episode.generator, number)
    episode.next_deal = number
    if s.phase != OVER:
        redealing.redeal(s, episode.generator, _find_player(s, episode))


class Cards:
    """Games of Castle for this number of players, with these `parts` of an observation, as `Tiles` has them."""

    def __init__(self, num_players: int, parts: tuple[str, ...]) -> None:
        self.num_players, self.parts = num_players, parts
        self.id, self.num_actions = RULESET, NUM_ACTIONS
        has_rows, has_vector = "rows" in parts, "vector" in parts
        rows, columns = NUM_ROWS * has_rows, len(find_row_layout(num_players))
        entries = len(find_layout(num_players)) * has_vector
        self.names = (
            None, None, None, "mask", "vector" if has_vector else None, "rows" if has_rows else None,
            "row_actions" if has_rows else None,
        )  # fmt: skip
        self.dtypes = (
            STATE, EPISODE, OUTCOME, np.dtype(np.int8), np.dtype(np.float32), np.dtype(np.int8), np.dtype(np.int16),
        )  # fmt: skip
        self.shapes = (
            ((STATE.itemsize,), np.uint8), ((EPISODE.itemsize,), np.uint8), ((OUTCOME.itemsize,), np.uint8),
            ((NUM_ACTIONS,), np.bool_), ((entries,), np.float32), ((rows, columns), np.int8), ((rows,), np.int16),
        )  # fmt: skip
        self._blank = new_states(1)

    @property
    def kind(self) -> str:
        """The name that tells its handler from others."""
        return repr((RULESET, self.shapes, self.num_players))

    def list_numbers(self, settings: Settings) -> npt.NDArray[np.int64]:
        """Return the numbers in the attribute of a handler."""
        return np.array([self._blank.ctypes.data, self.num_players, *settings], np.int64)

    def play(self, settings: Settings, buffers: list[npt.NDArray[Any]], given: npt.NDArray[Any], results: Any) -> None:
        """Do what the handler does, on numpy arrays: `buffers`, and `results` as it writes them."""
        states, episodes, outcomes, masks = buffers[:4]
        # of no games where a part is not wanted
        vectors, rows, row_actions = (part if part.size else part[:0] for part in buffers[4:])
        seen = ObsArrays(vectors, rows, row_actions, np.zeros((0, 0), np.float32), masks[:0])
        play(
            self._blank, self.num_players, states, episodes, outcomes, seen, masks, settings, *split_given(given),
            Results(*results),
        )  # fmt: skip

    def make_handler(self) -> Callable[[int], int]:
        """Return a function of the address of a call frame of XLA; its arguments are the buffers, and what is given."""
        sizes = np.array([np.dtype(kind).itemsize * int(np.prod(shape)) for shape, kind in self.shapes], np.int64)
        entries, (rows, columns) = self.shapes[4][0][0], self.shapes[5][0]
        players, has_vector, has_rows = self.num_players, entries > 0, rows > 0

        def handle(call):
            if ffi.answer_version(call):
                return 0
            count = ffi.count_entries(call, ffi.ARGUMENTS, 1) // sizes[1]
            ffi.copy_arguments(call, count, sizes)
            numbers = carray(ffi.as_pointer(ffi.find_numbers(call)), (NUM_NUMBERS,), np.int64)
            masks = carray(ffi.as_pointer(ffi.find_data(call, ffi.RESULTS, 3)), (count, NUM_ACTIONS), np.int8)
            tables = count if has_rows else 0
            seen = ObsArrays(
                carray(
                    ffi.as_pointer(ffi.find_data(call, ffi.RESULTS, 4)),
                    (count if has_vector else 0, entries),
                    np.float32,
                ),
                carray(ffi.as_pointer(ffi.find_data(call, ffi.RESULTS, 5)), (tables, rows, columns), np.int8),
                carray(ffi.as_pointer(ffi.find_data(call, ffi.RESULTS, 6)), (tables, rows), np.int16),
                np.zeros((0, 0), np.float32),
                masks[:0],
            )
            given = ffi.find_data(call, ffi.ARGUMENTS, BUFFERS)
            play(
                carray(ffi.as_pointer(numbers[0]), (1,), STATE),
                numbers[1],
                carray(ffi.as_pointer(ffi.find_data(call, ffi.RESULTS, 0)), (count,), STATE),
                carray(ffi.as_pointer(ffi.find_data(call, ffi.RESULTS, 1)), (count,), EPISODE),
                carray(ffi.as_pointer(ffi.find_data(call, ffi.RESULTS, 2)), (count,), OUTCOME),
                seen,
                masks,
                Settings(numbers[2], numbers[3], numbers[4], numbers[5], numbers[6], numbers[7]),
                carray(ffi.as_pointer(given), (count, WORDS), np.uint32),
                carray(ffi.as_pointer(given), (count,), np.int32),
                Results(
                    carray(ffi.as_pointer(ffi.find_data(call, ffi.RESULTS, REWARDS)), (count, players), np.float32),
                    carray(ffi.as_pointer(ffi.find_data(call, ffi.RESULTS, ENDED)), (count,), np.bool_),
                    carray(ffi.as_pointer(ffi.find_data(call, ffi.RESULTS, PLAYERS)), (count,), np.int32),
                ),
            )
            return 0

        return handle
