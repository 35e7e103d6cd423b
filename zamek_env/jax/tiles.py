"""The games of tiles of one ruleset: how they lie in arrays, and what XLA, or a callback, plays them by."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import carray

from zamek_env.core import batch
from zamek_env.core.outcome import OUTCOME
from zamek_env.jax.ffi import (
    ARGUMENTS,
    RESULTS,
    answer_version,
    as_pointer,
    copy_arguments,
    count_games,
    find_data,
    find_numbers,
)
from zamek_env.jax.kernels import WORDS, Games, ObsCopies, Results, Settings, play, split_given
from zamek_env.ruleset import Ruleset

BUFFERS = 7  # that hold a game and what is seen of it: three of `Games`, four of `ObsArrays`
REWARDS, ENDED, PLAYERS, VECTOR, ROW_ACTIONS, ROWS = range(BUFFERS, BUFFERS + 6)  # the results after them
NUM_NUMBERS = 1 + len(Settings._fields)  # in the attribute: the address of the tables, and the settings


class Tiles:
    """Games of a `Ruleset` with these `parts` of an observation. `answers`: a compiled opponent plays.

    `names` says what each buffer is in a `State`: a part of the observation, the mask, or None where it is hidden.
    `copies` are parts that are copied out of a hidden buffer, into arrays of their own.
    """

    def __init__(self, ruleset: Ruleset, parts: tuple[str, ...], answers: bool) -> None:
        self.ruleset, self.parts, self.answers = ruleset, parts, answers
        self.id, self.num_actions, self.num_players = ruleset.name, ruleset.num_actions, ruleset.players
        self.frame = frame = ruleset.frame_dtype(parts)
        squares, vectors = batch.fields_dtype(frame, "squares"), batch.fields_dtype(frame, *batch.VECTORS)
        self.dtypes = (
            ruleset.state_dtype, batch.episode_dtype(ruleset.players), OUTCOME, ruleset.canvas_dtype, squares,
            batch.fields_dtype(frame, "mask"), vectors,
        )  # fmt: skip
        has_planes, has_rows, has_vector = ("planes" in parts, "rows" in parts, "vector" in parts)
        self.names = (
            None, None, None, None, "planes" if has_planes else None, "mask",
            "vector" if has_vector and not has_rows else None,
        )  # fmt: skip
        self.copies = batch.VECTORS if has_rows else ()
        planes = (*ruleset.components.board.shape, frame["squares"].shape[1]) if has_planes else (squares.itemsize,)
        bytes_of = [((kind.itemsize,), np.uint8) for kind in self.dtypes]
        self.shapes = (
            *bytes_of[:4], (planes, np.uint8), ((self.num_actions,), np.bool_),
            (frame["vector"].shape, np.float32) if self.names[-1] else bytes_of[-1],
        )  # fmt: skip
        self.copy_shapes = tuple((frame[name].shape, frame[name].base) for name in self.copies)

    @property
    def kind(self) -> str:
        """What tells its handler from others."""
        return repr((self.dtypes, self.ruleset.tables.dtype, self.parts, self.answers))

    def list_numbers(self, settings: Settings) -> npt.NDArray[np.int64]:
        """Return what a handler is told by its attribute."""
        return np.array([self.ruleset.tables.ctypes.data, *settings], np.int64)

    def play(self, settings: Settings, buffers: list[npt.NDArray[Any]], given: npt.NDArray[Any], results: Any) -> None:
        """Do what the handler does, on numpy arrays: `buffers` of records, (n,), and `results` as it writes them."""
        games, seen = Games(*buffers[:3]), batch.ObsArrays(*buffers[3:])
        trials = self.ruleset.new_states(2) if self.answers else None
        shown = ObsCopies(*results[3:]) if self.copies else None
        play(
            self.ruleset.tables, self.ruleset.new_log(), trials, games, seen, shown, settings,
            *split_given(given), Results(*results[:3]),
        )  # fmt: skip

    def make_handler(self) -> Callable[[int], int]:
        """Return a function of the address of a call frame of XLA; its arguments are the buffers, and what is given."""
        states, episodes, outcomes, canvases, planes, masks, vectors = self.dtypes
        tables_of, log_of = self.ruleset.tables.dtype, self.ruleset.log_dtype
        sizes = np.array([kind.itemsize for kind in self.dtypes], np.int64)
        answers, has_rows, players = self.answers, bool(self.copies), self.num_players
        entries, (rows, columns) = self.frame["vector"].shape[0], self.frame["rows"].shape

        def handle(call):
            if answer_version(call):
                return 0
            count = count_games(call, 1) // sizes[1]
            copy_arguments(call, count, sizes)
            numbers = carray(as_pointer(find_numbers(call)), (NUM_NUMBERS,), np.int64)
            trials = None
            if answers:
                trials = np.empty(2, states)
            shown = None
            if has_rows:
                shown = ObsCopies(
                    carray(as_pointer(find_data(call, RESULTS, VECTOR)), (count, entries), np.float32),
                    carray(as_pointer(find_data(call, RESULTS, ROW_ACTIONS)), (count, rows), np.int16),
                    carray(as_pointer(find_data(call, RESULTS, ROWS)), (count, rows, columns), np.int8),
                )
            given = find_data(call, ARGUMENTS, BUFFERS)
            play(
                carray(as_pointer(numbers[0]), (1,), tables_of),
                np.empty(1, log_of),
                trials,
                Games(
                    carray(as_pointer(find_data(call, RESULTS, 0)), (count,), states),
                    carray(as_pointer(find_data(call, RESULTS, 1)), (count,), episodes),
                    carray(as_pointer(find_data(call, RESULTS, 2)), (count,), outcomes),
                ),
                batch.ObsArrays(
                    carray(as_pointer(find_data(call, RESULTS, 3)), (count,), canvases),
                    carray(as_pointer(find_data(call, RESULTS, 4)), (count,), planes),
                    carray(as_pointer(find_data(call, RESULTS, 5)), (count,), masks),
                    carray(as_pointer(find_data(call, RESULTS, 6)), (count,), vectors),
                ),
                shown,
                Settings(numbers[1], numbers[2], numbers[3], numbers[4], numbers[5], numbers[6]),
                carray(as_pointer(given), (count, WORDS), np.uint32),
                carray(as_pointer(given), (count,), np.int32),
                Results(
                    carray(as_pointer(find_data(call, RESULTS, REWARDS)), (count, players), np.float32),
                    carray(as_pointer(find_data(call, RESULTS, ENDED)), (count,), np.bool_),
                    carray(as_pointer(find_data(call, RESULTS, PLAYERS)), (count,), np.int32),
                ),
            )
            return 0

        return handle
