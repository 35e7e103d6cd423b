"""Memory to hand out: used again once nobody holds it any more."""

import sys
from collections.abc import Callable
from typing import Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt

KEPT = 4  # sets of arrays: those of this step and the last, and two more that a caller may hold
COUNTS_REFERENCES = getattr(sys, "_is_gil_enabled", lambda: True)()  # without the lock, other threads count apart

ArraySet = TypeVar("ArraySet", bound=tuple[npt.NDArray[Any], ...])


class ReusedSets(Generic[ArraySet]):
    """Finds memory for what is handed out next: sets of arrays, of which `make` returns a new one.

    What is handed out are views of the arrays of a set. A set of which anybody holds an array, a slice of it or a
    tensor, is left alone; a copy, and whatever was unpickled, has memory of its own. The system hands out memory of
    megabytes page by page, which takes longer than writing to it, so a set that nobody holds is used again.
    """

    def __init__(self, make: Callable[[], ArraySet]) -> None:
        self._make = make
        self._kept: list[tuple[ArraySet, list[int]]] = []  # with how many references there are while nobody holds it

    def __reduce__(self) -> tuple[type["ReusedSets[ArraySet]"], tuple[Callable[[], ArraySet]]]:
        return ReusedSets, (self._make,)

    def take(self, last: ArraySet | None = None) -> ArraySet:
        """Return a set that nobody holds: `last` if it is one, else another as it was left, or else a copy of `last`.

        Without `last`, what stands in a new set is anything.
        """
        free = [arrays for arrays, unused in self._kept if COUNTS_REFERENCES and _count_references(arrays) == unused]
        for arrays in free:
            if arrays is last:
                return arrays
        if free:
            return free[0]
        new = self._make()
        self._kept = [*self._kept[1 - KEPT :], (new, _count_references(new))]
        if last is not None:
            copy_set(last, new)
        return new


def copy_set(source: ArraySet, target: ArraySet) -> None:
    """Copy the arrays of a set, of which some may be one and the same, to those of another one like it.

    By bytes: numpy copies records field by field, 50 times slower.
    """
    for old, new in {id(new): (old, new) for old, new in zip(source, target, strict=True)}.values():
        new.view(np.uint8)[...] = old.view(np.uint8)


def _count_references(arrays):
    """Return how many references there are to each of these arrays."""
    return [*map(sys.getrefcount, arrays)]
