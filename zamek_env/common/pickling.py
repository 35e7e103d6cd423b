"""Compact pickles: compressed, without the descriptions of dtypes, and with arrays that can be written to once read."""

import hashlib
import pickle
import weakref
import zlib
from copy import deepcopy
from functools import lru_cache
from typing import Any, Self

import numpy as np
import numpy.typing as npt

_SPACES = ("observation_space", "observation_spaces")  # of one agent, and of each
_COPIES: dict[int, npt.NDArray[Any]] = {}  # writable ones, by the `id` of a read-only array as long as that lives
_SPEED = 1  # of zlib: a fifth of the time of its default, for a tenth more bytes


def pack(value: object) -> bytes:
    """Return any `value` as bytes for `unpack`."""
    return zlib.compress(pickle.dumps(value), _SPEED)


def unpack(packed: bytes) -> Any:
    """Return what `pack` packed. As with any pickle, unpack only bytes from a source that you trust."""
    return pickle.loads(zlib.decompress(packed))


class PackedSpaces:
    """An environment whose spaces are small in pickles: the bounds of their many entries are mostly alike."""

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {name: pack(self.__dict__[name]) for name in _SPACES if name in self.__dict__}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__ |= state | {name: unpack(state[name]) for name in _SPACES if name in state}

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        twin = type(self).__new__(type(self))
        memo[id(self)] = twin
        twin.__dict__ |= {name: deepcopy(value, memo) for name, value in self.__dict__.items()}  # nothing is packed
        return twin


class WritableArrays:
    """An object with arrays that it writes to, as attributes or in tuples, which an unpickled one can write to as well.

    Pickles of protocol 5 with separate buffers, such as Ray's, may bring arrays whose memory is read-only. They are
    replaced by copies. Read-only arrays must be made read-only again, as after any pickle.
    """

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__ |= {name: make_writable(value) for name, value in state.items()}


def make_writable(value: Any) -> Any:
    """Return `value`, an array or a tuple, with a copy in place of each read-only array.

    An array gets one copy however often it is met, so that one array stays one.
    """
    if type(value) is np.ndarray and not value.flags.writeable:
        key = id(value)
        if key not in _COPIES:
            _COPIES[key] = value.copy("K")
            weakref.finalize(value, _COPIES.pop, key).atexit = False
        return _COPIES[key]
    if not isinstance(value, tuple):
        return value
    parts = [make_writable(part) for part in value]
    if all(new is old for new, old in zip(parts, value, strict=True)):
        return value
    return value._make(parts) if hasattr(value, "_make") else tuple(parts)  # a named tuple, or a plain one


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
    """Return an 8-byte digest of `dtype`: of the names, offsets and kinds of its fields."""
    return hashlib.sha256(repr(dtype).encode()).digest()[:8]
