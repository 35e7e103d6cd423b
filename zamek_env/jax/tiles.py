"""The games of tiles of one ruleset: their arrays, and the function by which XLA, or a callback, plays them."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import carray

from zamek_env.base.episode import OUTCOME
from zamek_env.core import batch
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
        self._seen = [batch.fields_dtype(frame, field) for field in fields.values()]
        shown = [name for name, (shape, _) in shapes.items() if 0 not in shape]  # a call passes no empty buffers
        self.names = (*(None for _ in hidden), *shown)
        self.dtypes = (*hidden, *(self._seen[SEEN.index(name)] for name in shown))
        self.shapes = (
            *(((dtype.itemsize,), np.dtype(np.uint8)) for dtype in hidden),
            *(shapes[name] for name in shown),
        )
        self._places = [self.names.index(name) if name in shown else 0 for name in SEEN]  # 0: it is empty

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
        parts = zip(self._places, self._seen, strict=True)
        seen = (buffers[place] if place else np.empty(len(given), dtype) for place, dtype in parts)
        play(
            self.ruleset.tables, self.ruleset.new_log(), trials, Games(*buffers[:3]),
            batch.ObsArrays(buffers[3], *seen), settings, *split_given(given), Results(*results),
        )  # fmt: skip

    def make_handler(self) -> Callable[[int], int]:
        """Return a function of the address of a call frame of XLA; its arguments are the buffers, and what is given."""
        states, episodes, outcomes, canvases = self.dtypes[:4]
        planes, codes, masks, vectors, row_actions, rows = self._seen
        planes_at, codes_at, masks_at, vectors_at, row_actions_at, rows_at = self._places
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
                    carray(ffi.as_pointer(ffi.find_data(call, ffi.RESULTS, planes_at)), (count,), planes),
                    carray(ffi.as_pointer(ffi.find_data(call, ffi.RESULTS, codes_at)), (count,), codes),
                    carray(ffi.as_pointer(ffi.find_data(call, ffi.RESULTS, masks_at)), (count,), masks),
                    carray(ffi.as_pointer(ffi.find_data(call, ffi.RESULTS, vectors_at)), (count,), vectors),
                    carray(ffi.as_pointer(ffi.find_data(call, ffi.RESULTS, row_actions_at)), (count,), row_actions),
                    carray(ffi.as_pointer(ffi.find_data(call, ffi.RESULTS, rows_at)), (count,), rows),
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
