"""Compiled functions as handlers of XLA's foreign function interface (FFI) on the CPU, without a C compiler.

All that depends on how XLA lays out the call is in this file. XLA passes a handler the address of an
`XLA_FFI_CallFrame`. In words of 8 bytes that is: 1 the first extension, 5 to 9 the arguments, 10 to 14 the results; the
third word of these two is how many there are, the last word the address of a table of addresses of buffers. A buffer
is: 3 the address of its data, 4 its rank, 5 the address of its dimensions. Words 15 to 20 are the attributes, the last
one the address of a table; of an attribute that is an array word 2 is the address of its items (xla/ffi/api/c_api.h,
API version 0.1 to 0.4).

A handler must not raise: numba prints what is raised in a C callback, and XLA takes the call for a success.
"""

from collections.abc import Callable
from typing import Any

import jax
import numpy as np
from numba import carray, config, types
from numba.core import cgutils
from numba.core.ccallback import CFunc
from numba.extending import intrinsic

from zamek_env.compiler.code_cache import KernelCache
from zamek_env.compiler.jit import fingerprint, kernel

ARGUMENTS, RESULTS = 5, 10  # first words of both
OLDEST, NEWEST = (0, 10), (0, 12)  # versions of jax that lay out calls like this
_API = 0, 1  # the oldest version of the interface that lays out calls like this
_METADATA = 1  # kind of the extension by which XLA asks for the version


@intrinsic
def as_pointer(typing_context: Any, address: Any) -> Any:
    """An address, an integer, as a pointer."""

    def generate(context, builder, signature, arguments):
        return builder.inttoptr(arguments[0], cgutils.voidptr_t)

    return types.voidptr(types.intp), generate


@kernel
def read_words(address, count):
    """Return `count` words of 8 bytes from an address on."""
    return carray(as_pointer(address), (count,), np.int64)


@kernel
def count_arguments(frame):
    """Return how many arguments there are."""
    return read_words(frame, ARGUMENTS + 3)[ARGUMENTS + 2]


@kernel
def find_data(frame, first, number):
    """Return the address of the data of an argument (`first` is ARGUMENTS) or of a result (RESULTS)."""
    table = read_words(frame, first + 5)[first + 4]
    return read_words(read_words(table, number + 1)[number], 4)[3]


@kernel
def count_entries(frame, first, number):
    """Return how many entries an argument, or a result, has: the product of its dimensions."""
    table = read_words(frame, first + 5)[first + 4]
    buffer = read_words(read_words(table, number + 1)[number], 6)
    count = 1
    for dimension in read_words(buffer[5], buffer[4]):
        count *= dimension
    return count


@kernel
def find_numbers(frame):
    """Return the address of the numbers, int64, in the only attribute."""
    return read_words(read_words(read_words(frame, 21)[20], 1)[0], 3)[2]


@kernel
def copy_arguments(frame, games, sizes):
    """Copy the first arguments, of `sizes` bytes a game each, to the same results, unless they share memory."""
    for number in range(sizes.size):
        source, target = find_data(frame, ARGUMENTS, number), find_data(frame, RESULTS, number)
        if source != target:
            copied = carray(as_pointer(source), (games * sizes[number],), np.uint8)
            carray(as_pointer(target), (games * sizes[number],), np.uint8)[:] = copied


@kernel
def answer_version(frame):
    """Return whether XLA only asks for the version that a handler was made for, and answer that."""
    extension = read_words(frame, 2)[1]
    if extension == 0:
        return False
    asked = read_words(extension, 4)
    if (asked[1] & 0xFFFFFFFF) != _METADATA:
        return False
    version = carray(as_pointer(asked[3] + 24), (2,), np.int32)
    version[0], version[1] = _API[0], _API[1]
    carray(as_pointer(asked[3] + 32), (1,), np.uint32)[0] = 0
    return True


def register(name: str, handle: Callable[[int], int]) -> Any:
    """Register a function of the address of a call frame as the target `name`; keep what is returned alive.

    Its code is kept on disk, as that of kernels is.
    """
    handler: Any = CFunc(handle, (types.intp(types.intp).args, types.intp), {}, {})
    handler._cache = KernelCache(handle, fingerprint(handle.__module__))
    handler.compile()
    jax.ffi.register_ffi_target(name, jax.ffi.pycapsule(handler.address), platform="cpu")
    return handler


def find_problem() -> str | None:
    """Return why handlers cannot be called here, None where they can."""
    if jax.default_backend() != "cpu":
        return f"jax computes on {jax.default_backend()}, and compiled games are played on the CPU"
    if config.DISABLE_JIT:
        return "NUMBA_DISABLE_JIT is set, so nothing is compiled"
    if not OLDEST <= jax.version.__version_info__[:2] <= NEWEST:
        known = " to ".join(".".join(map(str, version)) for version in (OLDEST, NEWEST))
        return f"jax {jax.__version__} is not known to call compiled games directly; {known} are"
    return None
