"""The games of tiles of one ruleset: their arrays, and the function by which XLA, or a callback, plays them."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import carray

from zamek_env.core import batch
from zamek_env.core.outcome import OUTCOME
from zamek_env.jax import ffi
from zamek_env.jax.kernels import WORDS, Games, Results, Settings, play, split_given
from zamek_env.ruleset import Ruleset

SEEN = ("planes", "codes", "mask", *batch.VECTORS)  # in the order of `ObsArrays`
NUM_NUMBERS = 1 + len(Settings._fields)  # in the attribute: the address of the tables, and the settings


class Tiles:
    """Games of a `Ruleset` with these `parts` of an observation. `answers`: a compiled opponent plays.

    `names` says what each buffer is in a `State`: a part of the observation, the mask, or None where it is hidden.
    """

    def __init__(self, ruleset: Ruleset, parts: tuple[str, ...], answers: bool) -> None:
        self.ruleset, self.parts, self.answers = ruleset, parts, answers
        self.id, self.num_actions, self.num_players = ruleset.name, ruleset.num_actions, ruleset.players
        frame = ruleset.frame_dtype(parts)
        hidden = (ruleset.state_dtype, batch.episode_dtype(ruleset.players), OUTCOME, ruleset.canvas_dtype)
        board = ruleset.components.board.shape
        fields = {name: batch.BOARD_FIELDS.get(name, name) for name in SEEN}
        shapes = {name: (frame[field].shape, frame[field].base) for name, field in fields.items()}
        for name in batch.BOARD_FIELDS:
            (squares, numbers), dtype = shapes[name]
            shapes[name] = (*board, numbers) if squares else (0,), dtype
        shapes["mask"] = frame["mask"].shape, np.dtype(np.bool_)
        self.dtypes = (*hidden, *(batch.fields_dtype(frame, field) for field in fields.values()))
        self.shapes = (*(((dtype.itemsize,), np.dtype(np.uint8)) for dtype in hidden), *shapes.values())
        names = (name if 0 not in shape else None for name, (shape, _) in shapes.items())
        self.names = (*(None for _ in hidden), *names)

    @property
    def kind(self) -> str:
        """The name that tells its handler from others."""
        return repr((self.dtypes, self.ruleset.tables.dtype, self.parts, self.answers))

    def list_numbers(self, settings: Settings) -> npt.NDArray[np.int64]:
        """Return the numbers in the attribute of a handler."""
        return np.array([self.ruleset.tables.ctypes.data, *settings], np.int64)

    def play(self, settings: Settings, buffers: list[npt.NDArray[Any]], given: npt.NDArray[Any], results: Any) -> None:
        """Do what the handler does, on numpy arrays: `buffers` of records, (n,), and `results` as it writes them."""
        trials = self.ruleset.new_states(2) if self.answers else None
        play(
            self.ruleset.tables, self.ruleset.new_log(), trials, Games(*buffers[:3]),
            batch.ObsArrays(*buffers[3:]), settings, *split_given(given), Results(*results),
        )  # fmt: skip

    def make_handler(self) -> Callable[[int], int]:
        """Return a function of the address of a call frame of XLA; its arguments are the buffers, and what is given."""
        states, episodes, outcomes, canvases, planes, codes, masks, vectors, row_actions, rows = self.dtypes
        tables_of, log_of = self.ruleset.tables.dtype, self.ruleset.log_dtype
        sizes, size = np.array([kind.itemsize for kind in self.dtypes], np.int64), episodes.itemsize
        answers, players, buffers = self.answers, self.num_players, len(self.dtypes)

        def handle(call):
            if ffi.answer_version(call):
                return 0
            count = ffi.count_entries(call, ffi.ARGUMENTS, 1) // size
            ffi.copy_arguments(call, count, sizes)
            numbers = carray(ffi.as_pointer(ffi.find_numbers(call)), (NUM_NUMBERS,), np.int64)
            trials = None
            if answers:
                trials = np.empty(2, states)
            given = ffi.find_data(call, ffi.ARGUMENTS, buffers)
            play(
                carray(ffi.as_pointer(numbers[0]), (1,), tables_of),
                np.empty(1, log_of),
                trials,
                Games(
                    carray(ffi.as_pointer(ffi.find_data(call, ffi.RESULTS, 0)), (count,), states),
                    carray(ffi.as_pointer(ffi.find_data(call, ffi.RESULTS, 1)), (count,), episodes),
                    carray(ffi.as_pointer(ffi.find_data(call, ffi.RESULTS, 2)), (count,), outcomes),
                ),
                batch.ObsArrays(
                    carray(ffi.as_pointer(ffi.find_data(call, ffi.RESULTS, 3)), (count,), canvases),
                    carray(ffi.as_pointer(ffi.find_data(call, ffi.RESULTS, 4)), (count,), planes),
                    carray(ffi.as_pointer(ffi.find_data(call, ffi.RESULTS, 5)), (count,), codes),
                    carray(ffi.as_pointer(ffi.find_data(call, ffi.RESULTS, 6)), (count,), masks),
                    carray(ffi.as_pointer(ffi.find_data(call, ffi.RESULTS, 7)), (count,), vectors),
                    carray(ffi.as_pointer(ffi.find_data(call, ffi.RESULTS, 8)), (count,), row_actions),
                    carray(ffi.as_pointer(ffi.find_data(call, ffi.RESULTS, 9)), (count,), rows),
                ),
                Settings(numbers[1], numbers[2], numbers[3], numbers[4], numbers[5], numbers[6]),
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
