"""Records: one for each game, with fields as attributes in compiled code and in plain Python alike."""

from typing import Any

import numpy as np
import numpy.typing as npt

NONE = -1  # kernels ask `<= NONE` where an index follows: then the compiler knows that it is not negative
_MADE: dict[Any, Any] = {}  # one dtype for all that are equal: numba finds it at once in calls, others it compares


def record_dtype(fields: list[Any], unit: int = 1) -> np.dtype[np.record]:
    """Return a structured dtype whose records have their fields as attributes, compiled and in plain Python alike.

    `fields` must be in descending order of width, so that only the end is padded, by an extra field, to whole multiples
    of `unit` bytes: every byte of a record has a meaning and can be compared. Raises `ValueError` for another order.
    """
    packed: Any = np.dtype(fields)
    aligned: Any = np.dtype(fields, align=True)
    if any(packed.fields[name] != aligned.fields[name] for name in packed.names):
        raise ValueError(f"fields must stand widest first: {packed}")
    missing = aligned.itemsize - packed.itemsize + -aligned.itemsize % unit
    padding = [("padding", np.uint8, missing)] if missing > 0 else []
    dtype: Any = np.dtype((np.record, np.dtype([*fields, *padding], align=True)))
    return _MADE.setdefault(dtype, dtype)


def copy_records(records: npt.NDArray[np.record]) -> npt.NDArray[np.record]:
    """Return a copy of an array of records, shape `(n,)`. By bytes: numpy copies field by field, 50 times slower."""
    return np.frombuffer(bytearray(records.tobytes()), records.dtype)
