"""The arrays that hold the observations of many games: who may use them once they are returned, and their reuse."""

import sys
from collections.abc import Callable
from functools import partial
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from zamek_env.common.pickling import make_writable

KEPT = 4  # sets of arrays: those of this step and the last, and two more that a caller may hold
COUNTS_REFERENCES = getattr(sys, "_is_gil_enabled", lambda: True)()  # without the GIL, each thread counts for itself

Arrays = TypeVar("Arrays", bound=tuple[npt.NDArray[Any], ...])
View = TypeVar("View")


class Buffers(Generic[Arrays, View]):
    """A set of arrays, with the views that `show` returns of them."""

    def __init__(self, arrays: Arrays, show: Callable[[Arrays], View]) -> None:
        self.arrays = arrays
        self.views = show(arrays)
        self.bound: Any = None  # the arrays as arguments of kernels
        self._show = show
        self._unused = _count_references(arrays)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (self.arrays, self._show)  # views would become arrays of their own

    @property
    def is_free(self) -> bool:
        """Whether nobody else holds one of the arrays, or a view of one."""
        return COUNTS_REFERENCES and _count_references(self.arrays) == self._unused


class BufferPool(Generic[Arrays, View]):
    """Sets of arrays to lend, each reused once nobody holds it; `make` returns a new set, `show` views of it.

    Callers get views of the arrays of a set. A set is left alone while anybody holds one of its arrays, a slice of it
    or a tensor. Copies and unpickled objects have memory of their own. Sets are reused because the operating system
    maps new memory page by page, which takes longer for megabytes than writing to them.
    """

    def __init__(self, make: Callable[[], Arrays], show: Callable[[Arrays], View]) -> None:
        self._make, self._show = make, show
        self._kept: list[Buffers[Arrays, View]] = []

    def __reduce__(self) -> tuple[Any, ...]:
        return BufferPool, (self._make, self._show)

    def take(self, last: Buffers[Arrays, View] | None = None) -> Buffers[Arrays, View]:
        """Return a set that nobody holds: `last` itself, else another with its old contents, else a new copy of `last`.

        Without `last`, the contents of a new set are arbitrary.
        """
        if last in self._kept and last.is_free:
            return last
        for kept in self._kept:
            if kept is not last and kept.is_free:
                return kept
        new = Buffers(self._make(), self._show)
        self._kept = [*self._kept[1 - KEPT :], new]
        if last is not None:
            copy_buffers(last.arrays, new.arrays)
        return new


def _restore(arrays, show):
    return Buffers(make_writable(arrays), show)


def copy_buffers(source: Arrays, target: Arrays) -> None:
    """Copy the arrays of one set to those of another of the same shapes; one array may occur in a set several times.

    By bytes: numpy copies records field by field, 50 times slower.
    """
    for old, new in {id(new): (old, new) for old, new in zip(source, target, strict=True)}.values():
        new.view(np.uint8)[...] = old.view(np.uint8)


def _count_references(arrays):
    """Return the number of references to each of these arrays."""
    return [*map(sys.getrefcount, arrays)]


class ObsBatch(NamedTuple):
    """Observations and masks of many games: arrays with a row a game, or views of them."""

    observations: Any  # an array, or a dict of arrays
    masks: npt.NDArray[np.int8]

    def pick(self, game: int) -> Any:
        """Return a copy of the observation of one game."""
        if not isinstance(self.observations, dict):
            return self.observations[game].copy()
        return {part: array[game].copy() for part, array in self.observations.items()}

    def list_arrays(self) -> tuple[npt.NDArray[Any], ...]:
        """Return all arrays."""
        return (
            *(self.observations.values() if isinstance(self.observations, dict) else [self.observations]),
            self.masks,
        )

    def lock(self) -> None:
        """Make the arrays read-only, and so all views of them that are made later."""
        for array in self.list_arrays():
            array.flags.writeable = False

    def view(self) -> tuple[Any, npt.NDArray[np.int8]]:
        """Return new views of observations and masks; the caller may change their shape or dtype."""
        if not isinstance(self.observations, dict):
            return self.observations.view(), self.masks.view()
        seen = self.observations.copy()
        for part, array in self.observations.items():  # faster than a comprehension
            seen[part] = array.view()
        return seen, self.masks.view()


def new_obs_arrays(count: int, observation_space: spaces.Space[Any], num_actions: int) -> tuple[Any, ...]:
    """Return arrays for copies of what `list_arrays` lists for `count` games, each with the `observation_space`."""
    parts: Any = observation_space.values() if isinstance(observation_space, spaces.Dict) else [observation_space]
    observations = [np.empty((count, *part.shape), part.dtype) for part in parts]
    return (*observations, np.empty((count, num_actions), np.int8))


def view_obs_arrays(observation_space: spaces.Space[Any], arrays: tuple[Any, ...]) -> ObsBatch:
    """Return views of the arrays that `new_obs_arrays` returned."""
    *parts, masks = (array.view() for array in arrays)
    if isinstance(observation_space, spaces.Dict):
        return ObsBatch(dict(zip(observation_space, parts, strict=True)), masks)
    return ObsBatch(parts[0], masks)


class ObsBuffers:
    """Buffers for observations: `now` are those in use, `make` returns new arrays, and `show` views of them.

    `copies` are buffers for copies of observations. What a step returns depends on `copy`, and on whether a step writes
    whole observations (`writes_all`) or only what has changed:

                     a step writes what has changed             a step writes all
        copy=None    `hands_out`, to be read                    `hands_out` and `gives_away`
        copy=True    copies                                     `hands_out` and `gives_away`
        copy=False   to be read until the next step             to be read until the next step
    """

    def __init__(
        self,
        make: Callable[[], tuple[npt.NDArray[Any], ...]],
        show: Callable[[Any], ObsBatch],
        copies: BufferPool[Any, ObsBatch],
        copy: bool | None,
        writes_all: bool,
    ) -> None:
        self.hands_out = copy is None or (copy and writes_all)  # the arrays themselves are given away for good
        self.gives_away = self.hands_out and writes_all  # callers may write to them: each step writes them whole
        self._copies_out = copy is True and not self.hands_out
        self._copies = copies
        self._pool = BufferPool(make, show if self.gives_away else partial(_view_read_only, show))
        self.now: Any = self._pool.take()

    def go_on(self) -> tuple[Any, bool]:
        """Switch to a set of arrays whose contents no caller relies on.

        Returns the previous set, which may be the same, and whether the next step must write the observations of all
        games, not only of the games played.
        """
        last = self.now
        if not self.hands_out:
            return last, False
        self.now = self._pool.take(last)
        return last, self.now is not last or self.gives_away

    def hand_out(self) -> tuple[Any, npt.NDArray[np.int8]]:
        """Return (observations, masks) as callers get them: copied, read-only or as they are.

        They are new views, unless the next step overwrites them.
        """
        shown: ObsBatch = self.now.views
        if self._copies_out:
            copies = self._copies.take().views
            for array, target in zip(shown.list_arrays(), copies.list_arrays(), strict=True):
                target[...] = array
            shown = copies
        elif not self.hands_out:
            seen = shown.observations
            return seen.copy() if isinstance(seen, dict) else seen, shown.masks
        return shown.view()


def _view_read_only(show, arrays):
    shown = show(arrays)
    shown.lock()
    return shown
