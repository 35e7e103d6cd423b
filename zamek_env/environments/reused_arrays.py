"""Arrays that are handed out, and used again once nobody holds them."""

import sys
from collections.abc import Callable
from typing import Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt

KEPT = 4  # sets of arrays: those of this step and the last, and two more that a caller may hold
COUNTS_REFERENCES = getattr(sys, "_is_gil_enabled", lambda: True)()  # without the GIL, each thread counts for itself

ArraySet = TypeVar("ArraySet", bound=tuple[npt.NDArray[Any], ...])


class ReusedSets(Generic[ArraySet]):
    """Sets of arrays to hand out, each used again once nobody holds it; `make` returns a new set.

    Callers get views of the arrays of a set. A set is left alone while anybody holds one of its arrays, a slice of it
    or a tensor. Copies and unpickled objects have memory of their own. Sets are used again because the operating system
    maps new memory page by page, which takes longer for megabytes than writing to them.
    """

    def __init__(self, make: Callable[[], ArraySet]) -> None:
        self._make = make
        self._kept: list[tuple[ArraySet, list[int]]] = []  # each set with its reference counts while nobody holds it

    def __reduce__(self) -> tuple[type["ReusedSets[ArraySet]"], tuple[Callable[[], ArraySet]]]:
        return ReusedSets, (self._make,)

    def take(self, last: ArraySet | None = None) -> ArraySet:
        """Return a set that nobody holds: `last` itself, else another with its old contents, else a new copy of `last`.

        Without `last`, the contents of a new set are arbitrary.
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
    """Copy the arrays of one set to those of another of the same form; one array may occur in a set several times.

    By bytes: numpy copies records field by field, 50 times slower.
    """
    for old, new in {id(new): (old, new) for old, new in zip(source, target, strict=True)}.values():
        new.view(np.uint8)[...] = old.view(np.uint8)


def _count_references(arrays):
    """Return how many references there are to each of these arrays."""
    return [*map(sys.getrefcount, arrays)]
