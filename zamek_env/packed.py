"""Records as few bytes, for pickles: without the words that describe their fields, and compressed."""

import hashlib
import zlib
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

_SPEED = 1  # of zlib: a fifth of the time of its default, for a tenth more bytes


def pack_records(*arrays: npt.NDArray[np.record]) -> bytes:
    """Return the records of `arrays`, of one dtype, one after another as bytes for `unpack_records`."""
    return _find_digest(arrays[0].dtype) + zlib.compress(b"".join(array.tobytes() for array in arrays), _SPEED)


def unpack_records(packed: bytes, dtype: np.dtype[Any]) -> npt.NDArray[np.record]:
    """Return what `pack_records` packed, a new array `(n,)`. Raises `ValueError` where its dtype was not this one."""
    digest = _find_digest(dtype)
    if packed[: len(digest)] != digest:
        raise ValueError("this game was pickled by another version of zamek_env, or for other components")
    return np.frombuffer(bytearray(zlib.decompress(packed[len(digest) :])), dtype)


@lru_cache(maxsize=64)
def _find_digest(dtype: np.dtype[Any]) -> bytes:
    """Return 8 bytes that tell `dtype` from all others: by the names, places and kinds of its fields."""
    return hashlib.sha256(repr(dtype).encode()).digest()[:8]
