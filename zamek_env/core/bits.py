"""Bit sets in arrays of 32-bit words: bit `i` is bit `i % 32` of word `i // 32`.

Words of 32 bits keep all arithmetic inside int64, where numba and plain Python (`NUMBA_DISABLE_JIT=1`) agree. Counting
and finding bits are single machine instructions when compiled.
"""

from typing import SupportsIndex

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from zamek_env.core.jit import kernel


def as_index(number: SupportsIndex) -> int:
    """Return `number`, an int that is not negative, as an index.

    It is unsigned when compiled: a signed one would be tested each time for counting from the end of the array, which
    took a third of all time.
    """
    return int(number)


@overload(as_index)
def _as_index(number):
    return lambda number: np.uint32(number)


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


@overload(count_word)
def _count_word(word):
    return lambda word: _population_count(np.int64(word))


def lowest_bit(word: SupportsIndex) -> int:
    """Return the index of the lowest set bit of `word`, a positive int."""
    return (int(word) & -int(word)).bit_length() - 1


@overload(lowest_bit)
def _lowest_bit(word):
    return lambda word: _trailing_zeros(np.int64(word))


@intrinsic
def _population_count(_, word):
    return types.int64(types.int64), lambda context, builder, signature, values: builder.ctpop(values[0])


@intrinsic
def _trailing_zeros(_, word):
    def generate(context, builder, signature, values):
        return builder.cttz(values[0], ir.Constant(ir.IntType(1), 1))  # 1: never called with 0

    return types.int64(types.int64), generate


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
