"""Castle, the card game, for some number of players: the arrays of its games, and the functions that play them."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import carray

from zamek_env.base import chance
from zamek_env.base.episode import OUTCOME
from zamek_env.castle_cards.core import redealing
from zamek_env.castle_cards.core.batch import (
    EPISODE,
    Batch,
    ObsArrays,
    Options,
    find_observer,
    make_obs_arrays,
    step_range,
)
from zamek_env.castle_cards.core.rules import is_legal
from zamek_env.castle_cards.core.state import STATE, new_states
from zamek_env.castle_cards.layout.actions import NUM_ACTIONS, OVER
from zamek_env.castle_cards.layout.observation import find_layout
from zamek_env.castle_cards.layout.rows import NUM_ROWS, find_row_layout
from zamek_env.compiler.jit import kernel
from zamek_env.jax import ffi
from zamek_env.jax.kernels import BEGIN, STEP, WORDS, Results, Settings, begin_deal, draw_next, join_words, split_given

RULESET = "castle-cards"
HIDDEN = STATE, EPISODE, OUTCOME
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
        results.players[game] = find_observer(states[game], episodes[game])


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
def _conceal(s, episode, words, game):
    number = join_words(words, game)
    chance.seed_generator(episode.generator, number)
    episode.next_deal = number
    if s.phase != OVER:
        redealing.redeal(s, episode.generator, find_observer(s, episode))


class Cards:
    """Games of Castle for this number of players, with these `parts` of an observation, as `Tiles` has them."""

    def __init__(self, num_players: int, parts: tuple[str, ...]) -> None:
        self.num_players, self.parts = num_players, parts
        self.id, self.num_actions = RULESET, NUM_ACTIONS
        self._columns, self._entries = len(find_row_layout(num_players)), len(find_layout(num_players))
        seen = {
            "mask": ((NUM_ACTIONS,), np.bool_),
            "vector": ((self._entries,), np.float32),
            "rows": ((NUM_ROWS, self._columns), np.int8),
            "row_actions": ((NUM_ROWS,), np.int16),
        }
        shown = [name for name in seen if name in ("mask", *parts) or (name == "row_actions" and "rows" in parts)]
        self.names = (*(None for _ in HIDDEN), *shown)  # a call passes no empty buffers
        self.shapes = (*(((dtype.itemsize,), np.uint8) for dtype in HIDDEN), *(seen[name] for name in shown))
        self.dtypes = (*HIDDEN, *(np.dtype(np.int8 if kind == np.bool_ else kind) for _, kind in self.shapes[3:]))
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
        shown = dict(zip(self.names, buffers, strict=True))
        none = make_obs_arrays(0, self.num_players, (), False, False)
        seen = none._replace(
            vectors=shown.get("vector", none.vectors),
            rows=shown.get("rows", none.rows),
            row_actions=shown.get("row_actions", none.row_actions),
        )
        play(
            self._blank, self.num_players, states, episodes, outcomes, seen, masks, settings, *split_given(given),
            Results(*results),
        )  # fmt: skip

    def make_handler(self) -> Callable[[int], int]:
        """Return a function of the address of a call frame of XLA; its arguments are the buffers, and what is given."""
        sizes = np.array([np.dtype(kind).itemsize * int(np.prod(shape)) for shape, kind in self.shapes], np.int64)
        players, entries, columns, buffers = self.num_players, self._entries, self._columns, len(self.names)
        vectors_at, rows_at, row_actions_at = (  # 0: there are none
            self.names.index(name) if name in self.names else 0 for name in ("vector", "rows", "row_actions")
        )

        def handle(call):
            if ffi.answer_version(call):
                return 0
            count = ffi.count_entries(call, ffi.ARGUMENTS, 1) // sizes[1]
            ffi.copy_arguments(call, count, sizes)
            numbers = carray(ffi.as_pointer(ffi.find_numbers(call)), (NUM_NUMBERS,), np.int64)
            masks = carray(ffi.as_pointer(ffi.find_data(call, ffi.RESULTS, 3)), (count, NUM_ACTIONS), np.int8)
            vectors, tables = count if vectors_at else 0, count if rows_at else 0
            at_rows = ffi.as_pointer(ffi.find_data(call, ffi.RESULTS, rows_at))
            seen = ObsArrays(
                carray(ffi.as_pointer(ffi.find_data(call, ffi.RESULTS, vectors_at)), (vectors, entries), np.float32),
                carray(at_rows, (tables, NUM_ROWS, columns), np.int8),
                carray(ffi.as_pointer(ffi.find_data(call, ffi.RESULTS, row_actions_at)), (tables, NUM_ROWS), np.int16),
                np.zeros((0, 0), np.float32),
                masks[:0],
            )
            given = ffi.find_data(call, ffi.ARGUMENTS, buffers)
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
                    carray(ffi.as_pointer(ffi.find_data(call, ffi.RESULTS, buffers)), (count, players), np.float32),
                    carray(ffi.as_pointer(ffi.find_data(call, ffi.RESULTS, buffers + 1)), (count,), np.bool_),
                    carray(ffi.as_pointer(ffi.find_data(call, ffi.RESULTS, buffers + 2)), (count,), np.int32),
                ),
            )
            return 0

        return handle
