"""A pool of arrays that are lent, and reused once nobody holds them."""

import sys
from collections.abc import Callable
from typing import Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt

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
