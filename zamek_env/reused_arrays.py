"""Arrays to hand out for good, in memory that is used again once nobody holds it any more."""

import math
import sys
from typing import Any

import numpy as np
import numpy.typing as npt

SMALL = 2**16  # bytes: so little memory comes from the process itself, and fast
KEPT = 4  # arrays: those of this step and the last, and two more that a caller may hold


class ReusedArrays:
    """Makes arrays of one shape and dtype, of any contents, as `np.empty` does.

    The system hands out memory of megabytes page by page, which takes longer than writing to it. So what is not small
    is kept, and used again. Memory to which anybody else refers, through an array that was made here, a view or a slice
    of it or a tensor, is left alone. A copy, and whatever was unpickled, has memory of its own.
    """

    def __init__(self, shape: tuple[int, ...], dtype: npt.DTypeLike) -> None:
        self._shape, self._dtype = shape, np.dtype(dtype)
        self._is_small = math.prod(shape) * self._dtype.itemsize < SMALL
        self._kept: list[npt.NDArray[Any]] = []  # views of them are handed out: nobody else changes their form

    def __reduce__(self) -> tuple[type["ReusedArrays"], tuple[tuple[int, ...], np.dtype[Any]]]:
        return ReusedArrays, (self._shape, self._dtype)

    def take(self) -> npt.NDArray[Any]:
        """Return an array that shares no memory with any that somebody holds."""
        if self._is_small:
            return np.empty(self._shape, self._dtype)
        for number in range(len(self._kept)):
            if COUNTS_REFERENCES and _count_references(self._kept, number) == _UNUSED:
                return self._kept[number].view()
        self._kept = [*self._kept[1 - KEPT :], np.empty(self._shape, self._dtype)]
        return self._kept[-1].view()


def _count_references(values, number):
    """Return how many references there are to `values[number]`, some of them this function's own."""
    return sys.getrefcount(values[number])


_UNUSED = _count_references([object()], 0)  # where there is no other than that of the list
COUNTS_REFERENCES = getattr(sys, "_is_gil_enabled", lambda: True)()  # without the lock, other threads count apart
