"""Bit sets in arrays of 32-bit words: bit `i` is bit `i % 32` of word `i // 32`.

Words of 32 bits keep all arithmetic inside int64, where numba and plain Python (`NUMBA_DISABLE_JIT=1`) agree. Counting
and finding bits are single machine instructions when compiled.
"""

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from zamek_env.core.jit import kernel

WORD_BITS = 32


def num_words(bits):
    """Return how many words hold `bits` bits."""
    return -(-bits // WORD_BITS)


@kernel
def has_bit(words, index):
    """Return whether bit `index` is set."""
    return (np.int64(words[index >> 5]) >> (int(index) & 31)) & 1 == 1


@kernel
def set_bit(words, index):
    """Set bit `index`; writes `words`."""
    words[index >> 5] |= 1 << (int(index) & 31)


@kernel
def clear_bit(words, index):
    """Clear bit `index`; writes `words`."""
    words[index >> 5] &= 0xFFFFFFFF ^ (1 << (int(index) & 31))


def count_word(word):
    """Return how many bits of the 32-bit `word` are set."""
    return int(word).bit_count()


@overload(count_word)
def _count_word(word):
    return lambda word: _population_count(np.int64(word))


def lowest_bit(word):
    """Return the index of the lowest set bit of a 32-bit `word` that is not 0."""
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
def nth_bit(words, n):
    """Return the index of the set bit that has `n` set bits below it, or -1 if there are not that many."""
    left = n
    for number, stored in enumerate(words):
        word = np.int64(stored)
        count = count_word(word)
        if left < count:
            for _ in range(left):
                word &= word - 1
            return number * WORD_BITS + lowest_bit(word)
        left -= count
    return -1
