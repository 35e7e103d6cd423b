"""Bit sets in arrays of 32-bit words: bit `i` is bit `i % 32` of word `i // 32`.

Words of 32 bits keep all arithmetic inside int64, where numba and plain Python (`NUMBA_DISABLE_JIT=1`) agree. Counting
and finding bits are single machine instructions when compiled, which stand where the call is: a function to call would
be compiled for each type of number, and linked wherever it is called.
"""

from typing import SupportsIndex

import numpy as np
from llvmlite import ir
from numba import types
from numba.core.extending import lower_builtin, type_callable

from zamek_env.compiler.jit import kernel


def as_index(number: SupportsIndex) -> int:
    """Return `number`, an int that is not negative and no bool, as an index.

    It is unsigned when compiled: a signed one would be tested each time for counting from the end of the array, which
    took a third of all time.
    """
    return int(number)


@type_callable(as_index)
def _type_index(_):
    return lambda number: types.uint32 if isinstance(number, types.Integer) else None


@lower_builtin(as_index, types.Integer)
def _as_index(context, builder, signature, values):
    return context.cast(builder, values[0], signature.args[0], types.uint32)


@kernel
def has_bit(words, bit):
    """Return whether that bit is set."""
    return (np.int64(words[as_index(bit) >> 5]) >> (int(bit) & 31)) & 1 == 1


@kernel
def set_bit(words, bit):
    """Set that bit; writes `words`."""
    words[as_index(bit) >> 5] |= 1 << (int(bit) & 31)


@kernel
def clear_bit(words, bit):
    """Clear that bit; writes `words`."""
    words[as_index(bit) >> 5] &= 0xFFFFFFFF ^ (1 << (int(bit) & 31))


def count_word(word: SupportsIndex) -> int:
    """Return how many bits of `word`, an int that is not negative, are set."""
    return int(word).bit_count()


@lower_builtin(count_word, types.Integer)
def _count_word(context, builder, signature, values):
    return builder.ctpop(context.cast(builder, values[0], signature.args[0], types.int64))


def lowest_bit(word: SupportsIndex) -> int:
    """Return the index of the lowest set bit of `word`, a positive int."""
    return (int(word) & -int(word)).bit_length() - 1


@lower_builtin(lowest_bit, types.Integer)
def _lowest_bit(context, builder, signature, values):
    word = context.cast(builder, values[0], signature.args[0], types.int64)
    return builder.cttz(word, ir.Constant(ir.IntType(1), 1))  # 1: never called with 0


@type_callable(count_word)
@type_callable(lowest_bit)
def _type_count(_):
    return lambda word: types.int64 if isinstance(word, types.Integer) else None


@kernel
def count_bits(words):
    """Return how many bits of the one-dimensional `words` are set."""
    total = 0
    for word in words:
        total += count_word(np.int64(word))
    return total


@kernel
def count_common(words, others):
    """Return how many bits are set in both of two rows of words."""
    total = 0
    for word in range(words.size):
        total += count_word(np.int64(words[word]) & np.int64(others[word]))
    return total


@kernel
def nth_bit_of_word(word, n):
    """Return the index of the set bit of `word` that has `n` set bits below it, which must be there."""
    left = word
    for _ in range(n):
        left &= left - 1
    return lowest_bit(left)
